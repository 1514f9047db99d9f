/* The memory arbiter: serves the Xe-cores' requests to the L3 and global memory in global time
 * order; at equal times the lower-numbered Xe-core goes first. */
#ifndef VESIM_ARBITER_H
#define VESIM_ARBITER_H

#include "gpu/walk.h"

/* Outcome of a round, in cycles; UINT64_MAX if there is none. */
struct arbitration {
    uint64_t first_done; /* earliest completion of a line that was served */
    uint64_t next;       /* next arrival, or acceptance by a bank, of a line not served */
};

/* Serves the Xe-cores' misses up to cycle `until`: lines arrive at the L3, and its banks accept
 * them. Later ones wait for the next call. */
struct arbitration arbiter_serve(struct gpu *gpu, uint64_t until);

/* Executes the queued transfers issued up to and including cycle `last`. */
void arbiter_transfer(struct gpu *gpu, uint64_t last);

#endif
