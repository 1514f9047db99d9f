/* Family `pipeline`: the timing of a vector engine's pipes, one kind of instruction at a time.
 * Alone: vebench run pipeline --axis subgroup_size=8
 *
 * A chain of dependent instructions shows their latency, many independent ones show how many lanes
 * the pipe takes per cycle. Each kernel exists with many steps per iteration and with few, and the
 * value is the difference, so the loop cancels out. The cost of an iteration of the loop itself is
 * `loop`. Barriers are measured here as well as in family `barrier` because here nothing else
 * happens: no thread waits for a port that others use, and fences find nothing outstanding.
 *
 * Chains, stores and fences concern one hardware thread and are measured in work-groups of one
 * sub-group; what shares the gateway is measured in larger ones too. One thread cannot keep a pipe
 * busy that takes all its lanes in a cycle: in `shared_lanes` 32 sub-groups keep those of an
 * Xe-core busy. There is no chain of
 * 64-bit instructions: for these devices the compiler builds them from 32-bit ones. */
#include "measure/common-axes.h"
#include "measure/verify.h"

#include <stdlib.h>

enum { DATA, WITNESS };

/* As in spirv_kernels/pipeline.cl. */
#define FEW         8u
#define MANY        32u
#define MORE_ROUNDS 4u /* of independent instructions, beyond the baseline's */

#define SHARING     32u /* sub-groups that keep the pipes of an Xe-core busy */

#define LARGEST     16777216.0f /* first whole number that adding 1.0f leaves unchanged */
#define ONE         0x3f800000u /* 1.0f */
#define MINUS_ONE   0xbf800000u
#define ODD         0x9e3779b1u
#define SHIFT       5u
#define POWER       0x3e000000u /* 2^-3 */

enum kind {
    LOOP,
    REGISTER,
    ACCUMULATOR,
    PRODUCT,
    FLAG,
    MATH,
    LANES,
    MATH_LANES,
    SEND,
    BARRIER,
};

/* Sub-groups of a work-group that are of interest. */
enum sharing { ALONE, ANY_NUMBER, SHARED };

/* In the order of the variants below: kind, steps per iteration, units counted beyond the baseline.
 */
static const struct {
    enum kind kind;
    unsigned steps;
    unsigned units;
    enum sharing sharing;
} traits[] = {
    {LOOP, 1, 1, ALONE},
    {REGISTER, FEW, 1, ALONE},
    {REGISTER, MANY, 2 * (MANY - FEW), ALONE},
    {ACCUMULATOR, FEW, 1, ALONE},
    {ACCUMULATOR, MANY, MANY - FEW, ALONE},
    {PRODUCT, FEW, 1, ALONE},
    {PRODUCT, MANY, MANY - FEW, ALONE},
    {FLAG, FEW, 1, ALONE},
    {FLAG, MANY, MANY - FEW, ALONE},
    {MATH, FEW, 1, ALONE},
    {MATH, MANY, MANY - FEW, ALONE},
    {LANES, 3, 1, ALONE},
    {LANES, 7, MORE_ROUNDS, ALONE},
    {LANES, 3, 1, SHARED},
    {LANES, 7, MORE_ROUNDS, SHARED},
    {LANES, 3, 1, ALONE},
    {LANES, 7, MORE_ROUNDS, ALONE},
    {MATH_LANES, 2, 1, ALONE},
    {MATH_LANES, 6, MORE_ROUNDS, ALONE},
    {SEND, FEW, 1, ALONE},
    {SEND, MANY, MANY - FEW, ALONE},
    {BARRIER, 1, 1, ANY_NUMBER},
    {BARRIER, 1, 1, ANY_NUMBER},
    {BARRIER, 1, 1, ALONE},
    {BARRIER, 1, 1, ALONE},
};

/* Values in the kernels whose instructions are independent. */
static unsigned values_of(const struct configuration *configuration)
{
    return configuration->subgroup_size == 32 ? 8 : 16;
}

static size_t pipeline_slm_bytes(const struct configuration *configuration)
{
    return configuration->workgroup_size * sizeof(uint32_t);
}

static enum status pipeline_check(const struct device *device, const struct configuration *c,
                                  size_t variant, struct error *error)
{
    (void)device;
    if (traits[variant].sharing == ALONE && c->workgroup_size > c->subgroup_size)
        return error_set(error, STATUS_EXCLUDED,
                         "it concerns a single hardware thread: measured with workgroup_size=S");
    if (traits[variant].sharing == SHARED && c->workgroup_size != SHARING * c->subgroup_size)
        return error_set(error, STATUS_EXCLUDED,
                         "it concerns an Xe-core's pipes: measured with workgroup_size=%uS",
                         SHARING);
    return STATUS_OK;
}

static enum status pipeline_setup(struct workspace *workspace, const struct configuration *c,
                                  struct error *error)
{
    size_t bytes = configuration_items(c) * sizeof(uint32_t);
    enum status status = workspace_add(workspace, BUFFER_IN_OUT, bytes, error);

    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, bytes, error);
    return status;
}

/* Arguments a and b of the kernel. */
static uint32_t argument_a(size_t variant)
{
    switch (traits[variant].kind) {
    case REGISTER:
        return SHIFT;
    case ACCUMULATOR:
        return ONE;
    case LANES:
        return MINUS_ONE;
    case MATH:
    case MATH_LANES:
        return 3;
    default:
        return ODD;
    }
}

static void pipeline_arguments(const struct workspace *workspace, const struct launch *launch,
                               struct arguments *arguments)
{
    argument_buffer(arguments, workspace, DATA);
    argument_buffer(arguments, workspace, WITNESS);
    argument_local(arguments, pipeline_slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, argument_a(launch->variant));
    argument_uint(arguments, ONE);
}

static uint32_t rotate(uint32_t v, unsigned places)
{
    return v << places | v >> (32u - places);
}

/* One iteration of a kernel whose result can be computed only by running all of them; `first` is
 * the work-item's start value. */
static uint32_t iterate(uint32_t v, uint32_t first, uint32_t i, enum kind kind, unsigned steps)
{
    for (unsigned step = 0; step < steps; step++) {
        switch (kind) {
        case LOOP:
            v = v * 5 + ODD;
            break;
        case REGISTER:
            v = rotate(v, SHIFT) + i;
            break;
        case PRODUCT:
            v *= ODD;
            break;
        case FLAG:
            v = rotate(v, v < ODD ? 7u : 11u);
            break;
        default:
            v = (v + first) ^ i;
            break;
        }
    }
    return v;
}

/* Adds 1 to `first` n times, in floats. */
static uint32_t sum_of(uint32_t first, uint64_t n)
{
    uint64_t sum = first + n;

    return sum < (uint64_t)LARGEST ? (uint32_t)sum : (uint32_t)LARGEST;
}

/* An even number of reciprocals leaves a power of 2 as it was; then the low two bits of the
 * iteration's number are xored into the exponent. */
static uint32_t power_of(uint32_t first, uint32_t iterations)
{
    uint32_t mixed = first & 3u;

    /* The numbers 0 to 3 xor to 0. */
    for (uint32_t i = iterations & ~3u; i < iterations; i++)
        mixed ^= i & 3u;
    return POWER | mixed << 23;
}

static uint32_t expected_of(uint32_t first, const struct launch *launch)
{
    enum kind kind = traits[launch->variant].kind;
    unsigned steps = traits[launch->variant].steps;
    uint32_t n = launch->iterations, v = kind == LANES || kind == MATH_LANES ? 0 : first;

    switch (kind) {
    case SEND: /* plus the last value stored */
        return first + n * ODD + first + (n ? (n - 1) * ODD : 0);
    case ACCUMULATOR:
        return sum_of(first & 0xffu, (uint64_t)n * steps);
    case MATH:
        return power_of(first, n);
    case LANES:
        for (uint32_t k = 0; k < values_of(&launch->configuration); k++)
            v += ((first >> k ^ n * steps) & 1u) * MINUS_ONE;
        return v;
    case MATH_LANES:
        for (uint32_t k = 0; k < values_of(&launch->configuration); k++)
            v += power_of(first + k, n);
        return v;
    default:
        for (uint32_t i = 0; i < n; i++)
            v = iterate(v, first, i, kind, steps);
        return v;
    }
}

static enum status pipeline_verify(struct workspace *workspace, const struct launch *launch,
                                   struct error *error)
{
    const struct buffer *data = &workspace->buffers[DATA];
    const uint32_t *initial = data->initial;
    size_t items = data->bytes / sizeof(uint32_t);
    uint32_t *expected = malloc(data->bytes);

    if (!expected)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < items; i++)
        expected[i] = expected_of(initial[i], launch);
    enum status status = verify_uints(data, "data", expected, items, launch, error);
    free(expected);
    if (status == STATUS_OK)
        status = verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error);
    return status;
}

static void pipeline_work(const struct configuration *c, size_t variant, struct work *work)
{
    enum kind kind = traits[variant].kind;

    work->units = traits[variant].units;
    if (work->units > 1.0 && (kind == LANES || kind == MATH_LANES))
        work->units *= values_of(c);
    if (work->units > 1.0 && traits[variant].sharing == SHARED)
        work->units *= SHARING;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("S,64,256,32S", "S", "S,4S,16S,64,256,512,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

#define BASELINE(name_, what)                                                                      \
    {                                                                                              \
        .name = name_ "_few", .entry_point = "pipeline_" name_ "_few", .means = what               \
    }
#define STEPS(name_, unit_, what, xe_hpg, gen12lp)                                                 \
    {                                                                                              \
        .name = name_, .entry_point = "pipeline_" name_, .means = what, .baseline = name_ "_few",  \
        .unit = unit_, .instructions = {                                                           \
            xe_hpg,                                                                                \
            gen12lp                                                                                \
        }                                                                                          \
    }
#define BARRIER_OF(name_, what, xe_hpg, gen12lp)                                                   \
    {                                                                                              \
        .name = name_, .entry_point = "pipeline_" name_, .means = what, .baseline = "no_barrier",  \
        .unit = "ns/barrier", .instructions = {                                                    \
            xe_hpg,                                                                                \
            gen12lp                                                                                \
        }                                                                                          \
    }

static const struct variant variants[] = {
    {.name = "loop",
     .entry_point = "pipeline_loop",
     .means = "a loop of one multiply-add",
     .instructions = {"goto", "while"}},
    BASELINE("register", "8 times rotate and add"),
    STEPS("register", "ns/instruction", "32 times: results handed on in registers", " rol ",
          " rol "),
    BASELINE("accumulator", "8 multiply-adds of one float"),
    STEPS("accumulator", "ns/instruction", "32 of them: the value stays in the accumulator",
          "mad .* acc0", "mad .* acc0"),
    BASELINE("product", "8 multiplications of 32 bits, one after another"),
    STEPS("product", "ns/multiplication", "32 of them", "mach", "mach"),
    BASELINE("flag", "8 times compare, select by the flag, convert, rotate"),
    STEPS("flag", "ns/step", "32 times", "\\(~?f[01]\\.[01]\\) +sel", "\\(~?f[01]\\.[01]\\) +sel"),
    BASELINE("math", "8 reciprocals, one after another"),
    STEPS("math", "ns/instruction", "32 of them", "math\\.inv", "math\\.inv"),
    BASELINE("lanes", "3 rounds of multiply-adds that do not depend on each other"),
    STEPS("lanes", "ns/instruction", "7 rounds of them", " mad ", " mad "),
    {.name = "shared_lanes_few",
     .entry_point = "pipeline_lanes_few",
     .means = "the same 3 rounds by 32 sub-groups at once"},
    {.name = "shared_lanes",
     .entry_point = "pipeline_lanes",
     .means = "7 rounds: an instruction of the Xe-core, whose engines are all busy",
     .baseline = "shared_lanes_few",
     .unit = "ns/instruction",
     .instructions = {" mad ", " mad "}},
    BASELINE("operands", "3 rounds of multiply-adds that take one value twice"),
    STEPS("operands", "ns/instruction", "7 rounds of them", " mad ", " mad "),
    BASELINE("math_lanes", "2 rounds of reciprocals that do not depend on each other"),
    STEPS("math_lanes", "ns/instruction", "6 rounds of them", "math\\.inv", "math\\.inv"),
    BASELINE("send", "8 stores to local memory"),
    STEPS("send", "ns/message", "32 of them", "send\\.slm", "send\\.dc1"),
    {.name = "no_barrier",
     .entry_point = "pipeline_no_barrier",
     .means = "a loop of one load from local memory"},
    BARRIER_OF("barrier", "a barrier without a fence behind the load", "sync\\.bar", "sync\\.bar"),
    BARRIER_OF("barrier_local", "with a fence of local memory", "send\\.slm .*fence",
               "send\\.dc0 .* synch"),
    BARRIER_OF("barrier_global", "with a fence of global memory", "send\\.ugm .*fence",
               "send\\.dc0 .* synch"),
};

const struct family family_pipeline = {
    .name = "pipeline",
    .measures = "the pipes of a vector engine: latencies and lanes of instructions",
    .unit = "ns/instruction",
    .baseline_unit = "ns/iteration",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .argument_slm_bytes = pipeline_slm_bytes,
    .work = pipeline_work,
    .check = pipeline_check,
    .setup = pipeline_setup,
    .arguments = pipeline_arguments,
    .verify = pipeline_verify,
};
