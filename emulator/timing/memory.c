#include "timing/memory.h"

#include <string.h>

enum { FRACTION = 1024 }; /* channel times are kept in fractions of a cycle */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

int memory_clock_init(struct memory_clock *memory, const struct device *device)
{
    memset(memory, 0, sizeof(*memory));
    memory->device = device;
    memory->bank_of = modulus_of((uint32_t)device->l3_banks);
    /* bytes / (MB/s) in cycles: bytes * kHz / (MB/s * 1000) */
    memory->line_cost =
        device->line_bytes * device->core_clock * FRACTION / (device->memory_bandwidth * 1000);
    if (memory->line_cost == 0)
        memory->line_cost = 1;
    return cache_init(&memory->l3, device->l3_bytes, (uint32_t)device->l3_ways,
                      (uint32_t)device->line_bytes);
}

void memory_clock_release(struct memory_clock *memory)
{
    cache_release(&memory->l3);
}

/* Takes the channels for one line; returns the cycle at which its transfer begins. */
static uint64_t take_channel(struct memory_clock *memory, uint64_t now)
{
    uint64_t start = later(now * FRACTION, memory->channel_free);
    memory->channel_free = start + memory->line_cost;
    return start / FRACTION;
}

/* Takes the line's bank for `interval` cycles; returns the cycle at which it does. */
static uint64_t take_bank(struct memory_clock *memory, uint64_t line, uint64_t now,
                          uint64_t interval)
{
    uint64_t *free = &memory->bank_free[modulus_rest(memory->bank_of, line) % MEMORY_MAX_BANKS];
    uint64_t start = later(now, *free);
    *free = start + interval;
    return start;
}

/* Puts a line into the cache; a dirty one that has to leave takes the channels from `now` on. */
static void allocate(struct memory_clock *memory, uint64_t line, uint64_t ready, bool dirty,
                     uint64_t now)
{
    uint64_t victim;
    if (!cache_insert(&memory->l3, line, ready, dirty, &victim))
        return;
    take_channel(memory, now);
    count(&memory->counters, COUNTER_written_back_lines, 1);
}

/* Fetches a missing line from memory; returns when it is there. */
static uint64_t fill(struct memory_clock *memory, uint64_t line, uint64_t start, bool dirty)
{
    uint64_t ready = take_channel(memory, start) + memory->device->memory_latency;
    count(&memory->counters, COUNTER_memory_lines, 1);
    allocate(memory, line, ready, dirty, start);
    return ready;
}

uint64_t memory_read_line(struct memory_clock *memory, uint64_t line, uint64_t now)
{
    uint64_t start = take_bank(memory, line, now, 1);
    struct cache_line *cached = cache_find(&memory->l3, line);
    if (!cached)
        return fill(memory, line, start, false);
    count(&memory->counters, COUNTER_l3_hit_lines, 1);
    return later(start + memory->device->l3_hit_latency, cached->ready);
}

uint64_t memory_write_line(struct memory_clock *memory, uint64_t line, uint64_t now)
{
    uint64_t start = take_bank(memory, line, now, 1);
    struct cache_line *cached = cache_find(&memory->l3, line);
    uint64_t done = start + memory->device->l3_hit_latency;
    if (cached) {
        count(&memory->counters, COUNTER_l3_hit_lines, 1);
        cache_write(&memory->l3, cached);
    } else {
        count(&memory->counters, COUNTER_allocated_lines, 1);
        allocate(memory, line, done, true, start); /* no fetch: bytes are masked */
    }
    return done;
}

uint64_t memory_atomic_line(struct memory_clock *memory, uint64_t line, uint64_t now,
                            uint32_t passes)
{
    uint64_t interval = memory->device->atomic_interval;
    uint64_t start = take_bank(memory, line, now, interval * passes) + interval * (passes - 1);
    struct cache_line *cached = cache_find(&memory->l3, line);
    if (!cached)
        return fill(memory, line, start, true);
    count(&memory->counters, COUNTER_l3_hit_lines, 1);
    cache_write(&memory->l3, cached);
    return later(start + memory->device->l3_hit_latency, cached->ready);
}

uint64_t memory_write_back(struct memory_clock *memory, uint64_t now)
{
    uint64_t dirty = cache_clean(&memory->l3);
    return memory_stream(memory, dirty * memory->device->line_bytes, now);
}

uint64_t memory_stream(struct memory_clock *memory, uint64_t bytes, uint64_t now)
{
    uint64_t lines = (bytes + memory->device->line_bytes - 1) / memory->device->line_bytes;
    if (lines == 0)
        return now;
    uint64_t start = later(now * FRACTION, memory->channel_free);
    memory->channel_free = start + lines * memory->line_cost;
    return (memory->channel_free + FRACTION - 1) / FRACTION;
}
