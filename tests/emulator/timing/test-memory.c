/* Last-level cache, memory channels and the load/store unit in front of them, with figures that
 * make the arithmetic easy: 1 GHz, 80 % of 20 GB/s, so that a line of 64 bytes takes 4 cycles. */
#include "test.h"

#include <string.h>

#include "memory/address-space.h"
#include "timing/load-store-hit.h"
#include "timing/memory.h"

enum { L1 = 20, L3 = 100, MEMORY = 500, LINE_COST = 4, SETS = 64, WAYS = 16, BANKS = 64 };

static struct vesim_device device;
static struct memory_clock memory;
static struct load_store unit;

static int create(void **state)
{
    (void)state;
    device = (struct vesim_device){
        .core_clock = 1000000,
        .memory_bandwidth = 20000,
        .memory_efficiency = 80,
        .memory_write_queue = 2,
        .memory_latency = MEMORY,
        .line_bytes = 64,
        .l1_bytes = 8192,
        .l1_ways = 8,
        .l1_hit_latency = L1,
        .l1_line_interval = 1,
        .l1_ports = 1,
        .l1_mshrs = 4096,
        .l1_bytes_beside_slm = 4096,
        .send_source_latency = 8,
        .l3_bytes = SETS * WAYS * 64,
        .l3_ways = WAYS,
        .l3_banks = 4,
        .l3_hit_latency = L3,
        .atomic_interval = 3,
        .partial_store_interval = 5,
        .slm_banks = BANKS,
        .slm_latency = 28,
        .slm_latency_simd32 = 45,
        .slm_fence_latency = 23,
        .lsc_fence_latency = 35,
        .typed_fence_latency = 60,
    };
    if (memory_clock_init(&memory, &device) || load_store_init(&unit, &device))
        return -1;
    unit.counting = true;
    return 0;
}

static int destroy(void **state)
{
    (void)state;
    load_store_release(&unit);
    memory_clock_release(&memory);
    return 0;
}

/* The state of requests, by their numbers. */
static uint64_t answered[64];

static void ask(uint32_t number, enum message_kind kind, uint64_t line, uint64_t now)
{
    struct memory_request request = {
        .line = line, .time = now, .number = number, .kind = (uint8_t)kind, .passes = 1};
    uint64_t done;

    answered[number] = memory_arrive(&memory, &request, &done) ? done : TIME_PENDING;
}

static void serve(uint64_t until)
{
    struct memory_request request;

    while (memory_next(&memory) < until) {
        uint64_t done = memory_serve(&memory, &request);

        answered[request.number] = done;
    }
}

/* A request with no other after it. */
static uint64_t line_at(enum message_kind kind, uint64_t line, uint64_t now, uint32_t passes)
{
    struct memory_request request = {
        .line = line, .time = now, .kind = (uint8_t)kind, .passes = (uint8_t)passes};
    uint64_t done;

    if (!memory_arrive(&memory, &request, &done))
        while (memory_next(&memory) != UINT64_MAX)
            done = memory_serve(&memory, &request);
    return done;
}

static uint64_t read_line(uint64_t line, uint64_t now)
{
    return line_at(MESSAGE_LOAD, line, now, 1);
}

static uint64_t write_line(uint64_t line, uint64_t now)
{
    return line_at(MESSAGE_STORE, line, now, 1);
}

static uint64_t atomic_line(uint64_t line, uint64_t now, uint32_t passes)
{
    return line_at(MESSAGE_ATOMIC, line, now, passes);
}

/* Another line of the same bank, which is then in the cache. */
static uint64_t other_line_of_bank(uint64_t line)
{
    for (uint64_t other = line + 1;; other++) {
        uint64_t now = 1000000 + 10000 * other;

        read_line(line, now);
        read_line(other, now + 5000); /* both are cached */
        ask(0, MESSAGE_LOAD, line, now + 8000);
        ask(1, MESSAGE_LOAD, other, now + 8000);
        serve(UINT64_MAX);
        if (answered[1] != now + 8000 + L3)
            return other;
    }
}

static void test_latencies(void **state)
{
    (void)state;
    assert_int_equal(read_line(7, 1000), 1000 + MEMORY);
    assert_int_equal(read_line(7, 1100), 1000 + MEMORY); /* still on its way */
    assert_int_equal(read_line(7, 2000), 2000 + L3);
    assert_int_equal(write_line(7, 3000), 3000 + L3);
    assert_int_equal(write_line(8, 3010), 3010 + L3); /* allocated, not fetched */
    assert_int_equal(read_line(8, 4000), 4000 + L3);
    assert_int_equal(atomic_line(8, 5000, 1), 5000 + L3);
    assert_int_equal(atomic_line(9, 5000, 1), 5000 + MEMORY);
}

/* As many lines as the cache holds stay; with one more in a set, that set misses. */
/* Blocks of as many lines as there are sets begin 7 sets apart. */
static void test_capacity(void **state)
{
    uint64_t now = 100000;

    (void)state;
    for (uint64_t line = 0; line < SETS * WAYS; line++)
        read_line(line, 0);
    for (uint64_t line = 0; line < SETS * WAYS; line++, now += 1000)
        assert_int_equal(read_line(line, now), now + L3);
    read_line(SETS * WAYS, now); /* from now on one line more competes for a set than it has ways */
    uint64_t competitors[2][SETS * WAYS + 1], count[2] = {0};
    for (unsigned round = 0; round < 2; round++)
        for (uint64_t line = 0; line <= SETS * WAYS; line++) {
            now += 1000;
            uint64_t took = read_line(line, now) - now;
            if (took != L3) {
                assert_int_equal(took, MEMORY);
                competitors[round][count[round]++] = line;
            }
        }
    for (unsigned round = 0; round < 2; round++)
        assert_int_equal(count[round], WAYS + 1);
    assert_memory_equal(competitors[0], competitors[1], sizeof(competitors[0][0]) * (WAYS + 1));
    assert_int_equal(competitors[0][WAYS], SETS * WAYS);
}

static void test_bandwidth_at_saturation(void **state)
{
    (void)state;
    assert_int_equal(memory.channels.line_cost, LINE_COST * 1024);
    for (uint64_t i = 0; i < 1000; i++) /* all at once: the channels take one after another */
        assert_int_equal(read_line(i, 0), i * LINE_COST + MEMORY);
    uint64_t now = 1000 * LINE_COST; /* at the rate of the channels nothing waits */
    for (uint64_t i = 0; i < 1000; i++, now += LINE_COST)
        assert_int_equal(read_line(10000 + i, now), now + MEMORY);
    /* 1000 lines copied past the cache */
    struct memory_traffic traffic = {.from_device = 64000};
    assert_int_equal(memory_stream(&memory, &traffic, 1000000), 1000000 + 1000 * LINE_COST);
}

static void test_dirty_lines_take_the_channels(void **state)
{
    (void)state;
    for (uint64_t line = 0; line < SETS * WAYS; line++)
        write_line(line, 0);
    assert_int_equal(memory.channels.free, 0); /* all of it in the cache */
    write_line(SETS * WAYS, 50000);            /* sends one to memory */
    assert_int_equal(memory.counters.value[COUNTER_written_back_lines], 1);
    assert_int_equal(read_line(SETS * WAYS + 1, 50000), /* waits for that one */
                     50000 + LINE_COST + MEMORY);
    assert_int_equal(memory.counters.value[COUNTER_written_back_lines], 2);
    /* what is left is written back at the channels' rate: all but the two that left and the one
     * that was read */
    uint64_t dirty = SETS * WAYS - 1;
    assert_int_equal(memory_write_back(&memory, 100000), 100000 + dirty * LINE_COST);
    assert_int_equal(memory_write_back(&memory, 200000), 200000);
}

/* What is stored goes on to memory at once: nothing is left to write back, and stores to one line
 * go no faster than the channels once their queue is full. */
static void test_write_through(void **state)
{
    uint64_t now = 0;

    (void)state;
    device.l3_write_through = 1;
    for (uint64_t line = 0; line < 8; line++)
        assert_int_equal(write_line(line, 1000 * line), 1000 * line + L3);
    assert_int_equal(memory.counters.value[COUNTER_written_back_lines], 8);
    assert_int_equal(memory_write_back(&memory, 100000), 100000);
    for (unsigned i = 0; i < 1000; i++)
        now = write_line(7, 200000);
    assert_true(now >= 200000 + 990 * LINE_COST && now <= 200000 + 1000 * LINE_COST + L3);
}

/* A store that misses is there no sooner than its line; one that hits does not ask memory. */
static void test_store_fetch(void **state)
{
    (void)state;
    device.l3_store_fetch = 1;
    assert_int_equal(write_line(7, 1000), 1000 + MEMORY);
    assert_int_equal(memory.counters.value[COUNTER_memory_lines], 1);
    assert_int_equal(write_line(7, 2000), 2000 + L3);
    assert_int_equal(memory.counters.value[COUNTER_memory_lines], 1);
    /* back to memory, as without the fetch */
    assert_int_equal(memory_write_back(&memory, 10000), 10000 + LINE_COST);
}

/* A bank loses time where a load follows a store, or the other way round, and none where a request
 * follows another of its kind. */
static void test_turns(void **state)
{
    (void)state;
    device.l3_turn_interval = 6;
    assert_int_equal(write_line(7, 1000), 1000 + L3);
    assert_int_equal(read_line(7, 1000), 1000 + 1 + 6 + L3);
    assert_int_equal(read_line(7, 1000), 1000 + 1 + 6 + 1 + L3);
    assert_int_equal(write_line(7, 1000), 1000 + 1 + 6 + 2 + 6 + L3);
    /* it has turned long before */
    assert_int_equal(read_line(7, 2000), 2000 + L3);
}

/* Memory has a row of 32 lines open of every 64th: a line of another one is later by what it loses.
 */
static void test_rows(void **state)
{
    const uint64_t other = 32 * 64, lost = LINE_COST * 3 / 2;

    (void)state;
    memory_clock_release(&memory);
    device.memory_row_miss = 150;
    assert_int_equal(memory_clock_init(&memory, &device), 0);
    assert_int_equal(read_line(other, 1000), 1000 + lost + MEMORY);
    assert_int_equal(read_line(other + 1, 2000), 2000 + MEMORY);
    assert_int_equal(read_line(2 * other, 3000), 3000 + lost + MEMORY);
    assert_int_equal(read_line(2 * other + 32, 4000), 4000 + lost + MEMORY);
    assert_int_equal(read_line(2 * other + 1, 5000), 5000 + MEMORY);
}

/* Lines behind one that misses are on their way with it, one after another on the channels; what
 * hits fetches none, and neither does a miss what is there. */
static void test_prefetch(void **state)
{
    (void)state;
    device.l3_prefetch_lines = 3;
    assert_int_equal(read_line(9, 1000), 1000 + MEMORY);
    assert_int_equal(memory.counters.value[COUNTER_memory_lines], 4);
    assert_int_equal(read_line(12, 1100), 1000 + 3 * LINE_COST + MEMORY); /* the last of three */
    assert_int_equal(read_line(10, 2000), 2000 + L3);
    assert_int_equal(memory.counters.value[COUNTER_memory_lines], 4);
    assert_int_equal(read_line(13, 3000), 3000 + MEMORY);
    assert_int_equal(read_line(8, 4000), 4000 + MEMORY); /* has 9 to 11 */
    assert_int_equal(memory.counters.value[COUNTER_memory_lines], 4 + 4 + 1);
    assert_int_equal(write_line(20, 5000), 5000 + L3); /* masked, but fetches 21 to 23 */
    assert_int_equal(memory.counters.value[COUNTER_memory_lines], 4 + 4 + 1 + 3);
}

/* Latencies lie evenly around the mean, by the line: the same each time. */
static void test_latency_spread(void **state)
{
    enum { SPREAD = 60, LINES = 10000 };
    uint64_t least = UINT64_MAX, most = 0, sum = 0;

    (void)state;
    memory_clock_release(&memory);
    device.l3_latency_spread = SPREAD;
    assert_int_equal(memory_clock_init(&memory, &device), 0);
    assert_int_equal(memory_least_latency(&device), L3 - SPREAD / 2);
    for (uint64_t line = 0; line < LINES; line++) {
        uint64_t now = 10000 + 1000 * line, missed = read_line(line, now) - now - MEMORY;
        uint64_t hit = read_line(line, now + 900) - now - 900 - L3;

        assert_int_equal(missed, hit);
        hit += SPREAD / 2;
        least = hit < least ? hit : least;
        most = hit > most ? hit : most;
        sum += hit;
    }
    assert_int_equal(least, 0);
    assert_int_equal(most, SPREAD);
    assert_true(sum > LINES * 0.95 * SPREAD / 2 && sum < LINES * 1.05 * SPREAD / 2);
    device.l3_latency_spread = 2 * L3; /* no more than the latency */
    assert_int_equal(memory_least_latency(&device), L3 / 2);
}

/* Halves of two lines each: as many stores that evict go on as fit into the queue, later ones at
 * the rate of the channels. Reads in between cost the bus two turns for each half. */
static void test_writes_push_back(void **state)
{
    const uint64_t lines = SETS * WAYS, turn = 10;

    (void)state;
    memory_clock_release(&memory);
    device.memory_write_queue = 4;
    device.memory_turnaround = turn;
    assert_int_equal(memory_clock_init(&memory, &device), 0);
    for (uint64_t line = 0; line < lines; line++)
        write_line(line, 0);
    uint64_t now = 50000, first = now + 2 * LINE_COST;
    for (uint64_t i = 0; i < 4; i++) /* two halves */
        assert_int_equal(write_line(lines + i, now), now + L3);
    for (uint64_t i = 4; i < 40; i++) /* a half has to be written first; the bus has turned */
        assert_int_equal(write_line(lines + i, now), first + (i / 2 - 2) * 2 * LINE_COST + L3);
    uint64_t free = now + 40 * LINE_COST;
    assert_int_equal(read_line(3 * lines, now), free + turn + MEMORY);
    /* that one evicted a line as well; the next fills the half */
    assert_int_equal(write_line(lines + 40, 90000), 90000 + L3);
    assert_int_equal(read_line(3 * lines + 1, 90000), 90000 + turn + 2 * LINE_COST + MEMORY);
    /* a copy of 100 lines by the copy engine: 50 halves, the last of which needs no turn back, and
     * the bus was reading */
    struct memory_traffic copy = {.from_device = 6400, .to_device = 6400};
    assert_int_equal(memory_stream(&memory, &copy, 1000000), 1000000 + 200 * LINE_COST + 99 * turn);
}

/* A card's stores to the host's memory go at the rate of the link. */
static void test_writes_across_the_link(void **state)
{
    const uint64_t host = PHYSICAL_HOST_BASE / 64, lines = SETS * WAYS, cost = 8;
    const uint64_t full = lines / 4; /* the four banks have filled the cache */
    uint64_t done = 0;

    (void)state;
    memory_clock_release(&memory);
    device.host_link_bandwidth = 8000; /* a line in 8 cycles */
    device.host_link_latency = 2000;
    assert_int_equal(memory_clock_init(&memory, &device), 0);
    for (uint64_t i = 0; i < 4 * lines; i++)
        done = write_line(host + i, 0);
    assert_in_range(done, full + (3 * lines - 3) * cost + L3, full + 3 * lines * cost + L3);
}

/* What the processor takes is missing to the GPU. */
static void test_processor_traffic(void **state)
{
    (void)state;
    memory_clock_release(&memory);
    device.processor_traffic = 8000; /* of 16000 MB/s */
    assert_int_equal(memory_clock_init(&memory, &device), 0);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(read_line(i, 0), i * 2 * LINE_COST + MEMORY);
}

static void test_banks(void **state)
{
    (void)state;
    for (uint64_t line = 0; line < 8; line++)
        read_line(line, 0);
    /* four banks: lines of different banks together, of one bank one a cycle */
    for (uint64_t line = 0; line < 4; line++)
        assert_int_equal(read_line(line, 10000), 10000 + L3);
    /* atomics hold theirs for longer */
    for (uint64_t i = 0; i < 10; i++)
        assert_int_equal(atomic_line(0, 20000, 1), 20000 + i * 3 + L3);
    /* four lanes on one element: four passes, the last of which ends the message */
    assert_int_equal(atomic_line(0, 30000, 4), 30000 + 3 * 3 + L3);
    assert_int_equal(atomic_line(0, 30000, 1), 30000 + 4 * 3 + L3);
    assert_int_equal(read_line(1, 20000), 20000 + L3);
    uint64_t other = other_line_of_bank(0);
    ask(0, MESSAGE_LOAD, 0, 90000000);
    ask(1, MESSAGE_LOAD, other, 90000000);
    serve(UINT64_MAX);
    assert_int_equal(answered[0], 90000000 + L3);
    assert_int_equal(answered[1], 90000001 + L3);
}

/* Answers what the unit has sent to the L3, which serves no one else here. */
static void answer_all(void)
{
    struct miss *miss;

    while ((miss = mshr_next_unsent(&unit.mshr))) {
        uint32_t number = unit.mshr.unsent++;

        mshr_fill(&unit.mshr, number,
                  line_at((enum message_kind)miss->kind, miss->line, miss->start, 1));
    }
    load_store_settle(&unit);
}

/* Cycles in its bank of each line that a store of so many bytes sends to the L3. */
static void store_occupies(uint32_t lines, uint32_t bytes, uint32_t cycles)
{
    static struct message_access access;
    const struct message message = {.kind = MESSAGE_STORE, .base = BASE_FLAT};
    struct miss *miss;
    uint32_t sent = 0;

    access.line_count = lines;
    access.bytes = bytes;
    for (uint32_t i = 0; i < lines; i++)
        access.lines[i] = 4 * i;
    load_store_access(&unit, &message, &access, 0, 0);
    while ((miss = mshr_next_unsent(&unit.mshr))) {
        assert_int_equal(miss->passes, cycles);
        mshr_fill(&unit.mshr, unit.mshr.unsent++, 100);
        sent++;
    }
    load_store_settle(&unit);
    assert_int_equal(sent, lines);
}

/* A store of all of its lines takes each one's bank for a cycle, one of less for longer. */
static void test_stores_to_parts(void **state)
{
    (void)state;
    store_occupies(1, 64, 1);
    store_occupies(4, 256, 1);
    store_occupies(1, 32, 5);
    store_occupies(2, 64, 5); /* across two */
    store_occupies(16, 256, 5);
    /* which the bank's next line waits for */
    line_at(MESSAGE_STORE, 0, 100000, 5);
    assert_int_equal(read_line(0, 100000), 100000 + 5 + L3);
}

static struct message_times load(uint64_t first_line, uint32_t lines, uint64_t now)
{
    static struct message_access access;
    const struct message message = {
        .kind = MESSAGE_LOAD, .base = BASE_FLAT, .cached_l1 = true, .returns = true};

    access.line_count = lines;
    for (uint32_t i = 0; i < lines; i++)
        access.lines[i] = first_line + i;
    struct message_times times = load_store_access(&unit, &message, &access, 0, now);
    answer_all();
    if (times.destination == TIME_PENDING) {
        struct miss_message *entry = mshr_message(&unit.mshr, unit.mshr.end_message - 1);

        assert_int_equal(entry->outstanding, 0);
        entry->settled = true;
        times.destination = entry->destination;
    }
    mshr_retire(&unit.mshr);
    assert_int_equal(mshr_message_count(&unit.mshr), 0);
    return times;
}

static void test_lines_of_a_message(void **state)
{
    (void)state;
    assert_int_equal(load(0, 16, 0).destination, 15 * LINE_COST + MEMORY);
    for (uint32_t lines = 1; lines <= 16; lines++) {
        struct message_times times = load(0, lines, 10000 * lines);

        assert_int_equal(times.source, 10000 * lines + lines);
        assert_int_equal(times.destination, 10000 * lines + lines - 1 + L1);
    }
    /* the next message queues behind the lines of the last one */
    assert_int_equal(load(0, 16, 500000).destination, 500015 + L1);
    assert_int_equal(load(0, 1, 500000).destination, 500016 + L1);
    assert_int_equal(unit.counters.value[COUNTER_queue_cycles], 16);
    /* one that touches nothing takes a turn, and its reply the usual time */
    struct message_times none = load(0, 0, 600000);
    assert_int_equal(none.source, 600001);
    assert_int_equal(none.destination, 600000 + L1);
}

/* Loads of one line that another has asked for: they get a turn each, and the line once it is
 * there. One that returns nothing brings it near, and is done when it is taken. */
static void test_line_in_flight(void **state)
{
    static struct message_access access = {.line_count = 1, .lines = {7}};
    struct message message = {
        .kind = MESSAGE_LOAD, .base = BASE_FLAT, .cached_l1 = true, .returns = true};
    const uint64_t issued[] = {1000, 1000, 1000, 1000 + MEMORY - 1};
    const uint64_t taken[] = {1000, 1001, 1002, 1000 + MEMORY - 1};
    const uint64_t done[] = {1000 + MEMORY, 1000 + MEMORY, 1003, 1000 + MEMORY - 1 + L1};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        message.returns = i != 2;
        struct message_times times = load_store_access(&unit, &message, &access, 0, issued[i]);
        assert_int_equal(times.accepted, taken[i]);
        assert_int_equal(times.source, taken[i] + 1);
        assert_int_equal(times.destination, message.returns ? TIME_PENDING : done[i]);
        assert_int_equal(times.visible, TIME_PENDING);
    }
    assert_int_equal(unit.counters.value[COUNTER_l1_hit_lines], 3);
    answer_all();
    for (unsigned i = 0; i < 4; i++) {
        const struct miss_message *entry = mshr_message(&unit.mshr, i);

        assert_int_equal(entry->time, issued[i]);
        assert_int_equal(entry->outstanding, 0);
        assert_int_equal(entry->destination, done[i]);
        assert_int_equal(entry->visible, i < 3 ? 1000 + MEMORY : done[i]);
    }
    load_store_clear(&unit);
}

static void test_first_level_capacity(void **state)
{
    const uint64_t lines = 8192 / 64, sets = lines / 8;
    uint64_t now = 0;

    (void)state;
    for (unsigned round = 0; round < 3; round++)
        for (uint64_t line = 0; line < lines; line++, now += 1000)
            assert_int_equal(load(line, 1, now).destination, now + (round ? L1 : MEMORY));
    load(lines, 1, now); /* from now on 9 lines compete for set 0 */
    for (unsigned round = 0; round < 3; round++)
        for (uint64_t line = 0; line <= lines; line++) {
            now += 1000;
            assert_int_equal(load(line, 1, now).destination, now + (line % sets == 0 ? L3 : L1));
        }
}

/* A message of all banks, for `cycles`, from vector engine `ve`. */
static struct message_times slm_from(enum message_kind kind, uint32_t lanes, struct bank_use use,
                                     uint32_t ve, uint64_t now)
{
    static struct message_access access;
    const struct message message = {
        .kind = kind, .base = BASE_SLM, .lanes = (uint8_t)lanes, .returns = kind == MESSAGE_LOAD};

    access.slm = use;
    access.bytes = lanes * 4;
    return load_store_access(&unit, &message, &access, ve, now);
}

static struct message_times slm(uint32_t lanes, uint32_t cycles, uint32_t banks, uint64_t now)
{
    return slm_from(MESSAGE_LOAD, lanes, (struct bank_use){cycles, banks}, 0, now);
}

static void test_shared_local_memory(void **state)
{
    (void)state;
    for (uint32_t degree = 1; degree <= 16; degree++) {
        assert_int_equal(slm(16, degree, BANKS, 1000 * degree).destination,
                         1000 * degree + 28 + degree - 1);
        assert_int_equal(slm(32, degree, BANKS, 1000 * degree + 500).destination,
                         1000 * degree + 500 + 45 + degree - 1);
    }
    assert_int_equal(unit.counters.value[COUNTER_slm_messages], 32);
    assert_int_equal(unit.counters.value[COUNTER_slm_busy_cycles], 2 * 16 * 17 / 2);
    assert_int_equal(unit.counters.value[COUNTER_slm_conflict_cycles], 2 * 15 * 16 / 2);
    /* the banks are busy for the next message */
    slm(16, 16, BANKS, 50000);
    assert_int_equal(slm(16, 1, BANKS, 50000).destination, 50016 + 28);
}

/* Messages that need a quarter of the banks: four a cycle, three beside one that needs half. */
static void test_shared_banks(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(slm(16, 1, BANKS / 4, 1000).accepted, 1000 + i / 4);
    assert_int_equal(unit.counters.value[COUNTER_slm_busy_cycles], 2);
    assert_int_equal(slm(16, 1, BANKS / 2, 2000).accepted, 2000);
    assert_int_equal(slm(16, 1, BANKS / 4, 2000).accepted, 2000);
    assert_int_equal(slm(16, 1, BANKS / 2, 2000).accepted, 2001); /* does not fit any more */
    assert_int_equal(slm(16, 2, BANKS, 2000).accepted, 2002);     /* conflicts: alone */
    assert_int_equal(slm(16, 1, BANKS / 4, 2000).accepted, 2004);
    assert_int_equal(unit.counters.value[COUNTER_slm_conflict_cycles], 1);
}

/* A message behind one of another kind takes longer; one of the same kind does not. */
static void test_turns_of_slm(void **state)
{
    const struct bank_use all = {1, BANKS};

    (void)state;
    device.slm_turn_interval = 5;
    slm_from(MESSAGE_LOAD, 16, all, 0, 1000);
    assert_int_equal(slm_from(MESSAGE_LOAD, 16, all, 0, 2000).destination, 2000 + 28);
    assert_int_equal(slm_from(MESSAGE_STORE, 16, all, 0, 3000).source, 3000 + 1 + 5);
    assert_int_equal(slm_from(MESSAGE_STORE, 16, all, 0, 3000).accepted, 3000 + 6);
    assert_int_equal(slm_from(MESSAGE_LOAD, 16, all, 0, 4000).destination, 4000 + 5 + 28);
    assert_int_equal(slm_from(MESSAGE_ATOMIC, 16, all, 0, 4000).accepted, 4000 + 6);
}

/* Between messages of two engines the unit loses 40 % of a cycle: a whole one of every two and a
 * half, and nothing between messages of one. */
static void test_turns_of_engines(void **state)
{
    const struct bank_use all = {1, BANKS};
    uint64_t first = 0, last = 0;

    (void)state;
    device.l1_engine_turn = 40;
    for (uint32_t i = 0; i < 100; i++)
        last = slm_from(MESSAGE_LOAD, 16, all, 0, 1000).accepted;
    assert_int_equal(last, 1000 + 99);
    first = slm_from(MESSAGE_LOAD, 16, all, 1, 5000).accepted;
    for (uint32_t i = 0; i < 100; i++)
        last = slm_from(MESSAGE_LOAD, 16, all, i % 2, 5000).accepted;
    assert_int_equal(last - first, 100 + 40);
}

/* A line takes a port of the unit, and so half of it if there are two. */
static void test_banks_beside_lines(void **state)
{
    (void)state;
    load_store_release(&unit);
    device.l1_ports = 2;
    assert_int_equal(load_store_init(&unit, &device), 0);
    load(7, 1, 100);
    assert_int_equal(load(7, 1, 5000).accepted, 5000);
    assert_int_equal(slm(16, 1, BANKS / 4, 5000).accepted, 5000);
    assert_int_equal(slm(16, 1, BANKS / 2, 5000).accepted, 5001);
    assert_int_equal(load(7, 1, 5000).accepted, 5001);
    assert_int_equal(load(7, 1, 5000).accepted, 5002);
}

static void test_fences(void **state)
{
    const struct message local = {.kind = MESSAGE_FENCE, .slm_fence = true},
                         global = {.kind = MESSAGE_FENCE, .global_fence = true, .scope = FENCE_GPU},
                         evict = {.kind = MESSAGE_FENCE,
                                  .global_fence = true,
                                  .scope = FENCE_GPU,
                                  .flush = FENCE_FLUSH_EVICT},
                         typed = {.kind = MESSAGE_FENCE, .typed_fence = true};

    (void)state;
    load(5, 1, 0);
    assert_int_equal(load_store_fence(&unit, &local, 0, 2000, 1000), 1023); /* not for global */
    assert_int_equal(load_store_fence(&unit, &local, 2000, 0, 1100), 2023);
    assert_int_equal(load_store_fence(&unit, &global, 9000, 3000, 2500), 3035);
    /* the work-group's own threads see it in the first level, before the L3 has it */
    const struct message group = {
        .kind = MESSAGE_FENCE, .global_fence = true, .scope = FENCE_GROUP};
    assert_int_equal(load_store_fence(&unit, &group, 0, TIME_PENDING, 3000), 3035);
    assert_int_equal(load_store_fence(&unit, &typed, 9000, 9000, 4000), 4060);
    assert_int_equal(load(5, 1, 5000).destination, 5000 + L1);
    load_store_fence(&unit, &evict, 0, 0, 6000);
    assert_int_equal(load(5, 1, 7000).destination, 7000 + L3);
    assert_int_equal(load(5, 1, 8000).destination, 8000 + L1);
}

/* The L3 serves lines in order of arrival, whichever was announced first: one that arrives at 22000
 * does not delay one that arrives at 20000. */
static void test_order_of_arrival(void **state)
{
    (void)state;
    read_line(1, 0);
    read_line(2, 0);
    for (uint32_t i = 0; i < 40; i++) /* a bank with work until 10120 */
        ask(i, MESSAGE_ATOMIC, 1, 10000);
    assert_int_equal(answered[0], 10000 + L3);
    assert_int_equal(answered[39], TIME_PENDING);
    ask(50, MESSAGE_LOAD, 2, 10001); /* in another one */
    serve(10002);
    assert_int_equal(answered[50], 10001 + L3);
    serve(UINT64_MAX);
    assert_int_equal(answered[39], 10000 + 39 * 3 + L3);
}

/* Lines that miss take the channels when their banks find them missing: one queued behind atomics
 * takes them later than one that arrives after it at an idle bank. */
static void test_channels_in_order(void **state)
{
    const uint64_t far = 4 * 4 * 4 * 4 * 4096; /* no digit that counts: the bank is the same */

    (void)state;
    read_line(1, 0);
    for (uint32_t i = 0; i < 40; i++)
        ask(i, MESSAGE_ATOMIC, 1, 10000);
    ask(40, MESSAGE_LOAD, 1 + far, 10001);
    ask(41, MESSAGE_LOAD, 2 + far, 10002);
    serve(UINT64_MAX);
    assert_int_equal(answered[40], 10000 + 40 * 3 + MEMORY);
    assert_int_equal(answered[41], 10002 + MEMORY);
}

/* With as many lines in flight as there are registers, the next message waits for the first of
 * them, and later messages wait behind it; hits in the first level do not. */
static void test_registers(void **state)
{
    static struct message_access access;
    const struct message message = {
        .kind = MESSAGE_LOAD, .base = BASE_FLAT, .cached_l1 = true, .returns = true};
    uint32_t number, ve;

    (void)state;
    load_store_release(&unit);
    device.l1_mshrs = 4;
    assert_int_equal(load_store_init(&unit, &device), 0);
    load(100, 1, 0);
    access.line_count = 1;
    for (uint64_t i = 0; i < 4; i++) {
        access.lines[0] = i;
        assert_int_equal(load_store_access(&unit, &message, &access, 0, 1000).accepted, 1000 + i);
    }
    access.lines[0] = 100;
    assert_int_equal(load_store_access(&unit, &message, &access, 1, 1000).destination, 1004 + L1);
    access.lines[0] = 4;
    struct message_times times = load_store_access(&unit, &message, &access, 2, 1000);
    assert_int_equal(times.accepted, TIME_PENDING);
    assert_int_equal(times.source, TIME_PENDING);
    access.lines[0] = 5;
    assert_int_equal(load_store_access(&unit, &message, &access, 3, 1000).accepted, TIME_PENDING);
    assert_false(load_store_take_held(&unit, &number, &ve, &times));
    answer_all(); /* lines 0 to 3 are there at 1500, 1504, … */
    assert_true(load_store_take_held(&unit, &number, &ve, &times));
    assert_int_equal(ve, 2);
    assert_int_equal(times.accepted, 1000 + MEMORY);
    assert_true(load_store_take_held(&unit, &number, &ve, &times));
    assert_int_equal(ve, 3);
    assert_int_equal(times.accepted, 1000 + MEMORY + LINE_COST);
    assert_false(load_store_take_held(&unit, &number, &ve, &times));
    answer_all();
    load_store_clear(&unit);
}

/* Lines from `line` on are behind a link that moves one in 8 cycles and answers after `latency`. */
static void expect_behind_link(uint64_t line, uint64_t latency)
{
    assert_int_equal(read_line(line, 1000), 1000 + latency);
    assert_int_equal(read_line(line + 1, 1001), 1008 + latency);
    assert_int_equal(read_line(2, 1002), 1002 + MEMORY); /* the channels are idle */
    assert_int_equal(read_line(line, 5000), 5000 + L3);
    write_line(line, 6000);
    write_line(3, 6001);
    assert_int_equal(memory_write_back(&memory, 10000), 10000 + 8);
}

/* A card's line in the host's memory crosses the link; an integrated GPU's line that left the L3
 * may be found in the processor's cache. */
static void test_host_memory(void **state)
{
    const uint64_t host = PHYSICAL_HOST_BASE / 64;

    (void)state;
    memory_clock_release(&memory);
    device.host_link_bandwidth = 8000; /* a line in 8 cycles */
    device.host_link_latency = 2000;
    assert_int_equal(memory_clock_init(&memory, &device), 0);
    expect_behind_link(host, 2000);
    struct memory_traffic copy = {.to_device = 6400, .from_host = 6400};
    assert_int_equal(memory_stream(&memory, &copy, 20000), 20000 + 100 * 8);
    memory_clock_release(&memory);
    device.host_link_bandwidth = 0;
    device.llc_bytes = 4 * SETS * WAYS * 64;
    device.llc_ways = WAYS;
    device.llc_latency = 200;
    assert_int_equal(memory_clock_init(&memory, &device), 0);
    for (uint64_t line = 0; line < 2 * SETS * WAYS; line++)
        read_line(line, 1000 * line);
    uint64_t now = 10000000;
    assert_int_equal(read_line(0, now), now + 200);
    assert_int_equal(read_line(0, now + 1000), now + 1000 + L3);
}

/* A line in the other stack's memory crosses the link between them, and so do copies. */
static void test_memory_of_the_other_stack(void **state)
{
    const uint64_t other = PHYSICAL_STACK_BYTES / 64;

    (void)state;
    memory_clock_release(&memory);
    device.stack_link_bandwidth = 8000; /* a line in 8 cycles */
    device.stack_link_latency = 1500;
    assert_int_equal(memory_clock_init(&memory, &device), 0);
    expect_behind_link(other, 1500);
    struct memory_traffic copy = {.from_device = 6400, .to_peer = 6400};
    assert_int_equal(memory_stream(&memory, &copy, 20000), 20000 + 100 * 8);

    memory.stack = 1; /* to which the first is the other */
    assert_int_equal(read_line(other + 5, 30000), 30000 + MEMORY);
    assert_int_equal(read_line(5, 40000), 40000 + 1500);
}

/* A line at a time passes between the L3 and the processor's cache, read or written. */
static void test_ring(void **state)
{
    enum { INTERVAL = 7, LLC = 200, LLC_LINES = 4 * SETS * WAYS };

    (void)state;
    memory_clock_release(&memory);
    device.llc_bytes = LLC_LINES * 64;
    device.llc_ways = WAYS;
    device.llc_latency = LLC;
    device.llc_interval = INTERVAL;
    assert_int_equal(memory_clock_init(&memory, &device), 0);
    for (uint64_t line = 0; line < LLC_LINES / 2; line++)
        read_line(line, 1000 * line);
    uint64_t now = 10000000;
    for (uint64_t line = 0; line < 10; line++) /* which the L3 no longer has */
        assert_int_equal(read_line(line, now), now + line * INTERVAL + LLC);
    assert_int_equal(read_line(0, now + 1000), now + 1000 + L3);
}

/* A kernel that uses shared local memory leaves half of this first level: 64 lines. */
static void test_level_one_beside_slm(void **state)
{
    uint64_t now = 1000;

    (void)state;
    load_store_share(&unit, true);
    for (unsigned round = 0; round < 2; round++)
        for (uint64_t line = 0; line < 64; line++, now += 1000)
            assert_int_equal(load(line, 1, now).destination, now + (round ? L1 : MEMORY));
    load(64, 1, now);
    now += 1000;
    assert_int_equal(load(0, 1, now).destination, now + L3);
    load_store_share(&unit, true);
    assert_int_equal(load(0, 1, now + 1000).destination, now + 1000 + L1);
    load_store_share(&unit, false); /* another one: what was there is gone */
    assert_int_equal(load(0, 1, now + 2000).destination, now + 2000 + L3);
}

static void test_lines_add_up(void **state)
{
    uint64_t now = 0, sum = 0;
    uint32_t random = 7;

    (void)state;
    for (unsigned i = 0; i < 5000; i++, now += 3) {
        random = random * 1664525 + 1013904223;
        uint32_t lines = 1 + (random >> 28);
        load(random >> 8 & 4095, lines, now);
        sum += lines;
    }
    struct counters total = unit.counters;
    counters_add(total.value, &memory.counters);
    assert_int_equal(total.value[COUNTER_load_messages], 5000);
    assert_int_equal(total.value[COUNTER_load_lines], sum);
    assert_int_equal(total.value[COUNTER_l1_hit_lines] + total.value[COUNTER_l3_hit_lines] +
                         total.value[COUNTER_memory_lines],
                     sum);
    assert_true(total.value[COUNTER_l1_hit_lines] && total.value[COUNTER_l3_hit_lines]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_latencies, create, destroy),
        cmocka_unit_test_setup_teardown(test_capacity, create, destroy),
        cmocka_unit_test_setup_teardown(test_bandwidth_at_saturation, create, destroy),
        cmocka_unit_test_setup_teardown(test_dirty_lines_take_the_channels, create, destroy),
        cmocka_unit_test_setup_teardown(test_write_through, create, destroy),
        cmocka_unit_test_setup_teardown(test_store_fetch, create, destroy),
        cmocka_unit_test_setup_teardown(test_turns, create, destroy),
        cmocka_unit_test_setup_teardown(test_rows, create, destroy),
        cmocka_unit_test_setup_teardown(test_prefetch, create, destroy),
        cmocka_unit_test_setup_teardown(test_latency_spread, create, destroy),
        cmocka_unit_test_setup_teardown(test_writes_push_back, create, destroy),
        cmocka_unit_test_setup_teardown(test_writes_across_the_link, create, destroy),
        cmocka_unit_test_setup_teardown(test_processor_traffic, create, destroy),
        cmocka_unit_test_setup_teardown(test_banks, create, destroy),
        cmocka_unit_test_setup_teardown(test_stores_to_parts, create, destroy),
        cmocka_unit_test_setup_teardown(test_lines_of_a_message, create, destroy),
        cmocka_unit_test_setup_teardown(test_line_in_flight, create, destroy),
        cmocka_unit_test_setup_teardown(test_first_level_capacity, create, destroy),
        cmocka_unit_test_setup_teardown(test_shared_local_memory, create, destroy),
        cmocka_unit_test_setup_teardown(test_shared_banks, create, destroy),
        cmocka_unit_test_setup_teardown(test_turns_of_slm, create, destroy),
        cmocka_unit_test_setup_teardown(test_turns_of_engines, create, destroy),
        cmocka_unit_test_setup_teardown(test_banks_beside_lines, create, destroy),
        cmocka_unit_test_setup_teardown(test_fences, create, destroy),
        cmocka_unit_test_setup_teardown(test_order_of_arrival, create, destroy),
        cmocka_unit_test_setup_teardown(test_channels_in_order, create, destroy),
        cmocka_unit_test_setup_teardown(test_registers, create, destroy),
        cmocka_unit_test_setup_teardown(test_host_memory, create, destroy),
        cmocka_unit_test_setup_teardown(test_memory_of_the_other_stack, create, destroy),
        cmocka_unit_test_setup_teardown(test_ring, create, destroy),
        cmocka_unit_test_setup_teardown(test_level_one_beside_slm, create, destroy),
        cmocka_unit_test_setup_teardown(test_lines_add_up, create, destroy),
    };

    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
