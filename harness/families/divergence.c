/* Family `divergence`: the cost of one more path when the work-items of a sub-group take different
 * ones.
 * Alone: vebench run divergence --axis subgroup_size=16 --axis paths=1:16:x2
 *
 * A path is six integer operations. Divergent and converged variants run the same machine code with
 * 32 paths in it, as conditions in a row (flat) or as a tree (nested). The arguments decide how
 * many paths a sub-group takes in one step; each work-item takes one of them either way. The value
 * of a divergent variant is its difference from the converged one per path beyond the first: the
 * path's own instructions, executed once more by the sub-group, and the cost of getting to them.
 * With one path there is no difference, and the row shows what the method makes of nothing. The
 * value of the other variants is the time of one path with the conditions around it.
 *
 * An iteration is a turn of as many steps as there are paths, in which each work-item takes every
 * path once. With shorter iterations, the first ones would each meet instructions that are not yet
 * in the instruction cache. */
#include "measure/common-axes.h"
#include "measure/verify.h"

#include <stdlib.h>

#define ITEM_BYTES     sizeof(uint32_t)
#define PATH_STEPS     2u
#define OPERATIONS     (3u * PATH_STEPS) /* per path */
#define PATHS_MAX      32
#define AXIS_PATHS     0 /* index among the family's own axes */
#define PATH_CONSTANTS 0x9e3779b9u

enum { VALUES, WITNESS };

enum divergence_variant {
    STRAIGHT,
    FLAT_UNIFORM,
    FLAT_CONVERGED,
    FLAT_DIVERGENT,
    NESTED_UNIFORM,
    NESTED_CONVERGED,
    NESTED_DIVERGENT,
};

static bool is_divergent(size_t variant)
{
    return variant == FLAT_DIVERGENT || variant == NESTED_DIVERGENT;
}

static enum status divergence_check(const struct device *device,
                                    const struct configuration *configuration, size_t variant,
                                    struct error *error)
{
    (void)device;
    (void)variant;
    if (configuration->own[AXIS_PATHS] <= configuration->subgroup_size)
        return STATUS_OK;
    return error_set(error, STATUS_EXCLUDED, "a sub-group of %u takes at most %u paths",
                     configuration->subgroup_size, configuration->subgroup_size);
}

static enum status divergence_setup(struct workspace *workspace,
                                    const struct configuration *configuration, struct error *error)
{
    size_t bytes = configuration_items(configuration) * ITEM_BYTES;
    enum status status = workspace_add(workspace, BUFFER_IN_OUT, bytes, error);

    /* The values that the host expects. */
    workspace->own = malloc(bytes);
    if (!workspace->own)
        return error_set(error, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, bytes, error);
    return status;
}

static void divergence_arguments(const struct workspace *workspace, const struct launch *launch,
                                 struct arguments *arguments)
{
    argument_buffer(arguments, workspace, VALUES);
    argument_buffer(arguments, workspace, WITNESS);
    argument_uint(arguments, launch->iterations * launch->configuration.own[AXIS_PATHS]);
    argument_uint(arguments, is_divergent(launch->variant) ? UINT32_MAX : 0);
    argument_uint(arguments, launch->configuration.own[AXIS_PATHS] - 1);
}

/* Path `path` of the kernels. */
static uint32_t take_path(uint32_t v, uint32_t path)
{
    static const unsigned shifts[PATH_STEPS] = {7, 11};

    for (uint32_t step = 0; step < PATH_STEPS; step++) {
        uint32_t addend = PATH_CONSTANTS * (PATH_STEPS * path + step + 1);

        if (path & 1)
            v = (v + addend) ^ ((v + addend) << shifts[step]);
        else
            v = (v ^ (v >> shifts[step])) + addend;
    }
    return v;
}

static enum status divergence_verify(struct workspace *workspace, const struct launch *launch,
                                     struct error *error)
{
    const struct configuration *c = &launch->configuration;
    const uint32_t *initial = workspace->buffers[VALUES].initial;
    uint32_t *expected = workspace->own;
    uint32_t mask = launch->variant == STRAIGHT ? 0 : c->own[AXIS_PATHS] - 1;
    uint32_t steps = launch->iterations * c->own[AXIS_PATHS];
    size_t items = configuration_items(c);

    for (size_t item = 0; item < items; item++) {
        uint32_t first = is_divergent(launch->variant) ? (uint32_t)(item % c->workgroup_size) : 0;
        uint32_t v = initial[item];

        for (uint32_t i = 0; i < steps; i++)
            v = take_path(v, (first + i) & mask);
        expected[item] = v;
    }
    enum status status =
        verify_uints(&workspace->buffers[VALUES], "values", expected, items, launch, error);
    return status == STATUS_OK ? verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error)
                               : status;
}

static void divergence_work(const struct configuration *configuration, size_t variant,
                            struct work *work)
{
    unsigned paths = configuration->own[AXIS_PATHS];

    work->units = is_divergent(variant) && paths > 1 ? paths * (paths - 1) : paths;
    work->flops = (double)configuration_items(configuration) * OPERATIONS * paths;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("S", NULL, "S,256"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
    {.name = "paths",
     .means = "paths that the work-items of a divergent sub-group take in one step",
     .defaults = "1,2,4,8,16,32",
     .quick = "1,4,16",
     .kind = AXIS_POWER_OF_TWO,
     .least = 1,
     .largest = PATHS_MAX},
};

#define BRANCHES                                                                                   \
    {                                                                                              \
        "[)] +goto ", "[)] +if "                                                                   \
    }

static const struct variant variants[] = {
    [STRAIGHT] = {.name = "straight",
                  .entry_point = "divergence_straight",
                  .means = "one path and no condition"},
    [FLAT_UNIFORM] = {.name = "flat_uniform",
                      .entry_point = "divergence_flat_uniform",
                      .means = "32 conditions in a row, on what the compiler knows to be uniform",
                      .baseline = "straight",
                      .instructions = BRANCHES},
    [FLAT_CONVERGED] = {.name = "flat_converged",
                        .entry_point = "divergence_flat",
                        .means = "32 conditions in a row, all work-items take the same path",
                        .instructions = BRANCHES},
    [FLAT_DIVERGENT] = {.name = "flat_divergent",
                        .entry_point = "divergence_flat",
                        .means = "the same machine code, work-items take `paths` different paths",
                        .baseline = "flat_converged"},
    [NESTED_UNIFORM] = {.name = "nested_uniform",
                        .entry_point = "divergence_nested_uniform",
                        .means = "a tree of conditions on what the compiler knows to be uniform",
                        .baseline = "straight",
                        .instructions = BRANCHES},
    [NESTED_CONVERGED] = {.name = "nested_converged",
                          .entry_point = "divergence_nested",
                          .means = "a tree of conditions, all work-items take the same path",
                          .instructions = BRANCHES},
    [NESTED_DIVERGENT] = {.name = "nested_divergent",
                          .entry_point = "divergence_nested",
                          .means = "the same machine code, work-items take `paths` different paths",
                          .baseline = "nested_converged"},
};

const struct family family_divergence = {
    .name = "divergence",
    .measures = "the cost of a further path when the work-items of a sub-group diverge",
    .unit = "ns/path",
    .baseline_unit = "ns/path",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .ways = "uniform converged divergent",
    .work = divergence_work,
    .check = divergence_check,
    .setup = divergence_setup,
    .arguments = divergence_arguments,
    .verify = divergence_verify,
};
