/* Family `grid_barrier`: the cost of a barrier across all work-groups of a launch, built from
 * atomics in global memory. Alone:
 *   vebench run grid_barrier --axis subgroup_size=16 --axis workgroup_count=C
 *
 * Such launches are cooperative: the driver says how many work-groups are resident together, and a
 * launch of more is refused, because it would wait for ever. The timed shape gives the same result
 * without a barrier; in the proof shape each work-group needs what the next one has stored, and
 * each starts later than the one before. */
#include "family/common-axes.h"
#include "family/verify.h"

#include <string.h>

enum { OUT, WITNESS, SLOTS, ARRIVED };

/* Elements from the counter to the flag, as in the kernels. */
#define FLAG           16u
#define ARRIVED_VALUES 32u

/* Far longer than a barrier takes. */
#define LATE_OPERATIONS 512u

struct grid_barrier {
    bool synchronises;
    bool counts, raises_flag; /* in `arrived` */
};

static uint32_t items_of(const struct configuration *configuration)
{
    return configuration->workgroup_size * configuration->workgroup_count;
}

static uint32_t partner_distance(const struct launch *launch)
{
    return launch->purpose == LAUNCH_PROOF ? launch->configuration.workgroup_size : 0;
}

static uint32_t late_operations(const struct launch *launch)
{
    return launch->purpose == LAUNCH_PROOF ? LATE_OPERATIONS : 0;
}

static size_t slot_bytes(const struct configuration *configuration)
{
    return 2 * (size_t)items_of(configuration) * sizeof(uint32_t);
}

static size_t arrived_bytes(const struct configuration *configuration)
{
    (void)configuration;
    return ARRIVED_VALUES * sizeof(uint32_t);
}

static const struct buffer_plan buffers[] = {
    [OUT] = {"out", BUFFER_OUTPUT},
    [WITNESS] = {"witness", BUFFER_WITNESS},
    [SLOTS] = {"slots", BUFFER_OUTPUT, slot_bytes},
    [ARRIVED] = {"arrived", BUFFER_IN_OUT, arrived_bytes, buffer_zero},
};

static void grid_arguments(const struct workspace *workspace, const struct launch *launch,
                           struct arguments *arguments)
{
    (void)workspace;
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, partner_distance(launch));
    argument_uint(arguments, late_operations(launch));
}

/* Computes the final values of all work-items in `values`, and the final contents of both halves of
 * `slots`. */
static void simulate(const struct launch *launch, uint32_t *values, uint32_t *slots)
{
    uint32_t items = items_of(&launch->configuration), distance = partner_distance(launch);
    uint32_t size = launch->configuration.workgroup_size;

    for (uint32_t i = 0; i < items; i++) {
        values[i] = i;
        for (uint32_t o = 0; o < i / size * late_operations(launch); o++)
            values[i] = values[i] * 3u + 1u;
    }
    for (uint32_t i = 0; i < 2 * items; i++)
        slots[i] = BUFFER_UNWRITTEN;
    for (uint32_t iteration = 0; iteration < launch->iterations; iteration++) {
        uint32_t *left = slots + (iteration & 1) * items;

        memcpy(left, values, items * sizeof(*values));
        for (uint32_t i = 0; i < items; i++)
            values[i] = values[i] * 2u + left[(i + distance) % items];
    }
}

static enum status check_values(struct workspace *workspace, const struct launch *launch,
                                struct error *error)
{
    uint32_t items = items_of(&launch->configuration);
    uint32_t *expected = workspace_scratch(workspace, 3 * (size_t)items * sizeof(*expected), error);

    if (!expected)
        return STATUS_FAILED;
    simulate(launch, expected, expected + items);
    enum status status = verify_uints(&workspace->buffers[OUT], expected, items, launch, error);
    if (status == STATUS_OK)
        status =
            verify_uints(&workspace->buffers[SLOTS], expected + items, 2 * items, launch, error);
    if (status != STATUS_OK && launch->purpose == LAUNCH_PROOF)
        error_append(error, " (work-groups exchanging data)");
    return status;
}

static enum status grid_verify(struct workspace *workspace, const struct launch *launch,
                               struct error *error)
{
    const struct grid_barrier *barrier = launch->variant->own;
    uint32_t arrived[ARRIVED_VALUES] = {0};
    enum status status = check_values(workspace, launch, error);

    if (barrier->counts)
        arrived[0] = launch->iterations * launch->configuration.workgroup_count;
    if (barrier->raises_flag)
        arrived[FLAG] = launch->iterations;
    if (status == STATUS_OK)
        status = verify_uints(&workspace->buffers[ARRIVED], arrived, ARRIVED_VALUES, launch, error);
    return status;
}

static void grid_work(const struct configuration *configuration, const struct variant *variant,
                      struct work *work)
{
    const struct grid_barrier *barrier = variant->own;

    work->barriers = !barrier->synchronises ? 0 : 2.0 * configuration->workgroup_count;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("64", NULL, "S,64,256"),
    WORKGROUP_COUNT_AXIS("1,C,4C", "1,C", "1,2,C,2C,4C,16C"),
};

static const struct variant variants[] = {
    {.name = "none",
     .own = &(const struct grid_barrier){0},
     .entry_point = "grid_barrier_none",
     .means = "the loop alone"},
    {.name = "work_groups",
     .own = &(const struct grid_barrier){.synchronises = true},
     .entry_point = "grid_barrier_work_groups",
     .means = "two work-group barriers, which the others have too",
     .baseline = "none",
     .instructions = {"sync\\.bar", "sync\\.bar"}},
    {.name = "counter",
     .own = &(const struct grid_barrier){.synchronises = true, .counts = true},
     .entry_point = "grid_barrier_counter",
     .means = "all work-groups count and wait at one counter",
     .baseline = "none",
     .instructions = {"atomic", "atomic"},
     .has_proof = true,
     .cooperative = true},
    {.name = "flag",
     .own = &(const struct grid_barrier){true, true, true},
     .entry_point = "grid_barrier_flag",
     .means = "all count, the last one raises a flag that the others wait for",
     .baseline = "none",
     .instructions = {"atomic", "atomic"},
     .has_proof = true,
     .cooperative = true},
};

const struct family family_grid_barrier = {
    .name = "grid_barrier",
    .is_held_out = true,
    .measures = "a barrier across all work-groups of a launch",
    .unit = "ns/barrier",
    .baseline_unit = "ns/iteration",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = grid_work,
    .arguments = grid_arguments,
    .verify = grid_verify,
};
