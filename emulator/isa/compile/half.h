/* Sums and products of half floats. */
#ifndef VESIM_COMPILE_HALF_H
#define VESIM_COMPILE_HALF_H

#include "isa/compile/emit.h"

/* The instruction is one for which fast_choose() gives FAST_HALF, and is prepared by it. Returns
 * whether it is translated: not on a host that cannot convert half floats (F16C), and only if the
 * lanes fill whole dwords. */
bool emit_half(struct emitter *e, const struct inst *inst);

#endif
