/* What the kernels of family `exchange` compute, worked out on the host. */
#ifndef VEBENCH_EXCHANGE_REFERENCE_H
#define VEBENCH_EXCHANGE_REFERENCE_H

#include <stdint.h>

#define EXCHANGE_LANES_MAX 32

/* Exchanges in sequence of one iteration. */
#define EXCHANGE_STEPS 4

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

/* One sub-group: its `lanes` (a power of two, 4 to EXCHANGE_LANES_MAX) values of `bits` bits. */
struct exchange_lane {
    uint64_t x, c, d, e; /* in the order of the kernel's buffer */
};

/* Replaces every lane's x by what it is after the iterations, zero-extended. `source` is where each
 * lane shuffles from. */
void exchange_reference(enum movement movement, unsigned bits, unsigned lanes, uint32_t iterations,
                        const uint32_t *source, struct exchange_lane *lane);

#endif
