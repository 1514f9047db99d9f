/* Family `barrier_arrival`: the cost of a work-group barrier when its threads arrive together, when
 * one arrives late, and when arrival and wait are split with work between them. Alone:
 *   vebench run barrier_arrival --axis subgroup_size=16 --axis operations=64
 *
 * In the together_ variants every sub-group does `operations` dependent multiply-adds before the
 * barrier, in the late_ variants only the last one of the work-group. The baseline is the same loop
 * without a barrier, whose time is that of its slowest sub-group: the value excludes the wait for
 * it and is only what the barrier adds. With a split barrier, its latency can hide behind the work.
 */
#include "families/barrier_arrival-reference.h"

#include "measure/common-axes.h"
#include "measure/verify.h"

#include <stdlib.h>

enum { OUT, WITNESS };

enum { OWN_OPERATIONS };

/* Dependent operations per pass of the kernels' work loop. */
#define CHAIN 16u

/* Launches of one configuration alternate between a few iteration counts and shapes. */
#define REFERENCES_KEPT 16

/* In the order of the table at the end. */
static const struct {
    bool late, barrier;
} shapes[] = {{false, false}, {false, true}, {false, true},
              {true, false},  {true, true},  {true, true}};

struct arrival_reference {
    uint32_t iterations; /* 0: empty */
    struct barrier_arrival_shape shape;
    uint32_t *values, *steps; /* owned */
};

struct arrival_references {
    struct arrival_reference reference[REFERENCES_KEPT];
    size_t next;
};

static struct barrier_arrival_shape shape_of(const struct launch *launch)
{
    const struct configuration *c = &launch->configuration;
    struct barrier_arrival_shape shape = {
        .workgroup_size = c->workgroup_size,
        .subgroup_size = c->subgroup_size,
        .operations = c->own[OWN_OPERATIONS],
        .late_from = shapes[launch->variant].late ? c->workgroup_size / c->subgroup_size - 1 : 0,
    };

    shape.span_mask = (launch->purpose == LAUNCH_PROOF ? c->workgroup_size : c->subgroup_size) - 1;
    return shape;
}

static size_t arrival_slm_bytes(const struct configuration *configuration)
{
    return 2 * configuration->workgroup_size * sizeof(uint32_t);
}

static enum status arrival_check(const struct device *device,
                                 const struct configuration *configuration, size_t variant,
                                 struct error *error)
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

static enum status arrival_setup(struct workspace *workspace,
                                 const struct configuration *configuration, struct error *error)
{
    size_t bytes = configuration_items(configuration) * sizeof(uint32_t);
    enum status status = workspace_add(workspace, BUFFER_OUTPUT, bytes, error);

    workspace->own = calloc(1, sizeof(struct arrival_references));
    if (!workspace->own)
        return error_set(error, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, bytes, error);
    return status;
}

static void arrival_teardown(void *own)
{
    struct arrival_references *references = own;

    for (size_t i = 0; i < REFERENCES_KEPT; i++) {
        free(references->reference[i].values);
        free(references->reference[i].steps);
    }
    free(references);
}

static void arrival_arguments(const struct workspace *workspace, const struct launch *launch,
                              struct arguments *arguments)
{
    struct barrier_arrival_shape shape = shape_of(launch);

    argument_buffer(arguments, workspace, OUT);
    argument_buffer(arguments, workspace, WITNESS);
    argument_local(arguments, arrival_slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, shape.operations);
    argument_uint(arguments, shape.late_from);
    argument_uint(arguments, shape.span_mask);
}

static const struct arrival_reference *find_reference(const struct workspace *workspace,
                                                      const struct launch *launch)
{
    struct arrival_references *references = workspace->own;
    struct barrier_arrival_shape shape = shape_of(launch);
    size_t bytes = shape.workgroup_size * sizeof(uint32_t);
    struct arrival_reference *reference;

    for (size_t i = 0; i < REFERENCES_KEPT; i++) {
        reference = &references->reference[i];
        if (reference->iterations == launch->iterations &&
            reference->shape.late_from == shape.late_from &&
            reference->shape.span_mask == shape.span_mask)
            return reference;
    }
    reference = &references->reference[references->next];
    references->next = (references->next + 1) % REFERENCES_KEPT;
    reference->iterations = 0;
    if (!reference->values)
        reference->values = malloc(bytes);
    if (!reference->steps)
        reference->steps = malloc(bytes);
    if (!reference->values || !reference->steps ||
        barrier_arrival_reference(&shape, launch->iterations, reference->values,
                                  reference->steps) != 0)
        return NULL;
    reference->iterations = launch->iterations;
    reference->shape = shape;
    return reference;
}

static enum status arrival_verify(struct workspace *workspace, const struct launch *launch,
                                  struct error *error)
{
    uint32_t size = launch->configuration.workgroup_size;
    const struct arrival_reference *reference = find_reference(workspace, launch);
    const uint32_t *out = workspace->buffers[OUT].result;

    if (!reference)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (uint32_t i = 0; i < size * launch->configuration.workgroup_count; i++) {
        uint32_t expected = reference->values[i % size] + i / size * reference->steps[i % size];

        if (out[i] != expected) {
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations%s: out[%u] is 0x%08x, the host "
                             "computes 0x%08x",
                             (unsigned)launch->iterations,
                             launch->purpose == LAUNCH_PROOF ? " with sub-groups exchanging data"
                                                             : "",
                             (unsigned)i, (unsigned)out[i], (unsigned)expected);
        }
    }
    return verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error);
}

static void arrival_work(const struct configuration *configuration, size_t variant,
                         struct work *work)
{
    unsigned sub_groups =
        shapes[variant].late ? 1 : configuration->workgroup_size / configuration->subgroup_size;

    work->barriers = shapes[variant].barrier ? configuration->workgroup_count : 0;
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
     .entry_point = "barrier_arrival_none",
     .means = "all sub-groups work, and there is no barrier"},
    {.name = "together_whole",
     .entry_point = "barrier_arrival_whole",
     .means = "all sub-groups work, then meet at a barrier",
     .baseline = "together_none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "together_split",
     .entry_point = "barrier_arrival_split",
     .means = "all sub-groups arrive, work, then wait",
     .baseline = "together_none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .sizes = SIZE_8 | SIZE_16,
     .no_size = NO_SPLIT_OF_32,
     .has_proof = true},
    {.name = "late_none",
     .entry_point = "barrier_arrival_none",
     .means = "the last sub-group works, and there is no barrier"},
    {.name = "late_whole",
     .entry_point = "barrier_arrival_whole",
     .means = "the others wait at the barrier for the last sub-group, which works",
     .baseline = "late_none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "late_split",
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
    .ways = "together late",
    .argument_slm_bytes = arrival_slm_bytes,
    .work = arrival_work,
    .check = arrival_check,
    .setup = arrival_setup,
    .arguments = arrival_arguments,
    .verify = arrival_verify,
    .teardown = arrival_teardown,
};
