/* Tags of a set-associative cache with least-recently-used replacement. No data: the model keeps
 * memory coherent and asks the caches only how long an access takes. */
#ifndef VESIM_CACHE_H
#define VESIM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct cache_line {
    uint64_t line;       /* physical address / line size */
    uint64_t ready;      /* cycle at which its fill has arrived */
    uint32_t generation; /* the cache's, when it came in: another one means that it is not there */
    uint32_t written;    /* the cache's `cleaning` when last written: another one means clean */
};

struct cache {
    uint32_t sets, ways;      /* sets: 0 for a cache that is not there */
    uint64_t reciprocal;      /* of sets, in 1 / 2^64, rounded up */
    uint32_t generation;      /* goes up when the cache forgets everything, */
    uint32_t cleaning;        /* and this one when all lines are written back; both from 1 */
    uint64_t dirty;           /* lines that are not clean */
    struct cache_line *lines; /* sets x ways, most recently used first */
};

/* A cache of `bytes` with `ways`; bytes 0 makes one that never hits. 0, or -1: out of memory. */
int cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, uint32_t line_bytes);
void cache_release(struct cache *cache);

/* The line if it is cached (now most recently used), else NULL. */
struct cache_line *cache_find(struct cache *cache, uint64_t line);

/* The same without counting as a use. */
struct cache_line *cache_peek(const struct cache *cache, uint64_t line);

/* Puts a line in. Returns true, with the line number in `victim`, if a dirty line had to leave. */
bool cache_insert(struct cache *cache, uint64_t line, uint64_t ready, bool dirty, uint64_t *victim);

/* Marks a line that is cached dirty. */
void cache_write(struct cache *cache, struct cache_line *line);

/* Forgets the line if it is there. */
void cache_drop(struct cache *cache, uint64_t line);

/* Forgets everything. */
void cache_invalidate(struct cache *cache);

/* Marks all lines clean; returns how many were dirty. */
uint64_t cache_clean(struct cache *cache);

#endif
