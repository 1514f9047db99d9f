/* What the two kinds of walker commands share. */
#ifndef VESIM_WALKER_COMMON_H
#define VESIM_WALKER_COMMON_H

#include "streamer/context.h"

/* Whether a predicated walker runs: PREDICATE_RESULT bit 0. 1, 0, or -EFAULT. */
int walker_predicate(struct batch *batch);

/* The dispatch dimensions of an indirect walker, from registers. */
int walker_indirect_dimensions(struct batch *batch, uint32_t dimensions[3]);

/* SIMD Size field to lanes; 0 if reserved. */
uint32_t walker_simd_width(uint32_t field);

/* Shared Local Memory Size field to bytes (0, then 1 KB to 64 KB). -EFAULT if reserved. */
int walker_slm_bytes(struct batch *batch, uint32_t field, uint32_t *bytes);

/* Base addresses. */
void walker_bases(struct walker *walker, const struct state *state);

/* Checks what the dispatcher relies on, runs the walk, and advances the clock. */
int walker_run(struct batch *batch, const struct walker *walker);

#endif
