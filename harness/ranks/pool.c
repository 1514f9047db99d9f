#include "ranks/pool.h"

struct wire_range pool_take(struct pool *pool, const struct wire_ask *ask, uint64_t all)
{
    uint64_t left = pool->end - pool->next;
    uint64_t count = (uint64_t)((double)left * (double)ask->ranks / (2.0 * (double)all));

    if (count < ask->waiting)
        count = ask->waiting;
    if (ask->ranks == 1)
        count = 1;
    if (count > left)
        count = left;
    pool->next += count;
    return (struct wire_range){pool->next - count, count};
}
