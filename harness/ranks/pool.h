/* What a member has to deal out: ranges of numbers that the one above it has given it, each behind
 * the ones before. */
#ifndef VEBENCH_POOL_H
#define VEBENCH_POOL_H

#include "ranks/messages.h"

struct pool {
    struct wire_range now, then; /* the second is for when the first is used up */
    bool is_dry;                 /* there is no more above */
};

/* Takes out a part for somebody with `ask->ranks` ranks, out of `all`: half of their share, but at
 * least one for each of them, so that they ask seldom and not for single ones; a rank alone gets
 * one. If there is no more above, no more than their share, so that at the end nobody has much more
 * left than others, but one for each that waits. Count 0: it is empty. */
struct wire_range pool_take(struct pool *pool, const struct wire_ask *ask, uint64_t all);

/* Adds a range; an empty one says that there is no more. */
void pool_add(struct pool *pool, struct wire_range range);

uint64_t pool_left(const struct pool *pool);

/* Should more be asked for, so that it comes before this is used up? */
bool pool_is_low(const struct pool *pool, uint64_t all);

#endif
