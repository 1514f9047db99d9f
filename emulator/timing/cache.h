/* Tags of a set-associative cache, by default with least-recently-used replacement. No data: the
 * model keeps memory coherent and asks the caches only how long an access takes. */
#ifndef VESIM_CACHE_H
#define VESIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing/hash.h"
#include "timing/modulus.h"

struct cache_line {
    uint64_t line;       /* physical address / line size */
    uint64_t ready;      /* cycle at which its fill arrives */
    uint32_t generation; /* the cache's when it was filled; any other value: invalid */
    uint32_t written;    /* the cache's `cleaning` when last written; any other value: clean */
};

struct cache {
    uint32_t sets, ways;      /* sets: 0 for a cache that is not there */
    uint32_t ways_max;        /* of a set in `lines`, as many as there may be ways */
    bool scattered;           /* the set depends on more than a line's low bits */
    uint32_t random;          /* so many in a hundred lines that give way are any of their set, */
    uint64_t evictions;       /* as the number of those before says */
    struct modulus set_of;    /* a line: its number modulo the number of sets */
    uint32_t generation;      /* incremented when the whole cache is invalidated, */
    uint32_t cleaning;        /* and when all lines are written back; both from 1 */
    uint64_t dirty;           /* dirty lines */
    struct cache_line *lines; /* sets x ways, most recently used first */
};

/* A cache of `bytes` with `ways`; bytes 0 makes one that never hits. 0, or -1: out of memory. */
int cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, uint32_t line_bytes);
void cache_release(struct cache *cache);

/* The line if it is cached, now the most recently used; else NULL. */
static inline struct cache_line *cache_find(struct cache *cache, uint64_t line);

/* The same without counting as a use. */
static inline struct cache_line *cache_peek(const struct cache *cache, uint64_t line);

/* Fills a line. Returns true, with the line's number in `victim`, if a dirty line was evicted. */
bool cache_insert(struct cache *cache, uint64_t line, uint64_t ready, bool dirty, uint64_t *victim);

/* From now on, lines a multiple of the number of sets apart map to different sets. */
void cache_scatter(struct cache *cache);

/* From now on, of the lines that a full set gives up, `percent` are any of it, whatever their use,
 * and the others its least recently used. */
void cache_replace_at_random(struct cache *cache, uint32_t percent);

/* Uses only this many of its ways, at least 1. Invalidates the cache if that is a change. */
void cache_use_ways(struct cache *cache, uint32_t ways);

/* Marks a cached line dirty. */
void cache_write(struct cache *cache, struct cache_line *line);

/* Invalidates the line if it is cached. */
void cache_drop(struct cache *cache, uint64_t line);

/* Invalidates the cache. */
void cache_invalidate(struct cache *cache);

/* Marks all lines clean; returns how many were dirty. */
uint64_t cache_clean(struct cache *cache);

/* By how many sets a block of as many lines is turned: as if by chance, so that no stride meets the
 * same sets again and again. */
static inline uint64_t cache_turn(const struct cache *cache, uint64_t block)
{
    return (uint64_t)hash32((uint32_t)block) * cache->sets >> 32;
}

/* For the two inline functions below: most of the time a line is in the first way. */
static inline struct cache_line *cache_set(const struct cache *cache, uint64_t line)
{
    uint64_t block = modulus_quotient(cache->set_of, line);
    uint64_t set = line - block * cache->sets;

    if (cache->scattered) { /* permutes each block of lines, without conflicts inside it */
        set += cache_turn(cache, block);
        set -= set >= cache->sets ? cache->sets : 0;
    }
    return cache->lines + set * cache->ways_max;
}

static inline bool cache_is_line(const struct cache *cache, const struct cache_line *way,
                                 uint64_t line)
{
    return way->line == line && way->generation == cache->generation;
}

/* The line in any way but the first; NULL if none holds it. */
struct cache_line *cache_peek_further(const struct cache *cache, struct cache_line *set,
                                      uint64_t line);

/* Moves a way of a set to the front. */
struct cache_line *cache_touch(struct cache_line *set, struct cache_line *way);

static inline struct cache_line *cache_peek(const struct cache *cache, uint64_t line)
{
    if (cache->sets == 0)
        return NULL;
    struct cache_line *set = cache_set(cache, line);
    return cache_is_line(cache, set, line) ? set : cache_peek_further(cache, set, line);
}

static inline struct cache_line *cache_find(struct cache *cache, uint64_t line)
{
    if (cache->sets == 0)
        return NULL;
    struct cache_line *set = cache_set(cache, line);
    if (cache_is_line(cache, set, line))
        return set;
    struct cache_line *way = cache_peek_further(cache, set, line);
    return way ? cache_touch(set, way) : NULL;
}

#endif
