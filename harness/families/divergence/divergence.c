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
#include "families/divergence/divergence-variants.h"

#include "family/common-axes.h"
#include "family/verify.h"

#define PATH_STEPS     2u
#define OPERATIONS     (3u * PATH_STEPS) /* per path */
#define PATHS_MAX      32
#define AXIS_PATHS     0 /* index among the family's own axes */
#define PATH_CONSTANTS 0x9e3779b9u

enum { VALUES, WITNESS };

static enum status divergence_check(const struct device *device,
                                    const struct configuration *configuration,
                                    const struct variant *variant, struct error *error)
{
    (void)device;
    (void)variant;
    if (configuration->own[AXIS_PATHS] <= configuration->subgroup_size)
        return STATUS_OK;
    return error_set(error, STATUS_EXCLUDED, "a sub-group of %u takes at most %u paths",
                     configuration->subgroup_size, configuration->subgroup_size);
}

static const struct buffer_plan buffers[] = {
    [VALUES] = {"values", BUFFER_IN_OUT},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static void divergence_arguments(const struct workspace *workspace, const struct launch *launch,
                                 struct arguments *arguments)
{
    const struct divergence_variant *variant = launch->variant->own;

    (void)workspace;
    argument_uint(arguments, launch->iterations * launch->configuration.own[AXIS_PATHS]);
    argument_uint(arguments, variant->is_divergent ? UINT32_MAX : 0);
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

static uint32_t expected_of(const struct buffer *values, const struct launch *launch, size_t item)
{
    const struct configuration *c = &launch->configuration;
    const struct divergence_variant *variant = launch->variant->own;
    uint32_t v = ((const uint32_t *)values->initial)[item];
    uint32_t first = variant->is_divergent ? (uint32_t)(item % c->workgroup_size) : 0;
    uint32_t mask = variant->has_conditions ? c->own[AXIS_PATHS] - 1 : 0;

    for (uint32_t i = 0; i < launch->iterations * c->own[AXIS_PATHS]; i++)
        v = take_path(v, (first + i) & mask);
    return v;
}

static enum status divergence_verify(struct workspace *workspace, const struct launch *launch,
                                     struct error *error)
{
    return verify_each(workspace, VALUES, expected_of, launch, error);
}

static void divergence_work(const struct configuration *configuration,
                            const struct variant *variant, struct work *work)
{
    const struct divergence_variant *own = variant->own;
    unsigned paths = configuration->own[AXIS_PATHS];

    work->units = own->is_divergent && paths > 1 ? paths * (paths - 1) : paths;
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

const struct family family_divergence = {
    .name = "divergence",
    .is_held_out = true,
    .measures = "the cost of a further path when the work-items of a sub-group diverge",
    .unit = "ns/path",
    .baseline_unit = "ns/path",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = divergence_variants,
    .variant_count = DIVERGENCE_VARIANTS,
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = divergence_work,
    .check = divergence_check,
    .arguments = divergence_arguments,
    .verify = divergence_verify,
};
