/* Instructions that work on the thread's registers alone. */
#ifndef VESIM_COMPILE_ARITHMETIC_H
#define VESIM_COMPILE_ARITHMETIC_H

#include "isa/compile/compile.h"
#include "isa/compile/emit.h"

/* Translates a plain instruction if it is one of those that can be, and returns whether it is.
 * The usual modes that it takes are set. */
bool emit_arithmetic(struct emitter *e, const struct inst *inst, struct usual_modes *modes);

#endif
