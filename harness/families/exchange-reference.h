/* Host reference for the kernels of family `exchange`. */
#ifndef VEBENCH_EXCHANGE_REFERENCE_H
#define VEBENCH_EXCHANGE_REFERENCE_H

#include "families/chain.h"

enum movement {
    MOVE_NONE,
    MOVE_BROADCAST,       /* from lane 3 */
    MOVE_BROADCAST_INDEX, /* from the lane given by the iteration */
    MOVE_SHUFFLE,         /* from any lane */
    MOVE_UP,              /* from the lane below, the first from the last */
    MOVE_DOWN,            /* from the lane above, the last from the first */
    MOVE_PAIRS,
    MOVE_REVERSE,
    VOTE_NONE, /* each lane by its own predicate */
    VOTE_ANY,
    VOTE_ALL,
};

/* Replaces each lane's x by its value after the iterations, zero-extended. One sub-group of `lanes`
 * lanes (a power of two, 4 to CHAIN_LANES_MAX) with values of `bits` bits. `source` is the lane
 * that each lane shuffles from. */
void exchange_reference(enum movement movement, unsigned bits, unsigned lanes, uint32_t iterations,
                        const uint32_t *source, struct chain_lane *lane);

#endif
