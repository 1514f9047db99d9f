#include "clock/cache.h"

#include <stdlib.h>
#include <string.h>

int cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, uint32_t line_bytes)
{
    *cache = (struct cache){0};
    if (bytes == 0 || ways == 0)
        return 0;
    uint64_t sets = bytes / line_bytes / ways;
    cache->sets = sets ? (uint32_t)sets : 1;
    cache->ways = ways;
    cache->generation = 1;
    cache->lines = calloc((size_t)cache->sets * ways, sizeof(*cache->lines));
    return cache->lines ? 0 : -1;
}

void cache_release(struct cache *cache)
{
    free(cache->lines);
    *cache = (struct cache){0};
}

static struct cache_line *set_of(const struct cache *cache, uint64_t line)
{
    return cache->lines + line % cache->sets * cache->ways;
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
    for (uint32_t way = 0; way < cache->ways; way++)
        if (set[way].line == line && set[way].generation == cache->generation)
            return touch(set, way);
    return NULL;
}

struct cache_line *cache_peek(const struct cache *cache, uint64_t line)
{
    if (cache->sets == 0)
        return NULL;
    struct cache_line *set = set_of(cache, line);
    for (uint32_t way = 0; way < cache->ways; way++)
        if (set[way].line == line && set[way].generation == cache->generation)
            return &set[way];
    return NULL;
}

void cache_drop(struct cache *cache, uint64_t line)
{
    struct cache_line *cached = cache_peek(cache, line);
    if (cached)
        cached->generation = 0;
}

bool cache_insert(struct cache *cache, uint64_t line, uint64_t ready, bool dirty, uint64_t *victim)
{
    if (cache->sets == 0)
        return false;
    struct cache_line *set = set_of(cache, line), old = set[cache->ways - 1];
    touch(set, cache->ways - 1);
    set[0] = (struct cache_line){
        .line = line, .ready = ready, .generation = cache->generation, .dirty = dirty};
    *victim = old.line;
    return old.dirty && old.generation == cache->generation;
}

void cache_invalidate(struct cache *cache)
{
    /* Fences do this often: nothing is touched until the generations have been used up. */
    if (++cache->generation || !cache->sets)
        return;
    memset(cache->lines, 0, (size_t)cache->sets * cache->ways * sizeof(*cache->lines));
    cache->generation = 1;
}

uint64_t cache_clean(struct cache *cache)
{
    uint64_t dirty = 0;
    for (size_t i = 0; i < (size_t)cache->sets * cache->ways; i++) {
        dirty += cache->lines[i].dirty && cache->lines[i].generation == cache->generation;
        cache->lines[i].dirty = false;
    }
    return dirty;
}
