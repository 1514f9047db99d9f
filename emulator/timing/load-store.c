#include "timing/load-store.h"

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
    pending_release(&unit->pending);
}

/* A line that somebody has to answer; `brought` is the index of the one that brings it. */
static uint64_t defer(struct load_store *unit, uint64_t line, uint64_t start, uint32_t brought,
                      bool fills)
{
    struct pending_line *pending = pending_add_line(&unit->pending);
    if (!pending) {
        unit->failed = true;
        return start;
    }
    *pending =
        (struct pending_line){.line = line, .start = start, .brought = brought, .fills = fills};
    return TIME_PENDING;
}

static uint64_t load_line(struct load_store *unit, const struct message *message, uint64_t line,
                          uint64_t start)
{
    uint64_t victim, ready;
    bool cached = message->cached_l1 && unit->l1.sets;
    struct cache_line *known = cached ? cache_find(&unit->l1, line) : NULL;
    if (known) {
        count(&unit->counters, COUNTER_l1_hit_lines, 1);
        if (known->ready & LINE_PENDING)
            return defer(unit, line, start, (uint32_t)known->ready, false);
        return later(start + unit->device->l1_hit_latency, known->ready);
    }
    uint32_t index = unit->pending.line_count;
    if (unit->defers)
        ready = defer(unit, line, start, index, cached);
    else
        ready = memory_read_line(unit->memory, line, start);
    if (cached) /* written through: never dirty */
        cache_insert(&unit->l1, line, unit->defers ? LINE_PENDING | index : ready, false, &victim);
    return ready;
}

/* A line of a store or an atomic. Atomics work in the L3: what the first level holds is old. */
static uint64_t write_line(struct load_store *unit, const struct message *message, uint64_t line,
                           uint8_t passes, uint64_t start)
{
    if (message->kind == MESSAGE_ATOMIC)
        cache_drop(&unit->l1, line);
    if (unit->defers) {
        uint64_t done = defer(unit, line, start, unit->pending.line_count, false);
        if (done == TIME_PENDING)
            unit->pending.lines[unit->pending.line_count - 1].passes = passes;
        return done;
    }
    return message->kind == MESSAGE_STORE ? memory_write_line(unit->memory, line, start)
                                          : memory_atomic_line(unit->memory, line, start, passes);
}

static void count_slm(struct load_store *unit, const struct message_access *access)
{
    count(&unit->counters, COUNTER_slm_messages, 1);
    count(&unit->counters, COUNTER_slm_bytes, access->bytes);
    count(&unit->counters, COUNTER_slm_busy_cycles, access->slm_cycles);
    if (access->slm_cycles <= 1)
        return;
    uint64_t row = unit->device->slm_banks * 4, even = (access->bytes + row - 1) / row;
    if (even == 0)
        even = 1;
    if (access->slm_cycles > even) /* lanes that share a dword can take less than that */
        count(&unit->counters, COUNTER_slm_conflict_cycles, access->slm_cycles - even);
}

static struct message_times access_slm(struct load_store *unit, const struct message *message,
                                       const struct message_access *access, uint64_t now)
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
                          const struct message_access *access, uint64_t now)
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

/* Some of the message's lines, from `first` on, are pending. */
static void defer_message(struct load_store *unit, const struct message *message, uint32_t first,
                          uint64_t now, struct message_times *times)
{
    struct pending_message *pending = pending_add_message(&unit->pending);
    if (!pending) {
        unit->failed = true;
        return;
    }
    *pending = (struct pending_message){
        .time = now,
        .destination = times->destination,
        .visible = times->visible,
        .first_line = first,
        .line_count = unit->pending.line_count - first,
        .kind = message->kind,
        .token = NO_TOKEN,
        .returns = message->returns,
    };
    times->visible = TIME_PENDING;
    if (message->returns)
        times->destination = TIME_PENDING;
}

struct message_times load_store_access(struct load_store *unit, const struct message *message,
                                       const struct message_access *access, uint64_t now)
{
    count_message(unit, message, access, now);
    if (message->base == BASE_SLM)
        return access_slm(unit, message, access, now);
    uint64_t start = later(now, unit->free);
    uint32_t first_pending = unit->pending.line_count;
    struct message_times times = {.source = start + 1, .destination = start + 1, .visible = start};
    for (uint32_t i = 0; i < access->line_count; i++) {
        uint64_t line = access->lines[i];
        uint64_t done = message->kind == MESSAGE_LOAD
                            ? load_line(unit, message, line, start)
                            : write_line(unit, message, line, access->passes[i], start);
        start += unit->device->l1_line_interval;
        times.source = start;
        if (done == TIME_PENDING)
            continue;
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
    if (unit->pending.line_count > first_pending)
        defer_message(unit, message, first_pending, now, &times);
    return times;
}

void load_store_settle(struct load_store *unit)
{
    struct pending *pending = &unit->pending;
    for (uint32_t i = 0; i < pending->line_count; i++) {
        const struct pending_line *line = &pending->lines[i];
        struct cache_line *cached = line->fills ? cache_peek(&unit->l1, line->line) : NULL;
        if (cached && cached->ready == (LINE_PENDING | i)) /* and not gone, or gone and back */
            cached->ready = line->done;
    }
    pending->line_count = pending->message_count = 0;
}

/* The fence waits for messages that are pending. */
static uint64_t defer_fence(struct load_store *unit, const struct message *message, uint64_t now,
                            uint64_t start)
{
    struct pending_message *pending = pending_add_message(&unit->pending);
    if (!pending) {
        unit->failed = true;
        return start;
    }
    *pending = (struct pending_message){
        .time = now, .destination = start, .kind = message->kind, .token = NO_TOKEN};
    return TIME_PENDING;
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
    if (global_visible == TIME_PENDING)
        return defer_fence(unit, message, now, start);
    return later(start, global_visible) + device->lsc_fence_latency;
}
