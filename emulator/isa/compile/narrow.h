/* Integers of one to four bytes at regular distances: what isa/fast/fast-narrow.c executes. */
#ifndef VESIM_COMPILE_NARROW_H
#define VESIM_COMPILE_NARROW_H

#include "isa/compile/emit.h"

/* Translates the instruction, which narrow_prepare() has prepared; false if it is not
 * translated. */
bool emit_narrow(struct emitter *e, const struct inst *inst);

#endif
