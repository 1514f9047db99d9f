/* Host threads that share work with the calling one. */
#ifndef VESIM_POOL_H
#define VESIM_POOL_H

#include <stdint.h>

enum { POOL_MAX_ITEMS = 1024 };

struct pool;

/* Executes item `item` of the job. */
typedef void (*pool_work)(void *context, uint32_t item);

/* Makes `helpers` threads (at least 1) in addition to the caller; fewer if the host refuses some.
 * NULL if it refuses all. */
struct pool *pool_create(unsigned helpers);
void pool_destroy(struct pool *pool);

/* Executes items 0 to `count` - 1 (at most POOL_MAX_ITEMS), each once, in any order and on any
 * thread; returns when all are done. Calls must neither nest nor run concurrently. Where possible
 * an item goes to the thread that executed it last time. */
void pool_run(struct pool *pool, pool_work work, void *context, uint32_t count);

#endif
