#include "ranks/tree.h"

uint32_t tree_above(uint32_t leader)
{
    return (leader - 1) / LEADERS_BELOW;
}

void tree_below(uint32_t leader, uint32_t leaders, uint32_t *first, uint32_t *count)
{
    uint64_t begin = (uint64_t)leader * LEADERS_BELOW + 1, end = begin + LEADERS_BELOW;

    end = end < leaders ? end : leaders;
    *first = (uint32_t)begin;
    *count = begin < end ? (uint32_t)(end - begin) : 0;
}

void tree_sum(uint64_t *ranks, uint32_t leaders)
{
    for (uint32_t i = leaders; i-- > 1;)
        ranks[tree_above(i)] += ranks[i];
}
