/* The tree in which the leaders of nodes stand below rank 0. */
#ifndef VEBENCH_RANK_TREE_H
#define VEBENCH_RANK_TREE_H

#include <stdint.h>

#define LEADERS_BELOW 16u /* of a leader */

/* Where rank 0's tree puts a leader: the index of the one above it; those below it begin at
 * `*first` and are `*count`, out of `leaders`. */
uint32_t tree_above(uint32_t leader);
void tree_below(uint32_t leader, uint32_t leaders, uint32_t *first, uint32_t *count);
/* Makes of the ranks of each leader's node those of it and of all leaders below it. */
void tree_sum(uint64_t *ranks, uint32_t leaders);

#endif
