/* Where a rank of MPI stands in the tree of members (ranks/member.h). */
#ifndef VEBENCH_MPI_PLACE_H
#define VEBENCH_MPI_PLACE_H

#include "ranks/member.h"

struct standing {
    struct member_place place; /* `below` and `below_ranks` are owned */
    int local_rank, local_count;
    int *watched; /* of a leader: descriptors that tell when the rank in place.below[i] ends, for
                     the ranks of its node; owned */
    uint32_t watched_count;
};

/* All ranks call this at once. */
void standing_find(struct standing *standing);
void standing_free(struct standing *standing);

#endif
