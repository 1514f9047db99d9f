/* Messages of one address the fast way; see fast-block.c. */
#ifndef VESIM_FAST_BLOCK_H
#define VESIM_FAST_BLOCK_H

#include "isa/decode/inst.h"

/* The function that executes the send the fast way; NULL if it has to go the general way. */
execute_function fast_block_select(const struct inst *inst);

#endif
