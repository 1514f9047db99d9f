#include "predict/resources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From this share on a resource binds, whatever else its users wait for: they queue behind each
 * other. */
#define BINDING_SHARE 0.6

/* Emulating these takes a host as long as so many instructions do, measured on a Xeon: the start
 * and end of a thread, a message, and a line of memory that it touches. */
#define EFFORT_THREAD  60.0
#define EFFORT_MESSAGE 5.0
#define EFFORT_LINE    5.0

/* The difference of two walks. */
struct spent {
    double cycles;
    double counter[VESIM_COUNTER_COUNT];
    double engines; /* vector engines that have threads */
    double cores;   /* Xe-cores that have threads */
};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static struct spent difference(const struct vesim_device *device, const struct vesim_walk *fewer,
                               const struct vesim_walk *more)
{
    struct spent spent = {.cycles = (double)(more->end - more->start) -
                                    (double)(fewer->end - fewer->start)};
    double cores = (double)(device->slices * device->xe_cores_per_slice);
    double per_core = (double)device->ves_per_xe_core;

    for (size_t i = 0; i < VESIM_COUNTER_COUNT; i++)
        spent.counter[i] = (double)more->counters[i] - (double)fewer->counters[i];
    spent.cores = smaller(cores, (double)more->groups);
    spent.engines = smaller(spent.cores * per_core, (double)more->threads);
    return spent;
}

static void add(struct outcome *outcome, const char *name, bool is_bound, double used, double of)
{
    struct resource *resource = &outcome->resource[outcome->resource_count];

    if (outcome->resource_count == RESOURCES_MAX || !(of > 0.0) || !(used > 0.0))
        return;
    *resource = (struct resource){name, is_bound, smaller(used / of, 1.0)};
    outcome->resource_count++;
}

/* Adds resources with limited capacity, by the share of it that was used. */
static void add_bounds(struct outcome *outcome, const struct vesim_device *device,
                       const struct spent *spent)
{
    const double *counter = spent->counter;
    double engine_cycles = spent->engines * spent->cycles;
    double core_cycles = spent->cores * spent->cycles;
    double lines = counter[VESIM_COUNTER_load_lines] + counter[VESIM_COUNTER_store_lines] +
                   counter[VESIM_COUNTER_atomic_lines];
    double beyond_l1 = lines - counter[VESIM_COUNTER_l1_hit_lines];
    double moved =
        (counter[VESIM_COUNTER_memory_lines] + counter[VESIM_COUNTER_written_back_lines]) *
        (double)device->line_bytes;
    double peak = ((double)device->memory_bandwidth * (double)device->memory_efficiency / 100.0 -
                   (double)device->processor_traffic) *
                  1000.0 / (double)device->core_clock;

    add(outcome, "instruction issue",
        counter[VESIM_COUNTER_issue_cycles] >= BINDING_SHARE * engine_cycles,
        counter[VESIM_COUNTER_issue_cycles], engine_cycles);
    add(outcome, "cache lines of the load/store unit", true,
        lines * (double)device->l1_line_interval / (double)device->l1_ports, core_cycles);
    add(outcome, "shared local memory", true, counter[VESIM_COUNTER_slm_busy_cycles], core_cycles);
    add(outcome, "sending messages", true,
        counter[VESIM_COUNTER_send_instructions] * (double)device->send_arbitration, engine_cycles);
    add(outcome, "barrier gateway", true,
        counter[VESIM_COUNTER_barrier_messages] * (double)device->gateway_interval, core_cycles);
    add(outcome, "L3 banks", true, beyond_l1, (double)device->l3_banks * spent->cycles);
    add(outcome, "memory bandwidth", true, moved, peak * spent->cycles);
}

/* Adds what threads wait for, as shares of the cycles of those engines that have threads. */
static void add_waits(struct outcome *outcome, const struct spent *spent)
{
    static const struct {
        enum vesim_counter counter;
        const char *name;
    } waits[] = {
        {VESIM_COUNTER_distance_stall_cycles, "latency of arithmetic"},
        {VESIM_COUNTER_token_stall_cycles, "latency of memory and math"},
        {VESIM_COUNTER_register_stall_cycles, "latency of flags, addresses, accumulators"},
        {VESIM_COUNTER_pipe_stall_cycles, "arithmetic pipes"},
        {VESIM_COUNTER_send_stall_cycles, "turns to send messages"},
        {VESIM_COUNTER_barrier_stall_cycles, "barriers"},
        {VESIM_COUNTER_branch_stall_cycles, "taken branches"},
        {VESIM_COUNTER_supply_stall_cycles, "instruction supply"},
    };

    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
        add(outcome, waits[i].name, false, spent->counter[waits[i].counter],
            spent->engines * spent->cycles);
}

static void add_part(struct outcome *outcome, const char *name, double share)
{
    if (share > 0.0 && outcome->part_count < RESOURCES_MAX)
        outcome->part[outcome->part_count++] = (struct part){name, share};
}

static int by_share(const void *left, const void *right)
{
    double a = ((const struct part *)left)->share, b = ((const struct part *)right)->share;

    return (a < b) - (a > b);
}

/* The cycles before the first thread's start and after the last one's end. */
static double outside_threads(const struct vesim_walk *walk)
{
    return walk->threads
               ? (double)(walk->first_start - walk->start) + (double)(walk->end - walk->last_end)
               : 0.0;
}

/* Says what the time is: first what the launch takes around its threads, then what the engines that
 * have threads do, or wait for, in the rest. */
static void add_parts(struct outcome *outcome, const struct spent *spent, double outside)
{
    static const struct {
        enum vesim_counter counter;
        const char *name;
    } parts[] = {
        {VESIM_COUNTER_issue_cycles, "issuing instructions"},
        {VESIM_COUNTER_distance_stall_cycles, "latency of arithmetic"},
        {VESIM_COUNTER_token_stall_cycles, "memory and math messages"},
        {VESIM_COUNTER_register_stall_cycles, "flags, addresses, accumulators"},
        {VESIM_COUNTER_pipe_stall_cycles, "busy pipes"},
        {VESIM_COUNTER_send_stall_cycles, "turns to send"},
        {VESIM_COUNTER_barrier_stall_cycles, "barriers"},
        {VESIM_COUNTER_branch_stall_cycles, "taken branches"},
        {VESIM_COUNTER_supply_stall_cycles, "instruction supply"},
    };
    double inside = fmax(spent->cycles - outside, 0.0), sum = 0.0;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        sum += spent->counter[parts[i].counter];
    double of = fmax(sum, spent->engines * inside);
    if (!(spent->cycles > 0.0) || !(of > 0.0))
        return;
    add_part(outcome, PART_LAUNCH, outside / spent->cycles);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        add_part(outcome, parts[i].name,
                 inside / spent->cycles * spent->counter[parts[i].counter] / of);
    add_part(outcome, "engines without threads", inside / spent->cycles * (of - sum) / of);
    qsort(outcome->part, outcome->part_count, sizeof(outcome->part[0]), by_share);
}

/* Sorts what binds to the front: the most used resource if it is close to its limit, then the
 * shares of the cycles, issue and waits, which are parts of one whole. Lightly used resources come
 * last. */
static double weight(const struct resource *resource)
{
    if (!resource->is_bound)
        return resource->share;
    return resource->share + (resource->share >= BINDING_SHARE ? 1.0 : -1.0);
}

static int by_weight(const void *left, const void *right)
{
    double a = weight(left), b = weight(right);

    return (a < b) - (a > b);
}

void resources_judge(struct outcome *outcome, const struct vesim_device *device,
                     const struct vesim_walk *fewer, const struct vesim_walk *more, double parts)
{
    struct spent spent = difference(device, fewer, more);
    static const enum vesim_counter issued[] = {
        VESIM_COUNTER_float_instructions,    VESIM_COUNTER_integer_instructions,
        VESIM_COUNTER_long_instructions,     VESIM_COUNTER_math_instructions,
        VESIM_COUNTER_systolic_instructions, VESIM_COUNTER_send_instructions,
        VESIM_COUNTER_control_instructions,
    };

    static const enum vesim_counter lines[] = {VESIM_COUNTER_load_lines, VESIM_COUNTER_store_lines,
                                               VESIM_COUNTER_atomic_lines};

    memset(outcome, 0, sizeof(*outcome));
    outcome->cycles = spent.cycles / parts;
    for (size_t i = 0; i < sizeof(issued) / sizeof(issued[0]); i++)
        outcome->instructions += spent.counter[issued[i]] / parts;
    outcome->effort = outcome->instructions +
                      EFFORT_THREAD * ((double)more->threads - (double)fewer->threads) / parts +
                      EFFORT_MESSAGE * spent.counter[VESIM_COUNTER_send_instructions] / parts;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        outcome->effort += EFFORT_LINE * spent.counter[lines[i]] / parts;
    outcome->lines =
        (spent.counter[VESIM_COUNTER_memory_lines] + spent.counter[VESIM_COUNTER_allocated_lines]) /
        parts;
    add_bounds(outcome, device, &spent);
    add_waits(outcome, &spent);
    add_parts(outcome, &spent, outside_threads(more) - outside_threads(fewer));
    qsort(outcome->resource, outcome->resource_count, sizeof(outcome->resource[0]), by_weight);
}
