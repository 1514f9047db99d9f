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
 * Xe-core busy. `spread_lanes` tells how work-groups are spread over Xe-cores that could hold more:
 * those that get more than others take longer. `old_wait` and `young_wait` tell whose turn it is
 * on an engine where one thread waits for loads and another never does: where old ones go first the
 * first takes little longer than either does alone, otherwise as long as both one after the other.
 * There is no chain of 64-bit instructions: for these
 * devices the compiler builds them from 32-bit ones. */
#include "families/pipeline/pipeline-variants.h"

#include "family/common-axes.h"
#include "family/verify.h"

enum { DATA, WITNESS };

#define LARGEST   16777216.0f /* first whole number that adding 1.0f leaves unchanged */
#define ONE       0x3f800000u /* 1.0f */
#define MINUS_ONE 0xbf800000u
#define ODD       0x9e3779b1u
#define SHIFT     5u
#define POWER     0x3e000000u /* 2^-3 */

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
                                  const struct variant *variant, struct error *error)
{
    const struct pipeline_variant *own = variant->own;

    if (own->sharing == PIPELINE_SPREAD && c->workgroup_count == 1)
        return error_set(error, STATUS_EXCLUDED,
                         "it concerns several work-groups: measured with workgroup_count=C,8C");
    if (own->sharing != PIPELINE_SPREAD && c->workgroup_count > device_xe_cores(device))
        return error_set(error, STATUS_EXCLUDED,
                         "it concerns a single Xe-core: measured with workgroup_count=1");
    if (own->sharing == PIPELINE_ALONE && c->workgroup_size > c->subgroup_size)
        return error_set(error, STATUS_EXCLUDED,
                         "it concerns a single hardware thread: measured with workgroup_size=S");
    if (own->sharing == PIPELINE_SHARED && c->workgroup_size != PIPELINE_SHARING * c->subgroup_size)
        return error_set(error, STATUS_EXCLUDED,
                         "it concerns an Xe-core's pipes: measured with workgroup_size=%uS",
                         PIPELINE_SHARING);
    return STATUS_OK;
}

static const struct buffer_plan buffers[] = {
    [DATA] = {"data", BUFFER_IN_OUT},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

/* Arguments a and b of the kernel. */
static uint32_t argument_a(const struct pipeline_variant *variant)
{
    switch (variant->kind) {
    case PIPELINE_REGISTER:
        return SHIFT;
    case PIPELINE_ACCUMULATOR:
        return ONE;
    case PIPELINE_LANES:
        return MINUS_ONE;
    case PIPELINE_MATH:
    case PIPELINE_MATH_LANES:
        return 3;
    default:
        return ODD;
    }
}

static void pipeline_arguments(const struct workspace *workspace, const struct launch *launch,
                               struct arguments *arguments)
{
    (void)workspace;
    argument_local(arguments, pipeline_slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, argument_a(launch->variant->own));
    argument_uint(arguments, ONE);
}

static uint32_t rotate(uint32_t v, unsigned places)
{
    return v << places | v >> (32u - places);
}

/* One iteration of a kernel whose result can be computed only by running all of them; `added` is
 * what some add in each step. */
static uint32_t iterate(uint32_t v, uint32_t added, uint32_t i, enum pipeline_kind kind,
                        unsigned steps)
{
    for (unsigned step = 0; step < steps; step++) {
        switch (kind) {
        case PIPELINE_LOOP:
            v = v * 5 + ODD;
            break;
        case PIPELINE_REGISTER:
            v = rotate(v, SHIFT) + i;
            break;
        case PIPELINE_PRODUCT:
            v *= ODD;
            break;
        case PIPELINE_FLAG:
            v = rotate(v, v < ODD ? 7u : 11u);
            break;
        default:
            v = (v + added) ^ i;
            break;
        }
    }
    return v;
}

static uint32_t run(uint32_t v, uint32_t added, uint32_t n, enum pipeline_kind kind, unsigned steps)
{
    for (uint32_t i = 0; i < n; i++)
        v = iterate(v, added, i, kind, steps);
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

/* What the item's sub-group does, and in how many steps. */
static enum pipeline_kind work_of(const struct configuration *c,
                                  const struct pipeline_variant *variant, size_t item,
                                  unsigned *steps)
{
    size_t subgroup = item % c->workgroup_size / c->subgroup_size;
    bool is_old = subgroup < c->workgroup_size / c->subgroup_size / 2;

    *steps = variant->steps;
    if (variant->kind != PIPELINE_OLD_WAIT && variant->kind != PIPELINE_YOUNG_WAIT)
        return variant->kind;
    if (is_old != (variant->kind == PIPELINE_OLD_WAIT))
        return PIPELINE_WORDS;
    *steps = PIPELINE_WAITS;
    return PIPELINE_BARRIER; /* whose loops, with and without one, are of such loads */
}

/* Kinds with several values in a work-item. */
static bool has_values(enum pipeline_kind kind)
{
    return kind == PIPELINE_LANES || kind == PIPELINE_MATH_LANES || kind == PIPELINE_WORDS;
}

static uint32_t expected_of(const struct buffer *data, const struct launch *launch, size_t item)
{
    uint32_t first = ((const uint32_t *)data->initial)[item];
    unsigned steps;
    enum pipeline_kind kind = work_of(&launch->configuration, launch->variant->own, item, &steps);
    uint32_t n = launch->iterations, v = has_values(kind) ? 0 : first;

    switch (kind) {
    case PIPELINE_SEND: /* plus the last value stored */
        return first + n * ODD + first + (n ? (n - 1) * ODD : 0);
    case PIPELINE_ACCUMULATOR:
        return sum_of(first & 0xffu, (uint64_t)n * steps);
    case PIPELINE_MATH:
        return power_of(first, n);
    case PIPELINE_LANES:
        for (uint32_t k = 0; k < values_of(&launch->configuration); k++)
            v += ((first >> k ^ n * steps) & 1u) * MINUS_ONE;
        return v;
    case PIPELINE_MATH_LANES:
        for (uint32_t k = 0; k < values_of(&launch->configuration); k++)
            v += power_of(first + k, n);
        return v;
    case PIPELINE_WORDS:
        for (uint32_t k = 0; k < values_of(&launch->configuration); k++)
            v += run(first + k, ODD, n, kind, steps);
        return v;
    default:
        return run(v, first, n, kind, steps);
    }
}

static enum status pipeline_verify(struct workspace *workspace, const struct launch *launch,
                                   struct error *error)
{
    return verify_each(workspace, DATA, expected_of, launch, error);
}

static void pipeline_work(const struct configuration *c, const struct variant *variant,
                          struct work *work)
{
    const struct pipeline_variant *own = variant->own;
    enum pipeline_kind kind = own->kind;

    work->units = own->units;
    if (work->units > 1.0 && (kind == PIPELINE_LANES || kind == PIPELINE_MATH_LANES))
        work->units *= values_of(c);
    if (work->units > 1.0 && own->sharing == PIPELINE_SHARED)
        work->units *= PIPELINE_SHARING;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("S,64,256,32S", "S", "S,4S,16S,64,256,512,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

/* Each Xe-core has something to do, if no other is given more. Groups of two threads show that of
 * up to 64 in a row, as an Xe-core has room for them. */
static const char *const default_points[] = {
    "subgroup_size=16 workgroup_size=16S workgroup_count=C",
    "subgroup_size=16 workgroup_size=4S workgroup_count=C",
    "subgroup_size=16 workgroup_size=2S workgroup_count=8C", NULL};

const struct family family_pipeline = {
    .name = "pipeline",
    .measures = "the pipes of a vector engine: latencies and lanes of instructions",
    .unit = "ns/instruction",
    .baseline_unit = "ns/iteration",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .default_points = default_points,
    .variants = pipeline_variants,
    .variant_count = PIPELINE_VARIANTS,
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .argument_slm_bytes = pipeline_slm_bytes,
    .work = pipeline_work,
    .check = pipeline_check,
    .arguments = pipeline_arguments,
    .verify = pipeline_verify,
};
