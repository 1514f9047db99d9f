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
#include "families/matmul/matmul-products.h"

enum {
    FLOAT_A,
    FLOAT_B,
    HALF_A,
    HALF_B,
    INT_A,
    INT_B,
    C,
    WITNESS,
};

static const struct buffer_plan buffers[] = {
    [FLOAT_A] = {"a", BUFFER_INPUT, matmul_a_4, matmul_fill_floats},
    [FLOAT_B] = {"b", BUFFER_INPUT, matmul_b_4, matmul_fill_floats},
    [HALF_A] = {"a", BUFFER_INPUT, matmul_a_2, matmul_fill_halves},
    [HALF_B] = {"b", BUFFER_INPUT, matmul_b_2, matmul_fill_halves},
    [INT_A] = {"a", BUFFER_INPUT, matmul_a_4, matmul_fill_ints},
    [INT_B] = {"b", BUFFER_INPUT, matmul_b_4, matmul_fill_ints},
    [C] = {"c", BUFFER_OUTPUT, matmul_c_4},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static enum status check(const struct device *device, const struct configuration *configuration,
                         const struct variant *variant, struct error *error)
{
    (void)device;
    return matmul_check(configuration, variant, error);
}

static const struct axis axes[] = {MATMUL_AXES};

#define NO_BLOCKS_OF_32 "Block reads not supported in SIMD32"

#define PRODUCT(method_, METHOD, TYPE, type_, word, text)                                          \
    .name = method_ "_" word, .operation = "matmul", .type = type_, .method = method_,             \
    .own = &(const struct matmul_variant){MATMUL_##TYPE, MATMUL_##METHOD, TYPE##_A, C},            \
    .entry_point = "matmul_" method_ "_" word, .means = text

/* All methods for one type. `broadcast_*`: the pattern of a multiplication with one element for all
 * lanes. */
#define PRODUCTS(TYPE, type, word, broadcast_xe_hpg, broadcast_gen12lp)                            \
    {PRODUCT("naive", NAIVE, TYPE, type, word, "loads from global memory, element by element"),    \
     .instructions = {"load[.]ugm[.]d(32|16u32)[.]a32",                                            \
                      "0x[0-9A-F]+0[01] .*(untyped|byte gath)"}},                                  \
        {PRODUCT("slm", SLM, TYPE, type, word, "tiles in shared local memory, sums in registers"), \
         .instructions = {"load[.]slm", "0x[0-9A-F]+FE .*(read|write)"}},                          \
        {PRODUCT("work_group", WORK_GROUP, TYPE, type, word,                                       \
                 "loops of the work-group around phases of its work-items, sums in shared local "  \
                 "memory"),                                                                        \
         .instructions = {"load[.]slm", "0x[0-9A-F]+FE .*(read|write)"}},                          \
        {PRODUCT("broadcast", BROADCAST, TYPE, type, word,                                         \
                 "elements of A broadcast in the sub-group"),                                      \
         .instructions = {broadcast_xe_hpg, broadcast_gen12lp}},                                   \
    {                                                                                              \
        PRODUCT("broadcast_block", BROADCAST_BLOCK, TYPE, type, word,                              \
                "the same, with block reads and writes"),                                          \
            .instructions = {"load[.]ugm[.]d32x[0-9]+t", "oword aligned block read"},              \
            .sizes = SIZE_8 | SIZE_16, .no_size = NO_BLOCKS_OF_32                                  \
    }

static const struct variant variants[] = {
    PRODUCTS(FLOAT, "f32", "float", "mad .*<0>:f", "mad .*<0;0>:f|mad .*<0>:f"),
    PRODUCTS(HALF, "f16", "half", "mad .*<0>:hf", "mad .*<0;0>:hf|mad .*<0>:hf"),
    PRODUCTS(INT, "i32", "int", "mach [(](8|16)[|].*<0;1,0>:d", "mach [(](8|16)[|].*<0;1,0>:d"),
};

/* A quarter of the threads of every Xe-core, each sub-group a strip of its own. */
static const char *const default_points[] = {
    "subgroup_size=16 workgroup_size=8S workgroup_count=T/32 m=T n=16 k=16", NULL};

const struct family family_matmul = {
    .name = "matmul",
    .is_held_out = true,
    .measures = "a product of matrices, by where its elements come from",
    .unit = "ns/product",
    .baseline_unit = "ns/product",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .default_points = default_points,
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
