/* Block messages: one address, and bytes that follow one another in memory and in registers. */
#ifndef VESIM_COMPILE_BLOCK_MESSAGES_H
#define VESIM_COMPILE_BLOCK_MESSAGES_H

#include "isa/compile/emit.h"

/* Whether a vector can move it. */
bool message_moves_block(const struct inst *inst);

void emit_block_message(struct emitter *e, const struct inst *inst);

#endif
