#include "timing/cache.h"

#include <stdlib.h>
#include <string.h>

#include "timing/hash.h"

int cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, uint32_t line_bytes)
{
    *cache = (struct cache){0};
    if (bytes == 0 || ways == 0)
        return 0;
    uint64_t sets = bytes / line_bytes / ways;
    cache->sets = sets ? (uint32_t)sets : 1;
    cache->ways = cache->ways_max = ways;
    cache->set_of = modulus_of(cache->sets);
    cache->generation = cache->cleaning = 1;
    cache->lines = calloc((size_t)cache->sets * ways, sizeof(*cache->lines));
    return cache->lines ? 0 : -1;
}

void cache_release(struct cache *cache)
{
    free(cache->lines);
    *cache = (struct cache){0};
}

struct cache_line *cache_peek_further(const struct cache *cache, struct cache_line *set,
                                      uint64_t line)
{
    for (struct cache_line *way = set + 1; way < set + cache->ways; way++)
        if (cache_is_line(cache, way, line))
            return way;
    return NULL;
}

struct cache_line *cache_touch(struct cache_line *set, struct cache_line *way)
{
    struct cache_line line = *way;

    memmove(set + 1, set, (size_t)(way - set) * sizeof(*set));
    set[0] = line;
    return set;
}

void cache_scatter(struct cache *cache)
{
    cache->scattered = true;
}

void cache_replace_at_random(struct cache *cache, uint32_t percent)
{
    cache->random = percent;
}

void cache_use_ways(struct cache *cache, uint32_t ways)
{
    if (!cache->sets || ways == cache->ways)
        return;
    cache->ways = ways < 1 ? 1 : ways > cache->ways_max ? cache->ways_max : ways;
    cache_invalidate(cache);
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

/* The way that a line takes: one without a line, any, or the least recently used. */
static struct cache_line *way_given_up(struct cache *cache, struct cache_line *set)
{
    for (struct cache_line *way = set + cache->ways; way-- > set;)
        if (way->generation != cache->generation)
            return way;
    uint64_t drawn = hash64(cache->evictions++);
    uint32_t way = drawn % 100 < cache->random ? drawn / 100 % cache->ways : cache->ways - 1;
    return set + way;
}

bool cache_insert(struct cache *cache, uint64_t line, uint64_t ready, bool dirty, uint64_t *victim)
{
    if (cache->sets == 0)
        return false;
    struct cache_line *set = cache_set(cache, line), *way = set + cache->ways - 1;
    if (cache->random)
        way = way_given_up(cache, set);
    struct cache_line old = *way;
    cache_touch(set, way);
    set[0] = (struct cache_line){.line = line, .ready = ready, .generation = cache->generation};
    if (dirty)
        cache_write(cache, &set[0]);
    *victim = old.line;
    cache->dirty -= is_dirty(cache, &old);
    return is_dirty(cache, &old);
}

void cache_invalidate(struct cache *cache)
{
    /* Fences do this often: a generation counter makes it free until it wraps. */
    cache->dirty = 0;
    if (++cache->generation || !cache->sets)
        return;
    memset(cache->lines, 0, (size_t)cache->sets * cache->ways_max * sizeof(*cache->lines));
    cache->generation = 1;
}

uint64_t cache_clean(struct cache *cache)
{
    uint64_t dirty = cache->dirty;

    cache->dirty = 0;
    if (++cache->cleaning || !cache->sets)
        return dirty;
    for (size_t i = 0; i < (size_t)cache->sets * cache->ways_max; i++)
        cache->lines[i].written = 0;
    cache->cleaning = 1;
    return dirty;
}
