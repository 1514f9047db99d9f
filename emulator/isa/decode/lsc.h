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

/* What of a message's descriptor says which data an address has. */
struct lsc_data {
    uint32_t size;   /* field, of elements in memory and in registers */
    uint32_t vector; /* field: how many; of a quad the mask of those that are moved */
    bool quad;
    bool transposed; /* the vector lies in one register run */
};

/* Each fills in a part of the message by a field of the descriptor; -1 if that is reserved or not
 * modelled. */
int lsc_set_kind(struct message *message, uint32_t opcode);
int lsc_set_data(struct message *message, const struct lsc_data *data);
int lsc_set_block_2d(struct message *message, uint32_t size);
uint8_t lsc_fence_flush(uint32_t field);

/* The same for images: the mask of channels that a message moves, and the parameters by the length
 * of its payload. `gathers`: that has what is stored, too. */
int typed_set_quad(struct message *message, uint32_t mask, bool gathers);

/* What a sampler does, by its operation; the channels that it returns; and the parameters by the
 * registers of the payload. -1 if it is not modelled. */
int typed_set_sample(struct message *message, unsigned operation, uint32_t mask,
                     unsigned registers);

enum lsc_address_type { LSC_FLAT, LSC_BINDLESS, LSC_SURFACE_STATE, LSC_BINDING_TABLE };

#endif
