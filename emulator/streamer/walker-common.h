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

/* What COMPUTE_WALKER and COMPUTE_WALKER_2 ask for. */
struct compute_walk {
    const struct compute_walker_body *body;
    const struct interface_descriptor *descriptor;
    const uint32_t *inline_data;
    uint32_t inline_bytes;
};

/* When a walk began: by the stack's clock, and the cycles that its context had had then. */
struct walk_start {
    uint64_t clock, context_clock;
};

/* Runs the walk. 1; 0 if it is predicated and left out; or a negative errno. */
int walker_compute(struct batch *batch, const struct compute_walk *walk, struct walk_start *start);

/* Writes {context start, global start, context end, global end}: a dword each, on Xe2 a qword. */
int walker_write_timestamps(struct batch *batch, uint64_t address, struct walk_start start);

/* What a post-sync operation has done to the caches first. */
void walker_flush(struct batch *batch, bool pipeline, bool cache);

/* Checks what the dispatcher relies on, runs the walk, and advances the clock. */
int walker_run(struct batch *batch, const struct walker *walker);

#endif
