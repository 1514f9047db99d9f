/* Integers that go through the accumulator: results for it, products in two halves, and sums with a
 * carry. */
#ifndef VESIM_COMPILE_WIDE_H
#define VESIM_COMPILE_WIDE_H

#include "isa/compile/emit.h"

/* The instruction is one for which fast_choose() gives FAST_WIDE, and is prepared by it. */
void emit_wide(struct emitter *e, const struct inst *inst);

/* Sets the accumulator that is the destination to dwords, extended as its type says. */
void emit_to_accumulator(struct emitter *e, const struct inst *inst, LLVMValueRef value);

#endif
