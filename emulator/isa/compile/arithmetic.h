/* Instructions that work on the thread's registers alone. */
#ifndef VESIM_COMPILE_ARITHMETIC_H
#define VESIM_COMPILE_ARITHMETIC_H

#include "isa/compile/emit.h"

/* Translates a plain instruction if it is one of those that can be, and returns whether it is.
 * `has_usual_mode` is set if that takes the usual mode of floats. */
bool emit_arithmetic(struct emitter *e, const struct inst *inst, bool *has_usual_mode);

#endif
