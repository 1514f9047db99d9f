/* What a member has to deal out: a range of numbers that the one above it has given it. */
#ifndef VEBENCH_POOL_H
#define VEBENCH_POOL_H

#include "ranks/messages.h"

struct pool {
    uint64_t next, end;
    bool is_dry; /* there is no more above */
};

/* Takes out a part for somebody with `ask->ranks` ranks, out of `all`: half of their share, but one
 * for each that waits, and one only for a rank alone. So those who ask ask seldom at first, and at
 * the end nobody has much more left than others. Count 0: it is empty. */
struct wire_range pool_take(struct pool *pool, const struct wire_ask *ask, uint64_t all);

#endif
