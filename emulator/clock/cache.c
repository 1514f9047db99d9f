#include "clock/cache.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

int cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, uint32_t line_bytes)
{
    *cache = (struct cache){0};
    if (bytes == 0 || ways == 0)
        return 0;
    uint64_t sets = bytes / line_bytes / ways;
    cache->sets = sets ? (uint32_t)sets : 1;
    cache->ways = ways;
    cache->reciprocal = UINT64_MAX / cache->sets + 1;
    cache->generation = cache->cleaning = 1;
    cache->lines = calloc((size_t)cache->sets * ways, sizeof(*cache->lines));
    return cache->lines ? 0 : -1;
}

void cache_release(struct cache *cache)
{
    free(cache->lines);
    *cache = (struct cache){0};
}

/* The line's number modulo the number of sets, exact below 2^64 over that number. */
static struct cache_line *set_of(const struct cache *cache, uint64_t line)
{
    if (cache->sets == 1)
        return cache->lines;
    uint64_t quotient = (uint64_t)((uint128)line * cache->reciprocal >> 64);
    return cache->lines + (line - quotient * cache->sets) * cache->ways;
}

/* The way that holds the line; `ways` if none does. */
static uint32_t find_way(const struct cache *cache, const struct cache_line *set, uint64_t line)
{
    uint32_t way = 0;
    while (way < cache->ways && (set[way].line != line || set[way].generation != cache->generation))
        way++;
    return way;
}

/* Moves way `way` of a set to the front. */
static struct cache_line *touch(struct cache_line *set, uint32_t way)
{
    struct cache_line line = set[way];
    memmove(set + 1, set, way * sizeof(*set));
    set[0] = line;
    return set;
}

struct cache_line *cache_find(struct cache *cache, uint64_t line)
{
    if (cache->sets == 0)
        return NULL;
    struct cache_line *set = set_of(cache, line);
    uint32_t way = find_way(cache, set, line);
    if (way == 0)
        return set;
    return way < cache->ways ? touch(set, way) : NULL;
}

struct cache_line *cache_peek(const struct cache *cache, uint64_t line)
{
    if (cache->sets == 0)
        return NULL;
    struct cache_line *set = set_of(cache, line);
    uint32_t way = find_way(cache, set, line);
    return way < cache->ways ? &set[way] : NULL;
}

static bool is_dirty(const struct cache *cache, const struct cache_line *line)
{
    return line->written == cache->cleaning && line->generation == cache->generation;
}

void cache_write(struct cache *cache, struct cache_line *line)
{
    cache->dirty += !is_dirty(cache, line);
    line->written = cache->cleaning;
}

void cache_drop(struct cache *cache, uint64_t line)
{
    struct cache_line *cached = cache_peek(cache, line);
    if (!cached)
        return;
    cache->dirty -= is_dirty(cache, cached);
    cached->generation = 0;
}

bool cache_insert(struct cache *cache, uint64_t line, uint64_t ready, bool dirty, uint64_t *victim)
{
    if (cache->sets == 0)
        return false;
    struct cache_line *set = set_of(cache, line), old = set[cache->ways - 1];
    touch(set, cache->ways - 1);
    set[0] = (struct cache_line){.line = line, .ready = ready, .generation = cache->generation};
    if (dirty)
        cache_write(cache, &set[0]);
    *victim = old.line;
    cache->dirty -= is_dirty(cache, &old);
    return is_dirty(cache, &old);
}

void cache_invalidate(struct cache *cache)
{
    /* Fences do this often: nothing is touched until the generations have been used up. */
    cache->dirty = 0;
    if (++cache->generation || !cache->sets)
        return;
    memset(cache->lines, 0, (size_t)cache->sets * cache->ways * sizeof(*cache->lines));
    cache->generation = 1;
}

uint64_t cache_clean(struct cache *cache)
{
    uint64_t dirty = cache->dirty;
    cache->dirty = 0;
    if (++cache->cleaning || !cache->sets)
        return dirty;
    for (size_t i = 0; i < (size_t)cache->sets * cache->ways; i++)
        cache->lines[i].written = 0;
    cache->cleaning = 1;
    return dirty;
}
