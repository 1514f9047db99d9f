/* Host reference for the kernels of family `group_collective`. */
#ifndef VEBENCH_GROUP_COLLECTIVE_REFERENCE_H
#define VEBENCH_GROUP_COLLECTIVE_REFERENCE_H

#include "families/chain/chain.h"

enum group_operation {
    GROUP_NONE,
    GROUP_BROADCAST, /* from work-item GROUP_OWNER */
    GROUP_ADD,
    GROUP_MIN,
    GROUP_MAX,
    GROUP_OWN_VOTE,
    GROUP_ANY,
    GROUP_ALL,
};

#define GROUP_OWNER 3

/* Replaces x of each work-item of one work-group by its value after the iterations, 32 bits. The
 * `items` work-items, a power of two, repeat `lane[0 .. lanes - 1]`. */
void group_collective_reference(enum group_operation operation, unsigned items, unsigned lanes,
                                uint32_t iterations, struct chain_lane *lane);

#endif
