/* Family `matmul`: the product of an m x k and a k x n matrix, by how a work-item gets its
 * elements: from global memory, through shared local memory, or by broadcasts in the sub-group.
 * Alone: vebench run matmul --axis subgroup_size=16 --axis m=64 --axis n=128 --axis k=32
 *
 * One iteration is one product by the whole launch. No variant has a baseline: the value is the
 * time of a product, and GFLOP/s follows from it (a multiplication and an addition for each of the
 * m n k steps, for ints as well). Bytes, messages and lines are those of global memory.
 *
 * The elements are small whole numbers, so that any order of summation gives the same sum in all
 * three types, and every element of C is compared exactly. */
#include "families/matmul-products.h"

/* In the order of the table at the end. */
enum { FLOATS, HALVES, INTS, TYPES };

static const struct matmul_types types = {
    {[FLOATS] = MATMUL_FLOAT, [HALVES] = MATMUL_HALF, [INTS] = MATMUL_INT}, TYPES};

static enum status check(const struct device *device, const struct configuration *configuration,
                         size_t variant, struct error *error)
{
    (void)device;
    return matmul_check(&types, configuration, variant, error);
}

MATMUL_FUNCTIONS(types)

static const struct axis axes[] = {MATMUL_AXES};

#define NO_BLOCKS_OF_32 "Block reads not supported in SIMD32"

/* All methods for one type. `broadcast_*`: the pattern of a multiplication with one element for all
 * lanes. */
#define VARIANTS(type, name_of_type, broadcast_xe_hpg, broadcast_gen12lp)                          \
    [(type)*MATMUL_METHODS +                                                                       \
        MATMUL_NAIVE] = {.name = "naive_" name_of_type,                                            \
                         .entry_point = "matmul_naive_" name_of_type,                              \
                         .means = "loads from global memory, element by element",                  \
                         .instructions = {"load[.]ugm[.]d(32|16u32)[.]a32",                        \
                                          "0x[0-9A-F]+0[01] .*(untyped|byte gath)"}},              \
        [(type)*MATMUL_METHODS +                                                                   \
            MATMUL_SLM] = {.name = "slm_" name_of_type,                                            \
                           .entry_point = "matmul_slm_" name_of_type,                              \
                           .means = "tiles in shared local memory, sums in registers",             \
                           .instructions = {"load[.]slm", "0x[0-9A-F]+FE .*(read|write)"}},        \
        [(type)*MATMUL_METHODS +                                                                   \
            MATMUL_WORK_GROUP] = {.name = "work_group_" name_of_type,                              \
                                  .entry_point = "matmul_work_group_" name_of_type,                \
                                  .means = "loops of the work-group around phases of its "         \
                                           "work-items, sums in shared local memory",              \
                                  .instructions = {"load[.]slm", "0x[0-9A-F]+FE .*(read|write)"}}, \
        [(type)*MATMUL_METHODS +                                                                   \
            MATMUL_BROADCAST] = {.name = "broadcast_" name_of_type,                                \
                                 .entry_point = "matmul_broadcast_" name_of_type,                  \
                                 .means = "elements of A broadcast in the sub-group",              \
                                 .instructions = {broadcast_xe_hpg, broadcast_gen12lp}},           \
        [(type)*MATMUL_METHODS + MATMUL_BROADCAST_BLOCK] = {                                       \
            .name = "broadcast_block_" name_of_type,                                               \
            .entry_point = "matmul_broadcast_block_" name_of_type,                                 \
            .means = "the same, with block reads and writes",                                      \
            .instructions = {"load[.]ugm[.]d32x[0-9]+t", "oword aligned block read"},              \
            .sizes = SIZE_8 | SIZE_16,                                                             \
            .no_size = NO_BLOCKS_OF_32}

static const struct variant variants[] = {
    VARIANTS(FLOATS, "float", "mad .*<0>:f", "mad .*<0;0>:f|mad .*<0>:f"),
    VARIANTS(HALVES, "half", "mad .*<0>:hf", "mad .*<0;0>:hf|mad .*<0>:hf"),
    VARIANTS(INTS, "int", "mach [(](8|16)[|].*<0;1,0>:d", "mach [(](8|16)[|].*<0;1,0>:d"),
};

const struct family family_matmul = {
    .name = "matmul",
    .measures = "a product of matrices, by where its elements come from",
    .unit = "ns/product",
    .baseline_unit = "ns/product",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .ways = "naive slm work_group broadcast broadcast_block",
    .work = work_of,
    .check = check,
    .setup = setup,
    .arguments = set_arguments,
    .verify = verify,
    .teardown = matmul_teardown,
};
