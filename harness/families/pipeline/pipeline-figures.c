/* Device figures from the parameters of family `pipeline`: pipes, branches, sends and barriers. */
#include "families/pipeline/pipeline-variants.h"

#include "model/parameter-name.h"
#include "predict/family-figures.h"

#include <math.h>

#define FAMILY "pipeline"

/* Most 32-bit lanes of one instruction; sub-groups of 32 need two instructions. */
#define WIDEST 16u

/* The smallest sub-group size with a pipeline parameter: there an instruction takes the fewest
 * cycles beyond its latency. 0: there is none. */
static unsigned smallest(const struct figure_input *input, const char *variant)
{
    for (unsigned size = 8; size <= 32; size *= 2) {
        if (parameter_find(input->model, FAMILY, variant, size, "") ||
            parameter_find(input->model, FAMILY, variant, size, "base"))
            return size;
    }
    return 0;
}

/* Cycles for which an instruction of a sub-group occupies a pipe of `lanes` lanes per cycle. */
static double occupancy(unsigned size, uint64_t lanes)
{
    return ceil((double)(size < WIDEST ? size : WIDEST) / (double)lanes);
}

/* Latencies are for 8 lanes; each additional cycle for more lanes adds `wide_step`. */
static double wider(unsigned size, uint64_t lanes)
{
    return occupancy(size, lanes) - occupancy(8, lanes);
}

/* Cycles that an operation on all lanes of a sub-group takes, and possibly more. */
typedef bool time_operation(const struct figure_input *input, struct figure_estimate *e,
                            unsigned size);

/* An instruction occupies a pipe for `whole` cycles. One that takes a single cycle shows only that
 * the pipe has at least as many lanes as the instruction. */
static bool measure_lanes(const struct figure_input *input, struct figure_estimate *e,
                          time_operation *time, double whole(double))
{
    static const unsigned sizes[] = {16, 32, 8};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        double width = sizes[i] < WIDEST ? sizes[i] : WIDEST;

        if (!time(input, e, sizes[i]))
            continue;
        double cycles = fmax(1.0, whole(e->value * width / sizes[i]));
        figure_exact(e, ceil(width / cycles));
        e->is_bound = cycles < 1.5;
        if (e->is_bound)
            e->range.high = INFINITY;
        return true;
    }
    return false;
}

/* Of all rounds, with the loop around them, whose instructions add less than a cycle to each. The
 * rounds that the variant has beyond its baseline may take less time than its others: where the
 * compiler gives those operands that collide in the banks of the register file. */
static bool time_rounds(const struct figure_input *input, struct figure_estimate *e,
                        const char *variant, const char *baseline, double subgroups, unsigned size)
{
    const double few = 3.0, all = 7.0, values = size > WIDEST ? 8.0 : 16.0;
    struct figure_estimate loop;

    if (!figure_time(input, e, FAMILY, variant, size, "") ||
        !figure_time(input, &loop, FAMILY, baseline, size, ""))
        return false;
    figure_scale(e, (all - few) / all);
    figure_combine(e, 1.0 / (all * values * subgroups), &loop);
    return true;
}

static bool time_multiply_add(const struct figure_input *input, struct figure_estimate *e,
                              unsigned size)
{
    return time_rounds(input, e, "lanes", "lanes_few", 1.0, size);
}

static bool time_reciprocal(const struct figure_input *input, struct figure_estimate *e,
                            unsigned size)
{
    return figure_time(input, e, FAMILY, "math_lanes", size, "");
}

/* The engines of an Xe-core take turns with the instructions of many sub-groups. */
static bool measure_shared_lanes(const struct figure_input *input, struct figure_estimate *e)
{
    bool found = false;

    for (unsigned size = 8; size <= 32; size *= 2) {
        struct figure_estimate instruction;

        if (!time_rounds(input, &instruction, "shared_lanes", "shared_lanes_few", PIPELINE_SHARING,
                         size))
            continue;
        double cycles = instruction.value * (double)input->device->ves_per_xe_core;
        *e = instruction;
        figure_exact(e, ceil(size / fmax(1.0, round(cycles))));
        e->is_bound = cycles < 1.5;
        if (!e->is_bound)
            return true;
        e->range.high = INFINITY;
        found = true;
    }
    return found;
}

/* Many sub-groups and one thread both show too few lanes where their instructions wait for
 * something else as well, and never too many: whichever shows more is right. */
static bool measure_lanes_32bit(const struct figure_input *input, struct figure_estimate *e)
{
    struct figure_estimate lone;
    bool shared = measure_shared_lanes(input, e);

    if (!measure_lanes(input, &lone, time_multiply_add, floor))
        return shared;
    if (!shared || lone.value > e->value)
        *e = lone;
    return true;
}

static bool measure_math_lanes(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_lanes(input, e, time_reciprocal, round);
}

/* From sub-groups of 8 and of 16, in the pipe where the latter take more cycles. */
static bool measure_wide_step(const struct figure_input *input, struct figure_estimate *e)
{
    const struct {
        const char *variant;
        uint64_t lanes;
    } pipes[] = {{"register", input->device->lanes_32bit}, {"math", input->device->math_lanes}};

    for (size_t i = 0; i < sizeof(pipes) / sizeof(pipes[0]); i++) {
        double cycles = wider(16, pipes[i].lanes);
        struct figure_estimate narrow;

        if (cycles < 1.0 || !figure_time(input, &narrow, FAMILY, pipes[i].variant, 8, "") ||
            !figure_time(input, e, FAMILY, pipes[i].variant, 16, ""))
            continue;
        figure_combine(e, -1.0, &narrow);
        figure_scale(e, 1.0 / cycles);
        return true;
    }
    return false;
}

static bool measure_latency(const struct figure_input *input, struct figure_estimate *e,
                            const char *variant, uint64_t lanes)
{
    unsigned size = smallest(input, variant);

    if (!figure_time(input, e, FAMILY, variant, size, ""))
        return false;
    figure_shift(e, -wider(size, lanes) * (double)input->device->wide_step);
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

/* The accumulator is available this long after the instruction's last cycle. */
static bool measure_accumulator_latency(const struct figure_input *input, struct figure_estimate *e)
{
    unsigned size = smallest(input, "accumulator");

    if (size > WIDEST || !figure_time(input, e, FAMILY, "accumulator", size, ""))
        return false;
    figure_shift(e, 1.0 - occupancy(size, input->device->lanes_32bit));
    return true;
}

/* A step is the comparison's flag and three instructions that pass results in registers. */
static bool measure_arf_latency(const struct figure_input *input, struct figure_estimate *e)
{
    unsigned size = smallest(input, "flag");
    struct figure_estimate instruction;

    if (size > WIDEST || !figure_time(input, &instruction, FAMILY, "register", size, "") ||
        !figure_time(input, e, FAMILY, "flag", size, ""))
        return false;
    figure_combine(e, -3.0, &instruction);
    return true;
}

/* The loop is its counter, the flag of its comparison and the branch. */
static bool measure_branch_latency(const struct figure_input *input, struct figure_estimate *e)
{
    unsigned size = smallest(input, "loop");
    struct figure_estimate counter, flag;

    if (!measure_fpu_latency(input, &counter) || !measure_arf_latency(input, &flag) ||
        !figure_time(input, e, FAMILY, "loop", size, ""))
        return false;
    figure_combine(e, -1.0, &counter);
    figure_combine(e, -1.0, &flag);
    return true;
}

/* Sub-groups of 32 send two messages. */
static bool measure_send_arbitration(const struct figure_input *input, struct figure_estimate *e)
{
    unsigned size = smallest(input, "send");

    if (!figure_time(input, e, FAMILY, "send", size, ""))
        return false;
    figure_scale(e, size > WIDEST ? 0.5 : 1.0);
    return true;
}

/* A barrier of one hardware thread: its signal and the release, with nothing in between. */
static bool find_barrier(const struct figure_input *input, struct figure_estimate *e,
                         const char *variant, unsigned size)
{
    struct figure_estimate thread;

    if (!figure_time(input, e, FAMILY, variant, size, "base"))
        return false;
    if (figure_time(input, &thread, FAMILY, variant, size, "per_thread"))
        figure_combine(e, 1.0, &thread);
    return true;
}

/* Without the barrier, the loop's next instruction would be issued when the pipe is free of the one
 * before; with it, the instruction is issued at the release, one cycle after the signal. */
static bool measure_barrier_latency(const struct figure_input *input, struct figure_estimate *e)
{
    unsigned size = smallest(input, "barrier");

    if (!find_barrier(input, e, "barrier", size))
        return false;
    figure_shift(e, occupancy(size, input->device->lanes_32bit) - 1.0);
    return true;
}

/* The gateway accepts the signals of a work-group one after the other. */
static bool measure_gateway_interval(const struct figure_input *input, struct figure_estimate *e)
{
    return figure_time(input, e, FAMILY, "barrier", smallest(input, "barrier"), "per_thread");
}

/* What a fence adds to a barrier, less the cycle to issue the instruction that waits for it. */
static bool measure_fence(const struct figure_input *input, struct figure_estimate *e,
                          const char *variant)
{
    unsigned size = smallest(input, variant);
    struct figure_estimate barrier;

    if (!find_barrier(input, &barrier, "barrier", size) || !find_barrier(input, e, variant, size))
        return false;
    figure_combine(e, -1.0, &barrier);
    figure_shift(e, -1.0);
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

#define SWEEP        "vebench run pipeline --axis subgroup_size=8,16"
#define SHARED_SWEEP "vebench run pipeline --axis subgroup_size=16,32 --axis workgroup_size=32S"

#define SPREAD_SWEEP                                                                               \
    "vebench run pipeline --variant spread_lanes --axis subgroup_size=16 "                         \
    "--axis workgroup_size=2S,4S,16S --axis workgroup_count=C,8C"

#define WAIT_SWEEP                                                                                 \
    "vebench run pipeline --variant old_wait --axis subgroup_size=16,32 --axis workgroup_size=32S"

static const char *const spread_lanes[] = {PIPELINE_SPREAD_LANES, NULL};
static const char *const old_waits[] = {PIPELINE_OLD_WAITS, NULL};

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_lanes_32bit, measure_lanes_32bit, FAMILY, SHARED_SWEEP},
    {VESIM_FIGURE_math_lanes, measure_math_lanes, FAMILY, SWEEP},
    {VESIM_FIGURE_wide_step, measure_wide_step, FAMILY, SWEEP},
    {VESIM_FIGURE_fpu_latency, measure_fpu_latency, FAMILY, SWEEP},
    {VESIM_FIGURE_accumulator_latency, measure_accumulator_latency, FAMILY, SWEEP},
    {VESIM_FIGURE_math_latency, measure_math_latency, FAMILY, SWEEP},
    {VESIM_FIGURE_arf_latency, measure_arf_latency, FAMILY, SWEEP},
    {VESIM_FIGURE_branch_latency, measure_branch_latency, FAMILY, SWEEP},
    {VESIM_FIGURE_send_arbitration, measure_send_arbitration, FAMILY, SWEEP},
    {VESIM_FIGURE_barrier_latency, measure_barrier_latency, FAMILY, SWEEP},
    {VESIM_FIGURE_gateway_interval, measure_gateway_interval, FAMILY, SWEEP},
    {VESIM_FIGURE_slm_fence_latency, measure_slm_fence, FAMILY, SWEEP},
    {VESIM_FIGURE_lsc_fence_latency, measure_global_fence, FAMILY, SWEEP},
    {VESIM_FIGURE_group_batch, NULL, FAMILY, SPREAD_SWEEP, spread_lanes},
    {VESIM_FIGURE_issue_lowest, NULL, FAMILY, WAIT_SWEEP, old_waits},
};

const struct family_figures family_pipeline_figures = {rules, sizeof(rules) / sizeof(rules[0])};
