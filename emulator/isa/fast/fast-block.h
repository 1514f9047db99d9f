/* The fast path of messages with one address; see fast-block.c. */
#ifndef VESIM_FAST_BLOCK_H
#define VESIM_FAST_BLOCK_H

#include "isa/decode/inst.h"

/* The function that executes the send on the fast path; NULL if it needs the general one. */
execute_function fast_block_select(const struct inst *inst);

#endif
