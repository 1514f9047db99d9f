/* What the kernels of family `exchange` compute, worked out on the host. */
#ifndef VEBENCH_EXCHANGE_REFERENCE_H
#define VEBENCH_EXCHANGE_REFERENCE_H

#include "families/chain.h"

enum movement {
    MOVE_NONE,
    MOVE_BROADCAST,       /* of lane 3 */
    MOVE_BROADCAST_INDEX, /* of the lane that the iteration names */
    MOVE_SHUFFLE,         /* from any lane */
    MOVE_UP,              /* from the lane below, the first from the last */
    MOVE_DOWN,            /* from the lane above, the last from the first */
    MOVE_PAIRS,
    MOVE_REVERSE,
    VOTE_NONE, /* each lane by its own predicate */
    VOTE_ANY,
    VOTE_ALL,
};

/* Replaces every lane's x by what it is after the iterations, zero-extended. One sub-group of
 * `lanes` lanes (a power of two, 4 to CHAIN_LANES_MAX), values of `bits` bits. `source` is where
 * each lane shuffles from. */
void exchange_reference(enum movement movement, unsigned bits, unsigned lanes, uint32_t iterations,
                        const uint32_t *source, struct chain_lane *lane);

#endif
