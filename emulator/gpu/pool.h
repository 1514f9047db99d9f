/* Host threads that share work with the one that asks. */
#ifndef VESIM_POOL_H
#define VESIM_POOL_H

#include <stdint.h>

enum { POOL_MAX_ITEMS = 1024 };

struct pool;

/* Work on item `item` of the `count`. */
typedef void (*pool_work)(void *context, uint32_t item);

/* `helpers` threads beside the caller, at least 1. Fewer if the host does not give them. NULL when
 * there is none. */
struct pool *pool_create(unsigned helpers);
void pool_destroy(struct pool *pool);

/* Does the work for items 0 to `count` - 1 (at most POOL_MAX_ITEMS), each once, in no order, some
 * of them on other threads; returns when all are done. Calls do not nest, and one thread at a time
 * makes them. Item i goes, if it can, to the thread that had item i of as many the last time. */
void pool_run(struct pool *pool, pool_work work, void *context, uint32_t count);

#endif
