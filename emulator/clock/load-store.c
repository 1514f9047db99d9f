#include "clock/load-store.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

int load_store_init(struct load_store *unit, const struct device *device,
                    struct memory_clock *memory)
{
    *unit = (struct load_store){.device = device, .memory = memory};
    return cache_init(&unit->l1, device->l1_bytes, (uint32_t)device->l1_ways,
                      (uint32_t)device->line_bytes);
}

void load_store_release(struct load_store *unit)
{
    cache_release(&unit->l1);
}

static uint64_t load_line(struct load_store *unit, const struct message *message, uint64_t line,
                          uint64_t start)
{
    uint64_t victim;
    if (!message->cached_l1 || unit->l1.sets == 0)
        return memory_read_line(unit->memory, line, start);
    struct cache_line *cached = cache_find(&unit->l1, line);
    if (cached) {
        count(&unit->counters, COUNTER_l1_hit_lines, 1);
        return later(start + unit->device->l1_hit_latency, cached->ready);
    }
    uint64_t ready = memory_read_line(unit->memory, line, start);
    cache_insert(&unit->l1, line, ready, false, &victim); /* written through: never dirty */
    return ready;
}

static void count_slm(struct load_store *unit, const struct access *access)
{
    uint64_t row = unit->device->slm_banks * 4, even = (access->bytes + row - 1) / row;
    count(&unit->counters, COUNTER_slm_messages, 1);
    count(&unit->counters, COUNTER_slm_bytes, access->bytes);
    count(&unit->counters, COUNTER_slm_busy_cycles, access->slm_cycles);
    if (even == 0)
        even = 1;
    if (access->slm_cycles > even) /* lanes that share a dword can take less than that */
        count(&unit->counters, COUNTER_slm_conflict_cycles, access->slm_cycles - even);
}

static struct message_times access_slm(struct load_store *unit, const struct message *message,
                                       const struct access *access, uint64_t now)
{
    uint64_t start = later(now, unit->free), cycles = access->slm_cycles;
    unit->free = start + cycles;
    count_slm(unit, access);
    uint64_t latency =
        message->lanes > 16 ? unit->device->slm_latency_simd32 : unit->device->slm_latency;
    uint64_t done = start + latency + cycles - 1;
    return (struct message_times){.source = start + cycles, .destination = done, .visible = done};
}

static void count_message(struct load_store *unit, const struct message *message,
                          const struct access *access, uint64_t now)
{
    static const uint8_t messages[] = {
        [MESSAGE_LOAD] = COUNTER_load_messages,
        [MESSAGE_STORE] = COUNTER_store_messages,
        [MESSAGE_ATOMIC] = COUNTER_atomic_messages,
    };
    static const uint8_t lines[] = {
        [MESSAGE_LOAD] = COUNTER_load_lines,
        [MESSAGE_STORE] = COUNTER_store_lines,
        [MESSAGE_ATOMIC] = COUNTER_atomic_lines,
    };
    count(&unit->counters, (enum counter)messages[message->kind], 1);
    count(&unit->counters, COUNTER_queue_cycles, later(now, unit->free) - now);
    if (message->base == BASE_SLM)
        return;
    count(&unit->counters, (enum counter)lines[message->kind], access->line_count);
    count(&unit->counters, COUNTER_global_bytes, access->bytes);
}

struct message_times load_store_access(struct load_store *unit, const struct message *message,
                                       const struct access *access, uint64_t now)
{
    count_message(unit, message, access, now);
    if (message->base == BASE_SLM)
        return access_slm(unit, message, access, now);
    uint64_t start = later(now, unit->free);
    struct message_times times = {.source = start + 1, .destination = start + 1, .visible = start};
    for (uint32_t i = 0; i < access->line_count; i++) {
        uint64_t done, line = access->lines[i];
        if (message->kind == MESSAGE_LOAD)
            done = load_line(unit, message, line, start);
        else if (message->kind == MESSAGE_STORE)
            done = memory_write_line(unit->memory, line, start);
        else
            done = memory_atomic_line(unit->memory, line, start);
        start += unit->device->l1_line_interval;
        times.source = start;
        times.visible = later(times.visible, done);
        if (message->returns)
            times.destination = later(times.destination, done);
    }
    if (access->line_count == 0) { /* no lane, or all out of bounds: the answer has to come */
        times.destination = start + unit->device->l1_hit_latency;
        start += unit->device->l1_line_interval;
        times.source = start;
    }
    if (!message->returns)
        times.destination = times.source;
    unit->free = start;
    return times;
}

uint64_t load_store_fence(struct load_store *unit, const struct message *message,
                          uint64_t slm_visible, uint64_t global_visible, uint64_t now)
{
    const struct device *device = unit->device;
    uint64_t start = later(now, unit->free);
    unit->free = start + 1;
    count(&unit->counters, COUNTER_fence_messages, 1);
    count(&unit->counters, COUNTER_queue_cycles, start - now);
    if (message->slm_fence)
        return later(start, slm_visible) + device->slm_fence_latency;
    if (message->typed_fence)
        return start + device->typed_fence_latency; /* typed accesses are not modelled */
    /* Evicting drops the whole first level: whoever loads next goes to the L3. */
    if (message->flush == FENCE_FLUSH_EVICT || message->flush == FENCE_FLUSH_INVALIDATE)
        cache_invalidate(&unit->l1);
    return later(start, global_visible) + device->lsc_fence_latency;
}
