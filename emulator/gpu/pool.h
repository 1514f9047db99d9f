/* Host threads that share work with the calling one. */
#ifndef VESIM_POOL_H
#define VESIM_POOL_H

#include <stdint.h>

enum { POOL_MAX_ITEMS = 1024 };

struct pool;

/* Does item `item` of `count`. */
typedef void (*pool_work)(void *context, uint32_t item);

/* `helpers` threads beside the caller, at least 1; fewer if the host refuses some. NULL if it
 * refuses all. */
struct pool *pool_create(unsigned helpers);
void pool_destroy(struct pool *pool);

/* Does items 0 to `count` - 1 (at most POOL_MAX_ITEMS), each once, in any order and on any thread;
 * returns when all are done. Calls neither nest nor run concurrently. Where possible an item goes
 * to the thread that had it the last time. */
void pool_run(struct pool *pool, pool_work work, void *context, uint32_t count);

#endif
