#include "timing/load-store.h"

#include <stdlib.h>
#include <string.h>

#include "timing/load-store-hit.h"

int load_store_init(struct load_store *unit, const struct vesim_device *device)
{
    const uint64_t ports = device->l1_ports, banks = device->slm_banks;

    *unit = (struct load_store){.device = device, .shares = {ports * banks, banks, ports}};
    if (mshr_init(&unit->mshr, (uint32_t)device->l1_mshrs) ||
        cache_init(&unit->tlb, device->tlb_entries, (uint32_t)device->tlb_ways, 1) ||
        (device->l1_tlb_miss_latency &&
         cache_init(&unit->l1_tlb, device->l1_tlb_entries, (uint32_t)device->l1_tlb_entries, 1)))
        return -1;
    cache_scatter(&unit->tlb);
    if (device->tlb_page_bytes > device->line_bytes)
        unit->line_page_shift =
            (unsigned)__builtin_ctzll(device->tlb_page_bytes / device->line_bytes);
    if (cache_init(&unit->l1, device->l1_bytes, (uint32_t)device->l1_ways,
                   (uint32_t)device->line_bytes))
        return -1;
    return 0;
}

void load_store_share(struct load_store *unit, bool slm)
{
    const struct vesim_device *device = unit->device;
    uint64_t bytes = slm ? device->l1_bytes_beside_slm : device->l1_bytes;

    if (device->l1_bytes)
        cache_use_ways(&unit->l1, (uint32_t)(device->l1_ways * bytes / device->l1_bytes));
}

static struct held_message *held_at(struct load_store *unit, uint32_t index)
{
    return &unit->held[(unit->held_first + index) % LOAD_STORE_MAX_HELD];
}

static void drop_first_held(struct load_store *unit)
{
    struct held_message *held = held_at(unit, 0);

    free(held->lines);
    free(held->passes);
    *held = (struct held_message){0};
    unit->held_first = (unit->held_first + 1) % LOAD_STORE_MAX_HELD;
    unit->held_count--;
}

void load_store_clear(struct load_store *unit)
{
    while (unit->held_count)
        drop_first_held(unit);
    mshr_clear(&unit->mshr);
    cache_invalidate(&unit->l1); /* it may name lines that are no longer in flight */
}

void load_store_invalidate_tlb(struct load_store *unit)
{
    cache_invalidate(&unit->tlb);
    cache_invalidate(&unit->l1_tlb);
}

void load_store_release(struct load_store *unit)
{
    while (unit->held_count)
        drop_first_held(unit);
    cache_release(&unit->l1);
    cache_release(&unit->tlb);
    cache_release(&unit->l1_tlb);
    mshr_release(&unit->mshr);
}

/* A message on its way through the unit. */
struct passage {
    struct load_store *unit;
    const struct message *message;
    uint64_t time;   /* of its issue */
    uint64_t start;  /* cycle at which the unit takes its next line */
    uint32_t number; /* of its entry in the registers, */
    bool entered;    /* if it has one */
    bool partial;    /* it has less bytes than its lines */
    struct message_times times;
};

static struct miss_message *enter(struct passage *p)
{
    struct mshr *mshr = &p->unit->mshr;

    if (p->entered)
        return mshr_message(mshr, p->number);
    struct miss_message *entry = mshr_add_message(mshr);
    if (!entry) {
        p->unit->failed = true;
        return NULL;
    }
    p->number = mshr->end_message - 1;
    p->entered = true;
    *entry = (struct miss_message){.time = p->time,
                                   .kind = p->message->kind,
                                   .token = NO_TOKEN,
                                   .returns = p->message->returns};
    return entry;
}

/* Adds a miss. `fills`: the line goes into the first level. */
static struct miss *add_miss(struct passage *p, uint64_t line, bool fills)
{
    struct mshr *mshr = &p->unit->mshr;
    struct miss_message *entry = enter(p);
    struct miss *miss = entry ? mshr_add_miss(mshr) : NULL;

    if (!miss) {
        p->unit->failed = true;
        return NULL;
    }
    uint32_t number = mshr->end_miss - 1;
    *miss =
        (struct miss){.line = line,
                      .start = p->start,
                      .done = TIME_PENDING,
                      .message = p->number,
                      .hit_latency = (uint32_t)load_store_hit_latency(p->unit->device, p->message),
                      .brought = number,
                      .kind = p->message->kind,
                      .fills = fills};
    if (entry->count++ == 0)
        entry->first = number;
    entry->outstanding++;
    return miss;
}

/* Cycles until a TLB knows the page. One that it lacks takes `latency` from now on, whether or not
 * others are on their way. */
static uint32_t look_up(struct cache *tlb, uint64_t page, uint64_t now, uint64_t latency,
                        bool *lacks)
{
    const struct cache_line *known = cache_find(tlb, page);
    uint64_t victim;

    *lacks = !known;
    if (known)
        return known->ready > now ? (uint32_t)(known->ready - now) : 0;
    cache_insert(tlb, page, now + latency, false, &victim);
    return (uint32_t)latency;
}

/* Cycles until the translation of a line's page is known: by the first TLB, and then by the one
 * behind it. */
static uint32_t translate(struct load_store *unit, uint64_t line, uint64_t start)
{
    const struct vesim_device *device = unit->device;
    uint64_t page = line >> unit->line_page_shift;
    uint32_t first = 0;
    bool lacks;

    if (!unit->tlb.sets)
        return 0;
    if (unit->l1_tlb.sets)
        first = look_up(&unit->l1_tlb, page, start, device->l1_tlb_miss_latency, &lacks);
    uint32_t second = look_up(&unit->tlb, page, start + first, device->tlb_miss_latency, &lacks);
    if (lacks)
        count(&unit->counters, COUNTER_tlb_misses, 1);
    return first + second;
}

/* The line that the unit has just taken waits for a register: the unit takes it again at
 * `p->start`. */
static void take_again(struct passage *p)
{
    p->unit->taken = 0;
    p->start = load_store_take_line(p->unit, p->start);
}

/* The same, for the L3 to serve: allocates a register. A message whose first line has got one is
 * sent as a whole. */
static struct miss *send_to_l3(struct passage *p, uint64_t line, bool fills)
{
    struct mshr *mshr = &p->unit->mshr;
    uint64_t free = mshr->free[mshr->next];

    if (free != TIME_PENDING && free > p->start) {
        p->start = free;
        take_again(p);
    }
    struct miss *miss = add_miss(p, line, fills);
    if (!miss)
        return NULL;
    miss->translation = translate(p->unit, line, p->start);
    miss->holder = mshr->next;
    mshr->free[mshr->next] = TIME_PENDING;
    mshr->next = mshr->next + 1 < mshr->registers ? mshr->next + 1 : 0;
    return miss;
}

/* The line is on its way to the first level. */
static inline void wait_for(struct passage *p, uint64_t line, const struct cache_line *known)
{
    count(&p->unit->counters, COUNTER_l1_hit_lines, 1);
    struct miss *miss = add_miss(p, line, false);
    if (miss)
        miss->brought = (uint32_t)known->ready;
}

/* Returns when the line is ready; TIME_PENDING if it is in flight. */
static uint64_t load_line(struct passage *p, uint64_t line)
{
    struct load_store *unit = p->unit;
    bool cached = load_store_caches(unit, p->message);
    struct cache_line *known = load_store_known(unit, p->message, line);

    if (known && !(known->ready & LINE_PENDING))
        return load_store_hit_line(unit, p->message, known, p->start);
    if (known) {
        wait_for(p, line, known);
        return TIME_PENDING;
    }
    struct miss *miss = send_to_l3(p, line, cached);
    uint64_t victim;
    if (miss && cached) /* written through: never dirty */
        cache_insert(&unit->l1, line, LINE_PENDING | miss->brought, false, &victim);
    return TIME_PENDING;
}

/* Atomics execute in the L3, so the first level's copy is stale. */
static void write_line(struct passage *p, uint64_t line, uint8_t passes)
{
    if (p->message->kind == MESSAGE_ATOMIC)
        cache_drop(&p->unit->l1, line);
    struct miss *miss = send_to_l3(p, line, false);
    if (!miss)
        return;
    miss->passes = passes;
    if (p->message->kind == MESSAGE_STORE)
        miss->passes = p->partial ? (uint8_t)p->unit->device->partial_store_interval : 1;
}

/* The message reaches the unit. */
static inline void begin(struct passage *p)
{
    p->start = later(p->time, p->unit->free);
    p->times = (struct message_times){
        .accepted = p->start, .destination = p->start + 1, .visible = p->start};
}

/* The unit has taken its last line. */
static inline void end(struct passage *p)
{
    p->times.source = p->start + p->unit->device->l1_line_interval;
    if (!p->message->returns)
        p->times.destination = p->times.source;
}

/* Sends the message's lines through the unit, one by one. */
static void pass(struct passage *p, const uint64_t *lines, const uint8_t *passes, uint32_t count)
{
    struct load_store *unit = p->unit;
    const struct message *message = p->message;
    struct message_times *times = &p->times;

    begin(p);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t done = TIME_PENDING;

        p->start = load_store_take_line(unit, p->start);
        if (message->kind == MESSAGE_LOAD)
            done = load_line(p, lines[i]);
        else
            write_line(p, lines[i], passes[i]);
        if (i == 0)
            times->accepted = p->start;
        if (done == TIME_PENDING)
            continue;
        times->visible = later(times->visible, done);
        if (message->returns)
            times->destination = later(times->destination, done);
    }
    if (count == 0) { /* no lane, or all out of bounds: the response has to come */
        p->start = load_store_take_line(unit, p->start);
        times->destination = p->start + load_store_hit_latency(unit->device, message);
    }
    end(p);
}

/* Keeps what is known of a message with lines outstanding in its entry. */
static void keep_times(struct passage *p)
{
    struct miss_message *entry = mshr_message(&p->unit->mshr, p->number);

    entry->destination = p->times.destination;
    entry->visible = p->times.visible;
    p->times.visible = TIME_PENDING;
    if (p->message->returns)
        p->times.destination = TIME_PENDING;
}

/* Whether the message needs a register and the next one is free at a cycle not known yet. */
static bool has_to_wait(const struct load_store *unit, const struct message *message,
                        const struct message_access *access)
{
    const struct mshr *mshr = &unit->mshr;

    if (access->line_count == 0)
        return false;
    if (unit->held_count)
        return true; /* behind those that do */
    if (mshr->free[mshr->next] != TIME_PENDING)
        return false;
    for (uint32_t i = 0; i < access->line_count; i++)
        if (!load_store_caches(unit, message) || !cache_peek(&unit->l1, access->lines[i]))
            return true;
    return false;
}

static bool hold(struct passage *p, const struct message_access *access, uint32_t ve)
{
    struct load_store *unit = p->unit;
    struct held_message *held = held_at(unit, unit->held_count);
    size_t bytes = access->line_count * sizeof(*held->lines);
    struct miss_message *entry = enter(p);

    *held = (struct held_message){.message = *p->message,
                                  .number = p->number,
                                  .ve = ve,
                                  .partial = p->partial,
                                  .line_count = access->line_count,
                                  .lines = malloc(bytes + 1),
                                  .passes = malloc(access->line_count + 1)};
    unit->held_count++;
    if (!entry || !held->lines || !held->passes) {
        unit->failed = true;
        return false;
    }
    memcpy(held->lines, access->lines, bytes);
    memcpy(held->passes, access->passes, access->line_count);
    entry->outstanding = 1; /* by the unit itself */
    p->times = (struct message_times){TIME_PENDING, TIME_PENDING, TIME_PENDING, TIME_PENDING};
    return true;
}

struct message_times load_store_pass(struct load_store *unit, const struct message *message,
                                     const struct message_access *access, uint32_t ve, uint64_t now)
{
    struct passage p = {.unit = unit,
                        .message = message,
                        .time = now,
                        .start = now,
                        .partial = access->bytes < access->line_count * unit->device->line_bytes};

    if (has_to_wait(unit, message, access) && hold(&p, access, ve))
        return p.times;
    pass(&p, access->lines, access->passes, access->line_count);
    if (p.entered)
        keep_times(&p);
    return p.times;
}

struct message_times load_store_join(struct load_store *unit, const struct message *message,
                                     uint64_t line, const struct cache_line *known, uint64_t now)
{
    struct passage p = {.unit = unit, .message = message, .time = now};

    begin(&p);
    p.times.accepted = p.start = load_store_take_line(unit, p.start);
    wait_for(&p, line, known);
    end(&p);
    if (p.entered)
        keep_times(&p);
    return p.times;
}

bool load_store_take_held(struct load_store *unit, uint32_t *number, uint32_t *ve,
                          struct message_times *times)
{
    struct held_message *held = held_at(unit, 0);

    if (unit->held_count == 0 || unit->mshr.free[unit->mshr.next] == TIME_PENDING)
        return false;
    struct miss_message *entry = mshr_message(&unit->mshr, held->number);
    struct passage p = {.unit = unit,
                        .message = &held->message,
                        .time = entry->time,
                        .number = held->number,
                        .entered = true,
                        .partial = held->partial};
    *number = held->number;
    *ve = held->ve;
    pass(&p, held->lines, held->passes, held->line_count);
    count(&unit->counters, COUNTER_queue_cycles, p.times.accepted - entry->time);
    keep_times(&p);
    p.times.source = later(p.times.source, p.times.accepted + unit->device->send_source_latency +
                                               held->message.payload0_registers +
                                               held->message.payload1_registers);
    mshr_message(&unit->mshr, held->number)->outstanding--;
    *times = p.times;
    drop_first_held(unit);
    return true;
}

/* The line's time is known: frees its register, and tells the first level. */
static void tell(struct load_store *unit, struct miss *miss, uint32_t number)
{
    miss->told = true;
    if (miss->brought != number)
        return;
    unit->mshr.free[miss->holder] = miss->done;
    struct cache_line *cached = miss->fills ? cache_peek(&unit->l1, miss->line) : NULL;
    if (cached && cached->ready == (LINE_PENDING | number)) /* and not gone, or gone and back */
        cached->ready = miss->done;
}

void load_store_settle(struct load_store *unit)
{
    struct mshr *mshr = &unit->mshr;

    for (uint32_t i = mshr->first_miss; i != mshr->end_miss; i++) {
        struct miss *miss = mshr_miss(mshr, i);

        if (miss->done == TIME_PENDING && miss->brought != i) {
            uint64_t brought = mshr_miss(mshr, miss->brought)->done;

            if (brought != TIME_PENDING)
                mshr_fill(mshr, i, later(miss->start + miss->hit_latency, brought));
        }
        if (miss->done != TIME_PENDING && !miss->told)
            tell(unit, miss, i);
    }
}

/* A fence that waits for messages in flight. */
static uint64_t defer_fence(struct load_store *unit, const struct message *message, uint64_t now,
                            uint64_t start)
{
    struct miss_message *entry = mshr_add_message(&unit->mshr);

    if (!entry) {
        unit->failed = true;
        return start;
    }
    *entry = (struct miss_message){
        .time = now, .destination = start, .kind = message->kind, .token = NO_TOKEN};
    return TIME_PENDING;
}

uint64_t load_store_fence(struct load_store *unit, const struct message *message,
                          uint64_t slm_visible, uint64_t global_visible, uint64_t now)
{
    const struct vesim_device *device = unit->device;
    uint64_t start = load_store_take(unit, unit->shares.all, 1, now);

    count(&unit->counters, COUNTER_fence_messages, 1);
    count(&unit->counters, COUNTER_queue_cycles, start - now);
    if (message->slm_fence)
        return later(start, slm_visible) + device->slm_fence_latency;
    if (message->typed_fence)
        return start + device->typed_fence_latency; /* typed accesses are not modelled */
    if (message->scope <= FENCE_LOCAL) /* visible in the first level to the Xe-core's own threads */
        return start + device->lsc_fence_latency;
    /* Evicting invalidates the whole first level: later loads go to the L3. */
    if (message->flush == FENCE_FLUSH_EVICT || message->flush == FENCE_FLUSH_INVALIDATE)
        cache_invalidate(&unit->l1);
    if (global_visible == TIME_PENDING)
        return defer_fence(unit, message, now, start);
    return later(start, global_visible) + device->lsc_fence_latency;
}
