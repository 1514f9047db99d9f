/* Family `matmul_fp64`: the product of two matrices of doubles, as in `matmul`. A family of its
 * own, because a device without doubles compiles nothing of a module that has some. Alone: vebench
 * run matmul_fp64 --axis subgroup_size=16 */
#include "families/matmul/matmul-products.h"

enum { A, B, C, WITNESS };

static const struct buffer_plan buffers[] = {
    [A] = {"a", BUFFER_INPUT, matmul_a_8, matmul_fill_doubles},
    [B] = {"b", BUFFER_INPUT, matmul_b_8, matmul_fill_doubles},
    [C] = {"c", BUFFER_OUTPUT, matmul_c_8},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static enum status check(const struct device *device, const struct configuration *configuration,
                         const struct variant *variant, struct error *error)
{
    if (!device->has_fp64)
        return error_set(error, STATUS_UNSUPPORTED, "the device has no doubles");
    return matmul_check(configuration, variant, error);
}

static const struct axis axes[] = {MATMUL_AXES};

static const struct variant variants[] = {
    {.name = "naive_double",
     .operation = "matmul_fp64",
     .type = "f64",
     .method = "naive",
     .own = &(const struct matmul_variant){MATMUL_DOUBLE, MATMUL_NAIVE, A, C},
     .entry_point = "matmul_fp64_naive",
     .means = "loads from global memory, element by element",
     .instructions = {"load[.]ugm[.]d64", NULL}},
    {.name = "slm_double",
     .operation = "matmul_fp64",
     .type = "f64",
     .method = "slm",
     .own = &(const struct matmul_variant){MATMUL_DOUBLE, MATMUL_SLM, A, C},
     .entry_point = "matmul_fp64_slm",
     .means = "tiles in shared local memory, sums in registers",
     .instructions = {"load[.]slm", NULL}},
    {.name = "work_group_double",
     .operation = "matmul_fp64",
     .type = "f64",
     .method = "work_group",
     .own = &(const struct matmul_variant){MATMUL_DOUBLE, MATMUL_WORK_GROUP, A, C},
     .entry_point = "matmul_fp64_work_group",
     .means = "loops of the work-group around phases of its work-items, sums "
              "in shared local memory",
     .instructions = {"load[.]slm", NULL}},
    {.name = "broadcast_double",
     .operation = "matmul_fp64",
     .type = "f64",
     .method = "broadcast",
     .own = &(const struct matmul_variant){MATMUL_DOUBLE, MATMUL_BROADCAST, A, C},
     .entry_point = "matmul_fp64_broadcast",
     .means = "elements of A broadcast in the sub-group",
     .instructions = {"mad .*:df", NULL}},
};

const struct family family_matmul_fp64 = {
    .name = "matmul_fp64",
    .is_held_out = true,
    .measures = "a product of matrices of doubles, by where its elements come from",
    .unit = "ns/product",
    .baseline_unit = "ns/product",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = matmul_work,
    .check = check,
    .arguments = matmul_arguments,
    .lists_buffers = true,
    .verify = matmul_verify,
};
