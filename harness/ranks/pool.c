#include "ranks/pool.h"

uint64_t pool_left(const struct pool *pool)
{
    return pool->now.count + pool->then.count;
}

bool pool_is_low(const struct pool *pool, uint64_t all)
{
    return !pool->is_dry && pool->then.count == 0 && pool->now.count < all;
}

void pool_add(struct pool *pool, struct wire_range range)
{
    if (range.count == 0)
        pool->is_dry = true;
    else if (pool->now.count == 0)
        pool->now = range;
    else
        pool->then = range;
}

struct wire_range pool_take(struct pool *pool, const struct wire_ask *ask, uint64_t all)
{
    uint64_t share = (uint64_t)((double)pool_left(pool) * (double)ask->ranks / (double)all);
    uint64_t count = share / 2;

    if (count < ask->ranks)
        count = pool->is_dry && share < ask->ranks ? share : ask->ranks;
    if (count < ask->waiting)
        count = ask->waiting;
    if (ask->ranks == 1)
        count = 1;
    if (pool->now.count == 0) {
        pool->now = pool->then;
        pool->then.count = 0;
    }
    if (count > pool->now.count)
        count = pool->now.count;
    const struct wire_range taken = {pool->now.first, count};
    pool->now.first += count;
    pool->now.count -= count;
    return taken;
}
