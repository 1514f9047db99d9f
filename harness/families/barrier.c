/* Family `barrier`: the cost of one synchronisation, from none to a work-group barrier with both
 * fences.
 * Alone: vebench run barrier --axis subgroup_size=16 --axis workgroup_size=64
 *
 * Every kernel runs the same loop, which reads and writes a slot of local memory and an element of
 * global memory that rotate with the iteration, and then synchronises in its own way. In the timed
 * shape slots and elements rotate within one sub-group, whose lanes run in lockstep, so the result
 * is defined with any barrier and with none. In the proof shape they rotate through the whole
 * work-group in the memory that the barrier fences, and only a working barrier gives the right
 * result. */
#include "families/barrier-reference.h"

#include "measure/common-axes.h"
#include "measure/verify.h"

#include <stdlib.h>

#define ITEM_BYTES sizeof(uint32_t)

/* Launches of one configuration alternate between a few iteration counts and shapes. */
#define REFERENCES_KEPT 16

enum { DATA, WITNESS };

struct reference {
    uint32_t iterations; /* 0: empty */
    uint32_t local_mask;
    uint32_t global_mask;
    uint32_t sum_per_group;
    uint32_t *sums; /* one per work-item of a work-group, owned */
};

struct references {
    struct reference reference[REFERENCES_KEPT];
    size_t next;
};

/* In the order of the variants below: is it a work-group barrier, and in which memory does the
 * proof shape widen the rotation? */
static const struct {
    bool is_barrier, widens_local, widens_global;
} kinds[] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 1, 0}, {1, 0, 1},
             {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}};

static void masks_of(const struct launch *launch, uint32_t *local_mask, uint32_t *global_mask)
{
    const struct configuration *c = &launch->configuration;
    unsigned lanes = c->subgroup_size < c->workgroup_size ? c->subgroup_size : c->workgroup_size;

    *local_mask = lanes - 1;
    *global_mask = lanes - 1;
    if (launch->purpose == LAUNCH_PROOF) {
        if (kinds[launch->variant].widens_local)
            *local_mask = c->workgroup_size - 1;
        if (kinds[launch->variant].widens_global)
            *global_mask = c->workgroup_size - 1;
    }
}

static size_t barrier_slm_bytes(const struct configuration *configuration)
{
    return configuration->workgroup_size * ITEM_BYTES;
}

static enum status barrier_setup(struct workspace *workspace,
                                 const struct configuration *configuration, struct error *error)
{
    size_t bytes = configuration_items(configuration) * ITEM_BYTES;
    enum status status = workspace_add(workspace, BUFFER_IN_OUT, bytes, error);

    workspace->own = calloc(1, sizeof(struct references));
    if (!workspace->own)
        return error_set(error, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, bytes, error);
    return status;
}

static void barrier_teardown(void *own)
{
    struct references *references = own;

    for (size_t i = 0; i < REFERENCES_KEPT; i++)
        free(references->reference[i].sums);
    free(references);
}

static void barrier_arguments(const struct workspace *workspace, const struct launch *launch,
                              struct arguments *arguments)
{
    uint32_t local_mask;
    uint32_t global_mask;

    masks_of(launch, &local_mask, &global_mask);
    argument_buffer(arguments, workspace, DATA);
    argument_buffer(arguments, workspace, WITNESS);
    argument_local(arguments, barrier_slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, local_mask);
    argument_uint(arguments, global_mask);
    argument_uint(arguments, (uint32_t)workspace->seed);
}

static const struct reference *find_reference(const struct workspace *workspace,
                                              const struct launch *launch)
{
    struct references *references = workspace->own;
    unsigned size = launch->configuration.workgroup_size;
    struct reference *reference;
    uint32_t local_mask;
    uint32_t global_mask;

    masks_of(launch, &local_mask, &global_mask);
    for (size_t i = 0; i < REFERENCES_KEPT; i++) {
        reference = &references->reference[i];
        if (reference->iterations == launch->iterations && reference->local_mask == local_mask &&
            reference->global_mask == global_mask)
            return reference;
    }
    reference = &references->reference[references->next];
    references->next = (references->next + 1) % REFERENCES_KEPT;
    if (!reference->sums)
        reference->sums = malloc(size * sizeof(*reference->sums));
    if (!reference->sums)
        return NULL;
    reference->iterations = launch->iterations;
    reference->local_mask = local_mask;
    reference->global_mask = global_mask;
    barrier_reference(size, launch->iterations, local_mask, global_mask, (uint32_t)workspace->seed,
                      reference->sums, &reference->sum_per_group);
    return reference;
}

static enum status barrier_verify(struct workspace *workspace, const struct launch *launch,
                                  struct error *error)
{
    const struct configuration *c = &launch->configuration;
    const struct reference *reference = find_reference(workspace, launch);
    const char *shape = launch->purpose == LAUNCH_PROOF ? " with lanes exchanging data" : "";
    const uint32_t *initial = workspace->buffers[DATA].initial;
    const uint32_t *data = workspace->buffers[DATA].result;

    if (!reference)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < workspace->buffers[DATA].bytes / ITEM_BYTES; i++) {
        uint32_t expected = initial[i] + reference->sums[i % c->workgroup_size] +
                            (uint32_t)(i / c->workgroup_size) * reference->sum_per_group;

        if (data[i] != expected) {
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations%s: data[%zu] is 0x%08x, the host "
                             "computes 0x%08x",
                             (unsigned)launch->iterations, shape, i, (unsigned)data[i],
                             (unsigned)expected);
        }
    }
    return verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error);
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS_QUICK_ALL,
    WORKGROUP_SIZE_AXIS("S,2S,64,128,256,512", "S,64,256", "S,2S,64,128,256,512,1024"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C,2C,4C,8C"),
};

static const struct variant variants[] = {
    {.name = "none", .entry_point = "barrier_none", .means = "the loop alone"},
    {.name = "sub_group_local",
     .entry_point = "barrier_sub_group_local",
     .means = "sub_group_barrier, local fence",
     .baseline = "none"},
    {.name = "sub_group_global",
     .entry_point = "barrier_sub_group_global",
     .means = "sub_group_barrier, global fence",
     .baseline = "none"},
    {.name = "work_group_local",
     .entry_point = "barrier_work_group_local",
     .means = "work_group_barrier, local fence",
     .baseline = "none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "work_group_global",
     .entry_point = "barrier_work_group_global",
     .means = "work_group_barrier, global fence",
     .baseline = "none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "work_group_both",
     .entry_point = "barrier_work_group_both",
     .means = "work_group_barrier, both fences",
     .baseline = "none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "sub_group_both",
     .entry_point = "barrier_sub_group_both",
     .means = "sub_group_barrier, both fences",
     .baseline = "none"},
    {.name = "sub_group_none",
     .entry_point = "barrier_sub_group_none",
     .means = "sub_group_barrier without a fence",
     .baseline = "none"},
    {.name = "work_group_none",
     .entry_point = "barrier_work_group_none",
     .means = "work_group_barrier without a fence",
     .baseline = "none",
     .instructions = {"sync\\.bar", "sync\\.bar"}},
};

static void barrier_work(const struct configuration *configuration, size_t variant,
                         struct work *work)
{
    if (kinds[variant].is_barrier)
        work->barriers = configuration->workgroup_count;
}

const struct family family_barrier = {
    .name = "barrier",
    .measures = "the cost of one barrier, by scope and fence",
    .unit = "ns/barrier",
    .baseline_unit = "ns/iteration",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .argument_slm_bytes = barrier_slm_bytes,
    .work = barrier_work,
    .setup = barrier_setup,
    .arguments = barrier_arguments,
    .verify = barrier_verify,
    .teardown = barrier_teardown,
};
