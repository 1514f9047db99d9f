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
#include "families/barrier/barrier-reference.h"

#include "family/common-axes.h"
#include "family/verify.h"

#define ITEM_BYTES sizeof(uint32_t)

enum { DATA, WITNESS };

/* What is known of a variant beyond its kernel. */
struct barrier {
    bool is_of_workgroup;
    bool widens_local, widens_global; /* the memory in which the proof shape widens the rotation */
};

static const struct barrier no_barrier = {0};

static const struct buffer_plan buffers[] = {
    [DATA] = {"data", BUFFER_IN_OUT},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static void masks_of(const struct launch *launch, uint32_t *local_mask, uint32_t *global_mask)
{
    const struct configuration *c = &launch->configuration;
    const struct barrier *barrier = launch->variant->own;
    unsigned lanes = c->subgroup_size < c->workgroup_size ? c->subgroup_size : c->workgroup_size;

    *local_mask = lanes - 1;
    *global_mask = lanes - 1;
    if (launch->purpose == LAUNCH_PROOF) {
        if (barrier->widens_local)
            *local_mask = c->workgroup_size - 1;
        if (barrier->widens_global)
            *global_mask = c->workgroup_size - 1;
    }
}

static size_t barrier_slm_bytes(const struct configuration *configuration)
{
    return configuration->workgroup_size * ITEM_BYTES;
}

static void barrier_arguments(const struct workspace *workspace, const struct launch *launch,
                              struct arguments *arguments)
{
    uint32_t local_mask;
    uint32_t global_mask;

    masks_of(launch, &local_mask, &global_mask);
    argument_local(arguments, barrier_slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, local_mask);
    argument_uint(arguments, global_mask);
    argument_uint(arguments, (uint32_t)workspace->seed);
}

/* What the work-items of the first work-group add, one by one, and then what all of them add more
 * in each further one. */
static const uint32_t *find_sums(struct workspace *workspace, const struct launch *launch,
                                 struct error *error)
{
    unsigned size = launch->configuration.workgroup_size;
    struct {
        uint32_t iterations, local_mask, global_mask;
    } key = {.iterations = launch->iterations};
    bool is_new;

    masks_of(launch, &key.local_mask, &key.global_mask);
    uint32_t *sums =
        workspace_keep(workspace, &key, sizeof(key), (size + 1) * sizeof(*sums), &is_new, error);
    if (sums && is_new)
        barrier_reference(size, key.iterations, key.local_mask, key.global_mask,
                          (uint32_t)workspace->seed, sums, &sums[size]);
    return sums;
}

static enum status barrier_verify(struct workspace *workspace, const struct launch *launch,
                                  struct error *error)
{
    const struct buffer *data = &workspace->buffers[DATA];
    const uint32_t *initial = data->initial, *sums = find_sums(workspace, launch, error);
    uint32_t *expected = workspace_scratch(workspace, data->bytes, error);
    size_t items = data->bytes / ITEM_BYTES, size = launch->configuration.workgroup_size;

    if (!sums || !expected)
        return STATUS_FAILED;
    for (size_t i = 0; i < items; i++)
        expected[i] = initial[i] + sums[i % size] + (uint32_t)(i / size) * sums[size];
    enum status status = verify_uints(data, expected, items, launch, error);
    if (status != STATUS_OK && launch->purpose == LAUNCH_PROOF)
        error_append(error, " (lanes exchanging data)");
    return status;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS_QUICK_ALL,
    WORKGROUP_SIZE_AXIS("S,2S,64,128,256,512,1024", "S,64,256,512", "S,2S,64,128,256,512,1024"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C,2C,4C,8C"),
};

static const struct variant variants[] = {
    {.name = "none", .own = &no_barrier, .entry_point = "barrier_none", .means = "the loop alone"},
    {.name = "sub_group_local",
     .own = &no_barrier,
     .entry_point = "barrier_sub_group_local",
     .means = "sub_group_barrier, local fence",
     .baseline = "none"},
    {.name = "sub_group_global",
     .own = &no_barrier,
     .entry_point = "barrier_sub_group_global",
     .means = "sub_group_barrier, global fence",
     .baseline = "none"},
    {.name = "work_group_local",
     .own = &(const struct barrier){.is_of_workgroup = true, .widens_local = true},
     .entry_point = "barrier_work_group_local",
     .means = "work_group_barrier, local fence",
     .baseline = "none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "work_group_global",
     .own = &(const struct barrier){.is_of_workgroup = true, .widens_global = true},
     .entry_point = "barrier_work_group_global",
     .means = "work_group_barrier, global fence",
     .baseline = "none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "work_group_both",
     .own = &(const struct barrier){true, true, true},
     .entry_point = "barrier_work_group_both",
     .means = "work_group_barrier, both fences",
     .baseline = "none",
     .instructions = {"sync\\.bar", "sync\\.bar"},
     .has_proof = true},
    {.name = "sub_group_both",
     .own = &no_barrier,
     .entry_point = "barrier_sub_group_both",
     .means = "sub_group_barrier, both fences",
     .baseline = "none"},
    {.name = "sub_group_none",
     .own = &no_barrier,
     .entry_point = "barrier_sub_group_none",
     .means = "sub_group_barrier without a fence",
     .baseline = "none"},
    {.name = "work_group_none",
     .own = &(const struct barrier){.is_of_workgroup = true},
     .entry_point = "barrier_work_group_none",
     .means = "work_group_barrier without a fence",
     .baseline = "none",
     .instructions = {"sync\\.bar", "sync\\.bar"}},
};

static void barrier_work(const struct configuration *configuration, const struct variant *variant,
                         struct work *work)
{
    const struct barrier *barrier = variant->own;

    if (barrier->is_of_workgroup)
        work->barriers = configuration->workgroup_count;
}

const struct family family_barrier = {
    .name = "barrier",
    .measures = "the cost of one barrier, by scope and fence",
    .unit = "ns/barrier",
    .baseline_unit = "ns/iteration",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .tells_health = true,
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .argument_slm_bytes = barrier_slm_bytes,
    .work = barrier_work,
    .arguments = barrier_arguments,
    .verify = barrier_verify,
};
