/* Answers to what the Xe-cores have asked of the L3 and of global memory, in the order of time over
 * all of them; among equals the lower-numbered Xe-core goes first. */
#ifndef VESIM_ANSWER_H
#define VESIM_ANSWER_H

#include "gpu/walk.h"

/* Gives every pending message of the Xe-cores its times, and each work-group the cycle at which
 * what its threads wrote is visible. Returns the first cycle of all at which one is done;
 * UINT64_MAX: there were none. */
uint64_t answer_messages(struct gpu *gpu);

/* Carries out the deferred transfers that were issued up to and with cycle `last`. */
void answer_transfers(struct gpu *gpu, uint64_t last);

#endif
