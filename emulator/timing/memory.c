#include "timing/memory.h"

#include <stdlib.h>
#include <string.h>

#include "isa/decode/message.h"

enum { FRACTION = 1024, FIRST_ROOM = 64 }; /* channel times are kept in fractions of a cycle */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

int memory_clock_init(struct memory_clock *memory, const struct device *device)
{
    memset(memory, 0, sizeof(*memory));
    memory->device = device;
    memory->banks = modulus_of((uint32_t)device->l3_banks);
    /* bytes / (MB/s) in cycles: bytes * kHz / (MB/s * 1000) */
    memory->line_cost =
        device->line_bytes * device->core_clock * FRACTION / (device->memory_bandwidth * 1000);
    if (memory->line_cost == 0)
        memory->line_cost = 1;
    memory->queue_room = FIRST_ROOM;
    memory->queue = malloc(FIRST_ROOM * sizeof(*memory->queue));
    return !memory->queue || cache_init(&memory->l3, device->l3_bytes, (uint32_t)device->l3_ways,
                                        (uint32_t)device->line_bytes)
               ? -1
               : 0;
}

void memory_clock_release(struct memory_clock *memory)
{
    cache_release(&memory->l3);
    free(memory->queue);
    memory->queue = NULL;
}

/* Takes the channels for one line; returns the cycle at which its transfer begins. */
static uint64_t take_channel(struct memory_clock *memory, uint64_t now)
{
    uint64_t start = later(now * FRACTION, memory->channel_free);
    memory->channel_free = start + memory->line_cost;
    return start / FRACTION;
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

/* A store that misses allocates its line without a fetch: bytes are masked. */
static uint64_t allocate_store(struct memory_clock *memory, uint64_t line, uint64_t start)
{
    uint64_t done = start + memory->device->l3_hit_latency;
    count(&memory->counters, COUNTER_allocated_lines, 1);
    allocate(memory, line, done, true, start);
    return done;
}

/* A bank works on a line at cycle `start`; returns when that is done. */
static uint64_t work(struct memory_clock *memory, const struct memory_request *request,
                     uint64_t start)
{
    const struct device *device = memory->device;
    struct cache_line *cached = cache_find(&memory->l3, request->line);
    if (request->kind == MESSAGE_ATOMIC) /* the last pass gives the answer */
        start += device->atomic_interval * (request->passes - 1u);
    if (!cached)
        return request->kind == MESSAGE_STORE
                   ? allocate_store(memory, request->line, start)
                   : fill(memory, request->line, start, request->kind == MESSAGE_ATOMIC);
    count(&memory->counters, COUNTER_l3_hit_lines, 1);
    if (request->kind != MESSAGE_LOAD)
        cache_write(&memory->l3, cached);
    if (request->kind == MESSAGE_STORE)
        return start + device->l3_hit_latency;
    return later(start + device->l3_hit_latency, cached->ready);
}

static bool before(const struct memory_request *a, const struct memory_request *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static bool push(struct memory_clock *memory, const struct memory_request *request)
{
    if (memory->queued == memory->queue_room) {
        struct memory_request *grown =
            realloc(memory->queue, 2 * memory->queue_room * sizeof(*grown));
        if (!grown)
            return false;
        memory->queue = grown;
        memory->queue_room *= 2;
    }
    uint32_t at = memory->queued++;
    for (; at && before(request, &memory->queue[(at - 1) / 2]); at = (at - 1) / 2)
        memory->queue[at] = memory->queue[(at - 1) / 2];
    memory->queue[at] = *request;
    return true;
}

static struct memory_request pop(struct memory_clock *memory)
{
    struct memory_request *queue = memory->queue, first = queue[0], last = queue[--memory->queued];
    uint32_t at = 0, child;
    for (; (child = 2 * at + 1) < memory->queued; at = child) {
        child += child + 1 < memory->queued && before(&queue[child + 1], &queue[child]);
        if (before(&last, &queue[child]))
            break;
        queue[at] = queue[child];
    }
    queue[at] = last;
    return first;
}

/* The bank of a line: the digits of its number to the base of the banks, summed with odd weights.
 * Neighbours lie in different banks, and so do lines a power of the number of banks apart. */
static uint32_t bank_of(const struct memory_clock *memory, uint64_t line)
{
    uint64_t sum = 0;
    for (uint32_t weight = 1; weight < 9; weight += 2) {
        uint64_t rest = modulus_quotient(memory->banks, line);
        sum += weight * (line - rest * memory->banks.number);
        line = rest;
    }
    return (uint32_t)modulus_rest(memory->banks, sum);
}

bool memory_arrive(struct memory_clock *memory, struct memory_request *request, uint64_t *done)
{
    const struct device *device = memory->device;
    uint64_t *free = &memory->bank_free[bank_of(memory, request->line) % MEMORY_MAX_BANKS];
    uint64_t arrival = request->time;
    request->time = later(arrival, *free);
    request->order = memory->arrived++;
    *free = request->time +
            (request->kind == MESSAGE_ATOMIC ? device->atomic_interval * request->passes : 1);
    if ((request->time > arrival || memory_next(memory) <= arrival) && push(memory, request))
        return false;
    *done = work(memory, request, request->time);
    return true;
}

uint64_t memory_serve(struct memory_clock *memory, struct memory_request *request)
{
    *request = pop(memory);
    return work(memory, request, request->time);
}

void memory_clear(struct memory_clock *memory)
{
    memory->queued = 0;
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
