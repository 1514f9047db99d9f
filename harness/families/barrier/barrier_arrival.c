/* Family `barrier_arrival`: the cost of a work-group barrier when its threads arrive together, when
 * one arrives late, and when arrival and wait are split with work between them. Alone:
 *   vebench run barrier_arrival --axis subgroup_size=16 --axis operations=64
 *
 * In the together_ variants every sub-group does `operations` dependent multiply-adds before the
 * barrier, in the late_ variants only the last one of the work-group. The baseline is the same loop
 * without a barrier, whose time is that of its slowest sub-group: the value excludes the wait for
 * it and is only what the barrier adds. With a split barrier, its latency can hide behind the work.
 */
#include "families/barrier/barrier_arrival-reference.h"

#include "family/common-axes.h"
#include "family/verify.h"

enum { OUT, WITNESS };

enum { OWN_OPERATIONS };

/* Dependent operations per pass of the kernels' work loop. */
#define CHAIN 16u

struct arrival {
    bool late, barrier;
};

static const struct buffer_plan buffers[] = {
    [OUT] = {"out", BUFFER_OUTPUT},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static struct barrier_arrival_shape shape_of(const struct launch *launch)
{
    const struct configuration *c = &launch->configuration;
    const struct arrival *arrival = launch->variant->own;
    struct barrier_arrival_shape shape = {
        .workgroup_size = c->workgroup_size,
        .subgroup_size = c->subgroup_size,
        .operations = c->own[OWN_OPERATIONS],
        .late_from = arrival->late ? c->workgroup_size / c->subgroup_size - 1 : 0,
    };

    shape.span_mask = (launch->purpose == LAUNCH_PROOF ? c->workgroup_size : c->subgroup_size) - 1;
    return shape;
}

static size_t arrival_slm_bytes(const struct configuration *configuration)
{
    return 2 * configuration->workgroup_size * sizeof(uint32_t);
}

static enum status arrival_check(const struct device *device,
                                 const struct configuration *configuration,
                                 const struct variant *variant, struct error *error)
{
    (void)device;
    (void)variant;
    if (configuration->workgroup_size < 2 * configuration->subgroup_size)
        return error_set(error, STATUS_EXCLUDED, "a single sub-group has nothing to wait for");
    if (configuration->own[OWN_OPERATIONS] % CHAIN)
        return error_set(error, STATUS_EXCLUDED,
                         "the work comes in chains of %u "
                         "operations",
                         CHAIN);
    return STATUS_OK;
}

static void arrival_arguments(const struct workspace *workspace, const struct launch *launch,
                              struct arguments *arguments)
{
    struct barrier_arrival_shape shape = shape_of(launch);

    (void)workspace;
    argument_local(arguments, arrival_slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, shape.operations);
    argument_uint(arguments, shape.late_from);
    argument_uint(arguments, shape.span_mask);
}

/* The values of the first work-group, then their steps from one to the next. */
static const uint32_t *find_values(struct workspace *workspace, const struct launch *launch,
                                   struct error *error)
{
    struct {
        uint32_t iterations;
        struct barrier_arrival_shape shape;
    } key = {launch->iterations, shape_of(launch)};
    size_t size = key.shape.workgroup_size;
    bool is_new;
    uint32_t *values =
        workspace_keep(workspace, &key, sizeof(key), 3 * size * sizeof(*values), &is_new, error);

    if (values && is_new)
        barrier_arrival_reference(&key.shape, key.iterations, values, values + size,
                                  values + 2 * size);
    return values;
}

static enum status arrival_verify(struct workspace *workspace, const struct launch *launch,
                                  struct error *error)
{
    const struct buffer *out = &workspace->buffers[OUT];
    const uint32_t *values = find_values(workspace, launch, error);
    uint32_t *expected = workspace_scratch(workspace, out->bytes, error);
    uint32_t size = launch->configuration.workgroup_size;
    size_t items = out->bytes / sizeof(*expected);

    if (!values || !expected)
        return STATUS_FAILED;
    for (size_t i = 0; i < items; i++)
        expected[i] = values[i % size] + (uint32_t)(i / size) * values[size + i % size];
    enum status status = verify_uints(out, expected, items, launch, error);
    if (status != STATUS_OK && launch->purpose == LAUNCH_PROOF)
        error_append(error, " (sub-groups exchanging data)");
    return status;
}

static void arrival_work(const struct configuration *configuration, const struct variant *variant,
                         struct work *work)
{
    const struct arrival *arrival = variant->own;
    unsigned sub_groups =
        arrival->late ? 1 : configuration->workgroup_size / configuration->subgroup_size;

    work->barriers = arrival->barrier ? configuration->workgroup_count : 0;
    work->flops = 2.0 * configuration->own[OWN_OPERATIONS] * sub_groups *
                  configuration->subgroup_size * configuration->workgroup_count;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("64", NULL, "2S,64,256,1024"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C,4C"),
    {.name = "operations",
     .means = "dependent multiply-adds before the barrier, a multiple of 16",
     .defaults = "0,64,256",
     .quick = "64",
     .full = "0,16,64,256,1024",
     .kind = AXIS_COUNT,
     .least = 0,
     .largest = 65536},
};

/* Seen with intel-graphics-compiler 1.0.12504.6. */
#define NO_SPLIT_OF_32                                                                             \
    "at 32 lanes the compiler signals a split barrier once for each half of them, which hangs"

static const struct variant variants[] = {
    {.name = "together_none",
     .operation = "none",
     .method = "together",
     .own = &(const struct arrival){.late = false, .barrier = false},
     .entry_point = "barrier_arrival_none",
     .means = "all sub-groups work, and there is no barrier"},
    {.name = "together_whole",
     .operation = "whole",
     .method = "together",
     .own = &(const struct arrival){.late = false, .barrier = true},
     .entry_point = "barrier_arrival_whole",
     .means = "all sub-groups work, then meet at a barrier",
     .baseline = "together_none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "together_split",
     .operation = "split",
     .method = "together",
     .own = &(const struct arrival){.late = false, .barrier = true},
     .entry_point = "barrier_arrival_split",
     .means = "all sub-groups arrive, work, then wait",
     .baseline = "together_none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .sizes = SIZE_8 | SIZE_16,
     .no_size = NO_SPLIT_OF_32,
     .has_proof = true},
    {.name = "late_none",
     .operation = "none",
     .method = "late",
     .own = &(const struct arrival){.late = true, .barrier = false},
     .entry_point = "barrier_arrival_none",
     .means = "the last sub-group works, and there is no barrier"},
    {.name = "late_whole",
     .operation = "whole",
     .method = "late",
     .own = &(const struct arrival){.late = true, .barrier = true},
     .entry_point = "barrier_arrival_whole",
     .means = "the others wait at the barrier for the last sub-group, which works",
     .baseline = "late_none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "late_split",
     .operation = "split",
     .method = "late",
     .own = &(const struct arrival){.late = true, .barrier = true},
     .entry_point = "barrier_arrival_split",
     .means = "the last sub-group works between arriving and waiting",
     .baseline = "late_none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .sizes = SIZE_8 | SIZE_16,
     .no_size = NO_SPLIT_OF_32,
     .has_proof = true},
};

const struct family family_barrier_arrival = {
    .name = "barrier_arrival",
    .measures = "a work-group barrier, by how its sub-groups arrive",
    .unit = "ns/barrier",
    .baseline_unit = "ns/iteration",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .argument_slm_bytes = arrival_slm_bytes,
    .work = arrival_work,
    .check = arrival_check,
    .arguments = arrival_arguments,
    .verify = arrival_verify,
};
