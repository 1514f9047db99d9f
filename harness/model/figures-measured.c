#include "figures-measured.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Instructions on 32-bit lanes have no more of them; sub-groups of 32 take two. */
#define WIDEST 16u
/* Of the 32 steps of a chase: a loop of 3 to 28 cycles around them adds from 0.1 to 0.9 to a step.
 */
#define LOOP_SHARE 0.45

/* A parameter in cycles, or as it is where its unit is no time. */
static bool find_unscaled(const struct figure_input *input, struct figure_estimate *e,
                          const char *format, va_list arguments)
{
    char name[MODEL_NAME_BYTES];
    const struct parameter *p;

    vsnprintf(name, sizeof name, format, arguments);
    p = model_find(input->model, "%s", name);
    if (!p || p->below_resolution)
        return false;
    *e = (struct figure_estimate){.value = p->value, .range = p->interval};
    memcpy(e->parameter, p->name, sizeof e->parameter);
    return true;
}

static void scale(struct figure_estimate *e, double factor)
{
    e->value *= factor;
    e->range.low *= factor;
    e->range.high *= factor;
}

static bool find_time(const struct figure_input *input, struct figure_estimate *e,
                      const char *format, ...)
{
    va_list arguments;
    bool found;

    va_start(arguments, format);
    found = find_unscaled(input, e, format, arguments);
    va_end(arguments);
    scale(e, found ? input->cycles : 1.0);
    return found;
}

static bool find(const struct figure_input *input, struct figure_estimate *e, const char *format,
                 ...)
{
    va_list arguments;
    bool found;

    va_start(arguments, format);
    found = find_unscaled(input, e, format, arguments);
    va_end(arguments);
    return found;
}

static void shift(struct figure_estimate *e, double by)
{
    e->value += by;
    e->range.low += by;
    e->range.high += by;
}

/* Adds `times` another estimate, which may be negative; errors are taken as independent. */
static void combine(struct figure_estimate *e, double times, const struct figure_estimate *other)
{
    double below = e->value - e->range.low, above = e->range.high - e->value;
    double other_below = other->value - other->range.low;
    double other_above = other->range.high - other->value;

    e->value += times * other->value;
    below = hypot(below, times * (times < 0.0 ? other_above : other_below));
    above = hypot(above, times * (times < 0.0 ? other_below : other_above));
    e->range = (struct interval){e->value - below, e->value + above};
}

static void set_exact(struct figure_estimate *e, double value)
{
    e->value = e->range.low = e->range.high = value;
}

/* The smallest sub-group size there is a pipeline parameter for: there an instruction takes the
 * fewest cycles that are not latency. 0: there is none. */
static unsigned smallest(const struct figure_input *input, const char *variant)
{
    for (unsigned size = 8; size <= 32; size *= 2) {
        if (model_find(input->model, "pipeline.%s.simd%u", variant, size) ||
            model_find(input->model, "pipeline.%s.simd%u.base", variant, size))
            return size;
    }
    return 0;
}

/* Cycles that an instruction of a sub-group occupies a pipe of so many lanes a cycle. */
static double occupancy(unsigned size, uint64_t lanes)
{
    return ceil((double)(size < WIDEST ? size : WIDEST) / (double)lanes);
}

/* Latencies are those of 8 lanes; each cycle that more lanes take adds `wide_step`. */
static double wider(unsigned size, uint64_t lanes)
{
    return occupancy(size, lanes) - occupancy(8, lanes);
}

static bool measure_core_clock(const struct figure_input *input, struct figure_estimate *e)
{
    if (!isfinite(input->model->clock_mhz))
        return false;
    set_exact(e, input->model->clock_mhz * 1000.0);
    snprintf(e->parameter, sizeof e->parameter, "clock_mhz");
    return true;
}

/* A pipe takes whole cycles for an instruction. One that takes a single cycle says only that there
 * are no fewer lanes than the instruction has. */
static bool measure_lanes(const struct figure_input *input, struct figure_estimate *e,
                          const char *variant)
{
    static const unsigned sizes[] = {16, 32, 8};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        double width = sizes[i] < WIDEST ? sizes[i] : WIDEST, cycles;

        if (!find_time(input, e, "pipeline.%s.simd%u", variant, sizes[i]))
            continue;
        cycles = fmax(1.0, round(e->value * width / sizes[i]));
        set_exact(e, ceil(width / cycles));
        e->is_bound = cycles < 1.5;
        if (e->is_bound)
            e->range.high = INFINITY;
        return true;
    }
    return false;
}

static bool measure_lanes_32bit(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_lanes(input, e, "lanes");
}

static bool measure_math_lanes(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_lanes(input, e, "math_lanes");
}

/* Between sub-groups of 8 and of 16, in the pipe that takes more cycles for the latter. */
static bool measure_wide_step(const struct figure_input *input, struct figure_estimate *e)
{
    const struct {
        const char *variant;
        uint64_t lanes;
    } pipes[] = {{"register", input->device->lanes_32bit}, {"math", input->device->math_lanes}};

    for (size_t i = 0; i < COUNT(pipes); i++) {
        double cycles = wider(16, pipes[i].lanes);
        struct figure_estimate narrow;

        if (cycles < 1.0 || !find_time(input, &narrow, "pipeline.%s.simd8", pipes[i].variant) ||
            !find_time(input, e, "pipeline.%s.simd16", pipes[i].variant))
            continue;
        combine(e, -1.0, &narrow);
        scale(e, 1.0 / cycles);
        return true;
    }
    return false;
}

static bool measure_latency(const struct figure_input *input, struct figure_estimate *e,
                            const char *variant, uint64_t lanes)
{
    unsigned size = smallest(input, variant);

    if (!find_time(input, e, "pipeline.%s.simd%u", variant, size))
        return false;
    shift(e, -wider(size, lanes) * (double)input->device->wide_step);
    return true;
}

static bool measure_fpu_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_latency(input, e, "register", input->device->lanes_32bit);
}

static bool measure_math_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_latency(input, e, "math", input->device->math_lanes);
}

/* The accumulator is there so long after the last of the instruction's cycles. Sub-groups of 32
 * take turns with one accumulator. */
static bool measure_accumulator_latency(const struct figure_input *input, struct figure_estimate *e)
{
    unsigned size = smallest(input, "accumulator");

    if (size > WIDEST || !find_time(input, e, "pipeline.accumulator.simd%u", size))
        return false;
    shift(e, 1.0 - occupancy(size, input->device->lanes_32bit));
    return true;
}

/* A step is the comparison's flag, and then three instructions that hand on registers. */
static bool measure_arf_latency(const struct figure_input *input, struct figure_estimate *e)
{
    unsigned size = smallest(input, "flag");
    struct figure_estimate instruction;

    if (size > WIDEST || !find_time(input, &instruction, "pipeline.register.simd%u", size) ||
        !find_time(input, e, "pipeline.flag.simd%u", size))
        return false;
    combine(e, -3.0, &instruction);
    return true;
}

/* The loop's counter, the flag of its comparison, the branch; on Gen12LP the compiler puts an
 * instruction before the branch that writes a flag too, a cycle later. */
static bool measure_branch_latency(const struct figure_input *input, struct figure_estimate *e)
{
    bool one_more = input->device->architecture == ARCHITECTURE_GEN12LP;
    unsigned size = smallest(input, "loop");
    struct figure_estimate counter, flag;

    if (!measure_fpu_latency(input, &counter) || !measure_arf_latency(input, &flag) ||
        !find_time(input, e, "pipeline.loop.simd%u", size))
        return false;
    combine(e, -1.0, &counter);
    combine(e, -1.0, &flag);
    shift(e, one_more ? -1.0 : 0.0);
    return true;
}

/* Sub-groups of 32 send two messages. */
static bool measure_send_arbitration(const struct figure_input *input, struct figure_estimate *e)
{
    unsigned size = smallest(input, "send");

    if (!find_time(input, e, "pipeline.send.simd%u", size))
        return false;
    scale(e, size > WIDEST ? 0.5 : 1.0);
    return true;
}

/* A barrier of one hardware thread: its signal and the release, nothing between. */
static bool find_barrier(const struct figure_input *input, struct figure_estimate *e,
                         const char *variant, unsigned size)
{
    struct figure_estimate thread;

    if (!find_time(input, e, "pipeline.%s.simd%u.base", variant, size))
        return false;
    if (find_time(input, &thread, "pipeline.%s.simd%u.per_thread", variant, size))
        combine(e, 1.0, &thread);
    return true;
}

/* The loop's next instruction would be issued when the pipe is free of the one before the barrier;
 * with it, it is issued at the release, a cycle after the signal. */
static bool measure_barrier_latency(const struct figure_input *input, struct figure_estimate *e)
{
    unsigned size = smallest(input, "barrier");

    if (!find_barrier(input, e, "barrier", size))
        return false;
    shift(e, occupancy(size, input->device->lanes_32bit) - 1.0);
    return true;
}

/* The gateway takes the signals of a work-group one after the other. */
static bool measure_gateway_interval(const struct figure_input *input, struct figure_estimate *e)
{
    return find_time(input, e, "pipeline.barrier.simd%u.per_thread", smallest(input, "barrier"));
}

/* What a fence adds to a barrier, less the cycle in which the instruction that waits for it is
 * issued. */
static bool measure_fence(const struct figure_input *input, struct figure_estimate *e,
                          const char *variant)
{
    unsigned size = smallest(input, variant);
    struct figure_estimate barrier;

    if (!find_barrier(input, &barrier, "barrier", size) || !find_barrier(input, e, variant, size))
        return false;
    combine(e, -1.0, &barrier);
    shift(e, -1.0);
    return true;
}

static bool measure_slm_fence(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_fence(input, e, "barrier_local");
}

static bool measure_global_fence(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_fence(input, e, "barrier_global");
}

/* Chases in which the sub-group's lanes follow one chain, or one lane does, by the sub-group size:
 * that of one message to a step first. */
static bool find_level(const struct figure_input *input, struct figure_estimate *e,
                       const char *memory, unsigned level)
{
    static const char *const variants[] = {"uniform", "one_lane", "scalar"};
    static const unsigned sizes[] = {16, 8, 32};

    for (size_t v = 0; v < COUNT(variants); v++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            if (find_time(input, e, "latency.%s_%s.simd%u.level%u.latency", memory, variants[v],
                          sizes[s], level))
                return true;
        }
    }
    return false;
}

static bool measure_slm_latency(const struct figure_input *input, struct figure_estimate *e)
{
    if (!find_level(input, e, "slm", 1))
        return false;
    shift(e, -LOOP_SHARE);
    return true;
}

static unsigned levels_of(const struct device *device)
{
    return device->l1_bytes ? 3 : 2;
}

/* A level of global memory, counted from its end: 1 is memory, 2 the L3. Which level is which is
 * known only where there are as many as the device has. A step is the load, and the cycle in which
 * the next one is issued. */
static bool measure_level(const struct figure_input *input, struct figure_estimate *e,
                          unsigned from_end)
{
    unsigned levels = levels_of(input->device);
    struct figure_estimate beyond;

    if (from_end > levels || find_level(input, &beyond, "global", levels + 1) ||
        !find_level(input, &beyond, "global", levels) ||
        !find_level(input, e, "global", levels + 1 - from_end))
        return false;
    shift(e, -1.0 - LOOP_SHARE);
    return true;
}

static bool measure_memory_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_level(input, e, 1);
}

static bool measure_l3_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_level(input, e, 2);
}

/* Where there is no first level the figure is that of the L3. */
static bool measure_l1_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_level(input, e, levels_of(input->device));
}

/* All that is known of a capacity is between which two sizes it lies; the middle is a geometric
 * one. */
static bool measure_capacity(const struct figure_input *input, struct figure_estimate *e,
                             unsigned from_end)
{
    char latency[MODEL_NAME_BYTES];

    if (!measure_level(input, e, from_end))
        return false;
    memcpy(latency, e->parameter, sizeof latency);
    *strrchr(latency, '.') = '\0';
    if (!find(input, e, "%s.capacity", latency))
        return false;
    e->value = sqrt(e->range.low * e->range.high);
    e->is_bound = true;
    return true;
}

static bool measure_l3_bytes(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_capacity(input, e, 2);
}

static bool measure_l1_bytes(const struct figure_input *input, struct figure_estimate *e)
{
    return input->device->l1_bytes && measure_capacity(input, e, 3);
}

static bool measure_slm_banks(const struct figure_input *input, struct figure_estimate *e)
{
    return find(input, e, "slm.banks");
}

/* The sub-group size whose parameter is the least: others may wait for something else besides. */
static bool find_least(const struct figure_input *input, struct figure_estimate *least,
                       const char *before, const char *after)
{
    bool found = false;

    for (unsigned size = 8; size <= 32; size *= 2) {
        struct figure_estimate e;

        if (!find_time(input, &e, "%s.simd%u.%s", before, size, after) ||
            (found && e.value >= least->value))
            continue;
        *least = e;
        found = true;
    }
    return found;
}

static bool measure_group_interval(const struct figure_input *input, struct figure_estimate *e)
{
    return find_least(input, e, "launch.dispatch", "per_group");
}

/* All Xe-cores start threads at the same time. */
static bool measure_thread_interval(const struct figure_input *input, struct figure_estimate *e)
{
    const struct device *device = input->device;

    if (!find_least(input, e, "launch.dispatch", "per_thread"))
        return false;
    scale(e, (double)(device->slices * device->xe_cores_per_slice));
    return true;
}

static bool measure_atomic_interval(const struct figure_input *input, struct figure_estimate *e)
{
    return find_least(input, e, "atomics.global_add_u32", "per_lane");
}

const struct figure_rule figure_rules[] = {
    {FIGURE_core_clock, measure_core_clock},
    {FIGURE_lanes_32bit, measure_lanes_32bit},
    {FIGURE_math_lanes, measure_math_lanes},
    {FIGURE_wide_step, measure_wide_step},
    {FIGURE_fpu_latency, measure_fpu_latency},
    {FIGURE_accumulator_latency, measure_accumulator_latency},
    {FIGURE_math_latency, measure_math_latency},
    {FIGURE_arf_latency, measure_arf_latency},
    {FIGURE_branch_latency, measure_branch_latency},
    {FIGURE_send_arbitration, measure_send_arbitration},
    {FIGURE_barrier_latency, measure_barrier_latency},
    {FIGURE_gateway_interval, measure_gateway_interval},
    {FIGURE_slm_fence_latency, measure_slm_fence},
    {FIGURE_lsc_fence_latency, measure_global_fence},
    {FIGURE_slm_latency, measure_slm_latency},
    {FIGURE_slm_banks, measure_slm_banks},
    {FIGURE_l1_hit_latency, measure_l1_latency},
    {FIGURE_l3_hit_latency, measure_l3_latency},
    {FIGURE_memory_latency, measure_memory_latency},
    {FIGURE_l1_bytes, measure_l1_bytes},
    {FIGURE_l3_bytes, measure_l3_bytes},
    {FIGURE_group_dispatch_interval, measure_group_interval},
    {FIGURE_thread_dispatch_interval, measure_thread_interval},
    {FIGURE_atomic_interval, measure_atomic_interval},
};

const size_t figure_rule_count = COUNT(figure_rules);
