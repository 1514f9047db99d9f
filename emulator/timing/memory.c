#include "timing/memory.h"

#include <stdlib.h>
#include <string.h>

#include "isa/decode/message.h"
#include "memory/address-space.h"
#include "timing/cycles.h"
#include "timing/hash.h"

enum { FRACTION = 1024, FIRST_PAGES = 64 }; /* channel times are kept in fractions of a cycle */

/* A lane of `bandwidth` MB/s. Its time per line is rounded up: it never exceeds the bandwidth. */
static struct lane lane_of(const struct vesim_device *device, uint64_t bandwidth)
{
    /* bytes / (MB/s) in cycles: bytes * kHz / (MB/s * 1000) */
    uint64_t thousandths = device->line_bytes * device->core_clock * FRACTION;
    uint64_t divisor = bandwidth * 1000;

    return (struct lane){.line_cost = bandwidth ? (thousandths + divisor - 1) / divisor : 0};
}

/* What the GPU gets of the memory's bandwidth, MB/s. */
static uint64_t available_bandwidth(const struct vesim_device *device)
{
    uint64_t usable = device->memory_bandwidth * device->memory_efficiency / 100;

    return usable > device->processor_traffic ? usable - device->processor_traffic : 1;
}

static struct write_queue queue_of(const struct vesim_device *device, struct lane *lane)
{
    uint64_t half = device->memory_write_queue / 2;

    return (struct write_queue){.lane = lane, .half = half ? (uint32_t)half : 1};
}

static void link_init(struct memory_link *link, const struct vesim_device *device,
                      uint64_t bandwidth, uint64_t latency)
{
    link->in = link->out = lane_of(device, bandwidth);
    link->writes = queue_of(device, &link->out);
    link->latency = latency;
}

/* The least of the mean latencies. */
static uint64_t least_mean(const struct vesim_device *device)
{
    uint64_t least = earlier(device->l3_hit_latency, device->memory_latency);

    if (device->llc_bytes)
        least = earlier(least, device->llc_latency);
    if (device->host_link_bandwidth)
        least = earlier(least, device->host_link_latency);
    if (device->stack_link_bandwidth)
        least = earlier(least, device->stack_link_latency);
    return least;
}

static uint64_t spread_of(const struct vesim_device *device)
{
    return earlier(device->l3_latency_spread, least_mean(device));
}

uint64_t memory_least_latency(const struct vesim_device *device)
{
    return least_mean(device) - spread_of(device) / 2;
}

int memory_clock_init(struct memory_clock *memory, const struct vesim_device *device)
{
    memset(memory, 0, sizeof(*memory));
    memory->device = device;
    memory->banks = modulus_of((uint32_t)device->l3_banks);
    memory->channels = lane_of(device, available_bandwidth(device));
    link_init(&memory->host, device, device->host_link_bandwidth, device->host_link_latency);
    link_init(&memory->peer, device, device->stack_link_bandwidth, device->stack_link_latency);
    memory->spread = spread_of(device);
    memory->ring.line_cost = device->llc_interval * FRACTION;
    memory->channels.turn = device->memory_turnaround * FRACTION;
    memory->row_cost = memory->channels.line_cost * device->memory_row_miss / 100;
    memory->writes = queue_of(device, &memory->channels);
    memory->queue_room = FIRST_PAGES;
    memory->queue = malloc(FIRST_PAGES * sizeof(*memory->queue));
    if (!memory->queue ||
        cache_init(&memory->l3, device->l3_bytes, (uint32_t)device->l3_ways,
                   (uint32_t)device->line_bytes) ||
        cache_init(&memory->llc, device->llc_bytes, (uint32_t)device->llc_ways,
                   (uint32_t)device->line_bytes))
        return -1;
    cache_scatter(&memory->l3);
    cache_scatter(&memory->llc);
    cache_replace_at_random(&memory->l3, (uint32_t)device->l3_random);
    return 0;
}

void memory_clock_release(struct memory_clock *memory)
{
    cache_release(&memory->l3);
    cache_release(&memory->llc);
    free(memory->queue);
    memory->queue = NULL;
}

/* Occupies a lane for `lines` lines of one direction, from `now` on in 1/1024 cycles; returns when
 * their transfer begins. A lane that has been idle has turned meanwhile. */
static uint64_t occupy(struct lane *lane, uint64_t lines, bool writes, uint64_t now)
{
    uint64_t start = later(now, lane->free + (lane->writes != writes ? lane->turn : 0));

    lane->writes = writes;
    lane->free = start + lines * lane->line_cost;
    return start;
}

/* Reads a line from `now` on; returns the cycle at which its transfer begins. */
static uint64_t read_from(struct lane *lane, uint64_t now)
{
    return occupy(lane, 1, false, now * FRACTION) / FRACTION;
}

/* A line moves between the L3 and the processor, if that is where it goes; either way is the same.
 */
static uint64_t cross_ring(struct memory_clock *memory, uint64_t now)
{
    return memory->ring.line_cost ? read_from(&memory->ring, now) : now;
}

/* The link that the line is across, or NULL. */
static struct memory_link *link_to(struct memory_clock *memory, uint64_t line)
{
    const uint64_t physical = line * memory->device->line_bytes;
    struct memory_link *link = &memory->host;

    if (physical < PHYSICAL_HOST_BASE) {
        if (physical_stack(physical) == memory->stack)
            return NULL;
        link = &memory->peer;
    }
    return link->in.line_cost ? link : NULL;
}

/* A line has to be written from `now` on; returns the cycle at which the queue has room for it. */
static uint64_t enqueue(struct write_queue *queue, uint64_t now)
{
    uint64_t *empty = &queue->empty[queue->filled];
    uint64_t entered = later(now * FRACTION, *empty);

    if (++queue->lines == queue->half) {
        occupy(queue->lane, queue->half, true, entered);
        *empty = queue->lane->free;
        queue->lines = 0;
        queue->filled ^= 1;
    }
    return (entered + FRACTION - 1) / FRACTION;
}

/* Fills a line into the processor's cache, if there is one; returns when there is room for it. */
static uint64_t enter_llc(struct memory_clock *memory, uint64_t line, uint64_t ready, bool dirty,
                          uint64_t now)
{
    uint64_t victim;

    if (cache_insert(&memory->llc, line, ready, dirty, &victim))
        return enqueue(&memory->writes, now);
    return now;
}

/* The L3 sends a line to memory; returns when it is on its way. */
static uint64_t send_line(struct memory_clock *memory, uint64_t line, uint64_t now)
{
    struct memory_link *link = link_to(memory, line);

    count(&memory->counters, COUNTER_written_back_lines, 1);
    if (link)
        return enqueue(&link->writes, now);
    now = cross_ring(memory, now);
    struct cache_line *cached = cache_find(&memory->llc, line);
    if (!cached)
        return memory->llc.sets ? enter_llc(memory, line, now, true, now)
                                : enqueue(&memory->writes, now);
    cache_write(&memory->llc, cached);
    return now;
}

/* A dirty line leaves the L3. */
static uint64_t write_back(struct memory_clock *memory, uint64_t line, uint64_t now)
{
    struct memory_link *link = link_to(memory, line);

    if (link)
        link->dirty--;
    return send_line(memory, line, now);
}

/* Gives a line a way of the cache, from `now` on; returns when a dirty victim has left it. */
static uint64_t allocate(struct memory_clock *memory, uint64_t line, uint64_t ready, bool dirty,
                         uint64_t now)
{
    struct memory_link *link = dirty ? link_to(memory, line) : NULL;
    uint64_t victim;

    if (link)
        link->dirty++;
    if (cache_insert(&memory->l3, line, ready, dirty, &victim))
        return write_back(memory, victim, now);
    return now;
}

/* Lines of a row of memory, 2 KB. */
enum { ROW_LINES = 32 };

/* Reads a line of memory from `now` on; returns when it arrives. */
static uint64_t read_memory(struct memory_clock *memory, uint64_t line, uint64_t now)
{
    struct lane *lane = &memory->channels;
    uint64_t row = line / ROW_LINES, *open = &memory->open_row[row % MEMORY_OPEN_ROWS];

    if (memory->row_cost && *open != row) {
        lane->free = later(lane->free, now * FRACTION) + memory->row_cost;
        *open = row;
    }
    return read_from(lane, now) + memory->device->memory_latency;
}

/* Fetches a line that the L3 misses; returns when it arrives. */
static uint64_t fetch(struct memory_clock *memory, uint64_t line, uint64_t start)
{
    const struct vesim_device *device = memory->device;
    struct memory_link *link = link_to(memory, line);

    if (link)
        return read_from(&link->in, start) + link->latency;
    start = cross_ring(memory, start);
    struct cache_line *cached = cache_find(&memory->llc, line);
    if (cached)
        return later(start + device->llc_latency, cached->ready);
    uint64_t ready = read_memory(memory, line, start);
    return later(ready, enter_llc(memory, line, ready, false, start));
}

static uint64_t fill(struct memory_clock *memory, uint64_t line, uint64_t start, bool dirty)
{
    uint64_t ready = fetch(memory, line, start);

    count(&memory->counters, COUNTER_memory_lines, 1);
    return later(ready, allocate(memory, line, ready, dirty, start));
}

/* Fetches lines behind one that has been missed, as far as the cache lacks them. */
static void prefetch(struct memory_clock *memory, uint64_t line, uint64_t start)
{
    for (uint64_t next = line + 1; next <= line + memory->device->l3_prefetch_lines; next++)
        if (!cache_peek(&memory->l3, next))
            fill(memory, next, start, false);
}

/* A store that misses allocates its line, without a fetch where bytes are masked. It is
 * acknowledged once it has its way, and what it fetches. */
static uint64_t allocate_store(struct memory_clock *memory, uint64_t line, uint64_t start)
{
    const struct vesim_device *device = memory->device;
    bool dirty = !device->l3_write_through;

    if (device->l3_store_fetch)
        return fill(memory, line, start, dirty);
    count(&memory->counters, COUNTER_allocated_lines, 1);
    return allocate(memory, line, start + device->l3_hit_latency, dirty, start) +
           device->l3_hit_latency;
}

/* A line in the L3 is written. */
static void write_cached(struct memory_clock *memory, struct cache_line *cached)
{
    struct memory_link *link = link_to(memory, cached->line);
    uint64_t dirty = memory->l3.dirty;

    cache_write(&memory->l3, cached);
    if (link)
        link->dirty += memory->l3.dirty - dirty;
}

/* A bank serves a line at cycle `start`; returns when it is done. */
static uint64_t work(struct memory_clock *memory, const struct memory_request *request,
                     uint64_t start)
{
    const struct vesim_device *device = memory->device;
    struct cache_line *cached = cache_find(&memory->l3, request->line);
    bool dirties = request->kind != MESSAGE_LOAD && !device->l3_write_through;

    if (request->kind == MESSAGE_ATOMIC) /* the last pass gives the result */
        start += device->atomic_interval * (request->passes - 1u);
    if (request->kind != MESSAGE_LOAD && !dirties)
        start = send_line(memory, request->line, start);
    if (!cached) {
        uint64_t ready = request->kind == MESSAGE_STORE
                             ? allocate_store(memory, request->line, start)
                             : fill(memory, request->line, start, dirties);

        prefetch(memory, request->line, start);
        return ready;
    }
    count(&memory->counters, COUNTER_l3_hit_lines, 1);
    if (dirties)
        write_cached(memory, cached);
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

void memory_expect(const struct memory_clock *memory, uint64_t line)
{
    if (memory->l3.sets)
        __builtin_prefetch(cache_set(&memory->l3, line), 1);
}

/* What a request occupies its bank for. */
static uint64_t bank_cycles(const struct vesim_device *device, const struct memory_request *request)
{
    switch (request->kind) {
    case MESSAGE_ATOMIC:
        return device->atomic_interval * request->passes;
    case MESSAGE_STORE:
        return request->passes;
    default:
        return 1;
    }
}

/* When a request's line is there, which would be so at `done` if its bank were as far from its
 * Xe-core as banks are in the mean. */
static uint64_t add_distance(const struct memory_clock *memory,
                             const struct memory_request *request, uint64_t done)
{
    if (!memory->spread)
        return done;
    return done + hash64(request->line << 16 | request->core) % (memory->spread + 1) -
           memory->spread / 2;
}

bool memory_arrive(struct memory_clock *memory, struct memory_request *request, uint64_t *done)
{
    const struct vesim_device *device = memory->device;
    uint32_t bank = bank_of(memory, request->line) % MEMORY_MAX_BANKS;
    uint64_t *free = &memory->bank_free[bank], arrival = request->time;

    if (memory->bank_kind[bank] != request->kind)
        *free += device->l3_turn_interval;
    memory->bank_kind[bank] = request->kind;
    request->time = later(arrival, *free);
    request->order = memory->arrived++;
    *free = request->time + bank_cycles(device, request);
    if ((request->time > arrival || memory_next(memory) <= arrival) && push(memory, request))
        return false;
    *done = add_distance(memory, request, work(memory, request, request->time));
    return true;
}

uint64_t memory_serve(struct memory_clock *memory, struct memory_request *request)
{
    *request = pop(memory);
    return add_distance(memory, request, work(memory, request, request->time));
}

void memory_clear(struct memory_clock *memory)
{
    memory->queued = 0;
}

/* Takes what waits in a queue out of it; bytes. */
static uint64_t empty_queue(struct write_queue *queue, uint64_t line_bytes)
{
    uint64_t bytes = queue->lines * line_bytes;

    queue->lines = 0;
    return bytes;
}

uint64_t memory_write_back(struct memory_clock *memory, uint64_t now)
{
    uint64_t dirty = cache_clean(&memory->l3), bytes = memory->device->line_bytes;
    struct memory_link *host = &memory->host, *peer = &memory->peer;
    struct memory_traffic traffic = {
        .to_device =
            (dirty - host->dirty - peer->dirty) * bytes + empty_queue(&memory->writes, bytes),
        .to_host = host->dirty * bytes + empty_queue(&host->writes, bytes),
        .to_peer = peer->dirty * bytes + empty_queue(&peer->writes, bytes)};

    host->dirty = peer->dirty = 0;
    return memory_stream(memory, &traffic, now);
}

static uint64_t lines_of(const struct memory_clock *memory, uint64_t bytes)
{
    return (bytes + memory->device->line_bytes - 1) / memory->device->line_bytes;
}

/* Returns when the last line has passed. */
static uint64_t stream(struct lane *lane, uint64_t lines, bool writes, uint64_t now)
{
    if (lines == 0)
        return now;
    occupy(lane, lines, writes, now * FRACTION);
    return (lane->free + FRACTION - 1) / FRACTION;
}

/* Of what is both read and written, half a queue is written at a time. */
static uint64_t stream_device(struct memory_clock *memory, const struct memory_traffic *traffic,
                              uint64_t now)
{
    struct lane *lane = &memory->channels;
    uint64_t read = lines_of(memory, traffic->from_device);
    uint64_t written = lines_of(memory, traffic->to_device);
    uint64_t half = memory->writes.half;

    if (read && written > half) /* the last change of direction is between the two calls below */
        lane->free = later(now * FRACTION, lane->free) + (written - 1) / half * 2 * lane->turn;
    now = stream(lane, read, false, now);
    return stream(lane, written, true, now);
}

static uint64_t stream_link(const struct memory_clock *memory, struct memory_link *link,
                            uint64_t in, uint64_t out, uint64_t now)
{
    return later(stream(&link->in, lines_of(memory, in), false, now),
                 stream(&link->out, lines_of(memory, out), true, now));
}

uint64_t memory_stream(struct memory_clock *memory, const struct memory_traffic *traffic,
                       uint64_t now)
{
    uint64_t end = stream_device(memory, traffic, now);

    end = later(end, stream_link(memory, &memory->host, traffic->from_host, traffic->to_host, now));
    return later(end,
                 stream_link(memory, &memory->peer, traffic->from_peer, traffic->to_peer, now));
}
