/* Family `matmul_fp64`: the product of two matrices of doubles, as in `matmul`. A family of its
 * own, because a device without doubles compiles nothing of a module that has some. Alone: vebench
 * run matmul_fp64 --axis subgroup_size=16 */
#include "families/matmul-products.h"

static const struct matmul_types types = {{MATMUL_DOUBLE}, 1};

static enum status check(const struct device *device, const struct configuration *configuration,
                         size_t variant, struct error *error)
{
    if (!device->has_fp64)
        return error_set(error, STATUS_UNSUPPORTED, "the device has no doubles");
    return matmul_check(&types, configuration, variant, error);
}

MATMUL_FUNCTIONS(types)

static const struct axis axes[] = {MATMUL_AXES};

static const struct variant variants[] = {
    [MATMUL_NAIVE] = {.name = "naive_double",
                      .entry_point = "matmul_fp64_naive",
                      .means = "loads from global memory, element by element",
                      .instructions = {"load[.]ugm[.]d64", NULL}},
    [MATMUL_SLM] = {.name = "slm_double",
                    .entry_point = "matmul_fp64_slm",
                    .means = "tiles in shared local memory, sums in registers",
                    .instructions = {"load[.]slm", NULL}},
    [MATMUL_WORK_GROUP] = {.name = "work_group_double",
                           .entry_point = "matmul_fp64_work_group",
                           .means = "loops of the work-group around phases of its work-items, sums "
                                    "in shared local memory",
                           .instructions = {"load[.]slm", NULL}},
    [MATMUL_BROADCAST] = {.name = "broadcast_double",
                          .entry_point = "matmul_fp64_broadcast",
                          .means = "elements of A broadcast in the sub-group",
                          .instructions = {"mad .*:df", NULL}},
};

const struct family family_matmul_fp64 = {
    .name = "matmul_fp64",
    .measures = "a product of matrices of doubles, by where its elements come from",
    .unit = "ns/product",
    .baseline_unit = "ns/product",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .ways = "naive slm work_group broadcast",
    .work = work_of,
    .check = check,
    .setup = setup,
    .arguments = set_arguments,
    .verify = verify,
    .teardown = matmul_teardown,
};
