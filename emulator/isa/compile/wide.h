/* Products in two halves, and sums with a carry: what goes through the accumulator. */
#ifndef VESIM_COMPILE_WIDE_H
#define VESIM_COMPILE_WIDE_H

#include "isa/compile/emit.h"

/* mul to the accumulator, macl, mach, addc and subb, as the fast path has prepared them. Returns
 * false for other opcodes. */
bool emit_wide(struct emitter *e, const struct inst *inst);

#endif
