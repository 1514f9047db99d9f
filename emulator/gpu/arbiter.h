/* The memory arbiter: serves what the Xe-cores ask of the L3 and of global memory, in the order of
 * time over all of them; among equals the lower-numbered Xe-core goes first. */
#ifndef VESIM_ARBITER_H
#define VESIM_ARBITER_H

#include "gpu/walk.h"

/* What a round leads to: cycles, UINT64_MAX if there is none. */
struct arbitration {
    uint64_t first_done; /* the first at which a line that was served is done */
    uint64_t
        next; /* the first at which a line arrives, or its bank takes it, that was not served */
};

/* Serves the Xe-cores' misses: lines arrive at the L3, and its banks take them, up to cycle
 * `until`. What comes later waits for the next call. */
struct arbitration arbiter_serve(struct gpu *gpu, uint64_t until);

/* Carries out the queued transfers issued up to and including cycle `last`. */
void arbiter_transfer(struct gpu *gpu, uint64_t last);

#endif
