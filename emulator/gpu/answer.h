/* Answers to what the Xe-cores have asked of the L3 and of global memory, in the order of time over
 * all of them; among equals the lower-numbered Xe-core goes first. */
#ifndef VESIM_ANSWER_H
#define VESIM_ANSWER_H

#include "gpu/walk.h"

/* What a round of answers leads to: cycles, UINT64_MAX if there is none. */
struct answers {
    uint64_t first_done; /* the first at which a line that was answered is there */
    uint64_t next;       /* the first at which a line arrives, or its bank takes it, that was not */
};

/* Answers the Xe-cores' misses: lines arrive at the L3, and its banks take them, up to cycle
 * `until`. What comes later is kept for the next time. */
struct answers answer_misses(struct gpu *gpu, uint64_t until);

/* Carries out the deferred transfers that were issued up to and with cycle `last`. */
void answer_transfers(struct gpu *gpu, uint64_t last);

#endif
