/* The variants of family `exchange`, for its run, its model and its report. */
#ifndef VEBENCH_EXCHANGE_VARIANTS_H
#define VEBENCH_EXCHANGE_VARIANTS_H

#include "families/chain/chain-variants.h"

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

struct exchange_variant {
    struct chain_variant chain;
    enum movement movement;
    unsigned bits; /* of a value */
};

enum { EXCHANGE_VARIANTS = 65 };

extern const struct variant exchange_variants[EXCHANGE_VARIANTS];

#endif
