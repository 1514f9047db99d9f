/* Values of fields in descriptors of the load/store cache. */
#ifndef VESIM_LSC_H
#define VESIM_LSC_H

#include "isa/decode/message.h"

enum lsc_opcode {
    LSC_LOAD = 0,
    LSC_LOAD_QUAD = 2,
    LSC_LOAD_BLOCK_2D = 3,
    LSC_STORE = 4,
    LSC_STORE_QUAD = 6,
    LSC_STORE_BLOCK_2D = 7,
    LSC_ATOMIC_FIRST = 8,
    LSC_ATOMIC_LAST = 26,
    LSC_FENCE = 31,
};

enum lsc_address_type { LSC_FLAT, LSC_BINDLESS, LSC_SURFACE_STATE, LSC_BINDING_TABLE };

#endif
