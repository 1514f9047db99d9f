/* Family `collective`: the cost of a reduction or scan over the sub-group, by sub-group function
 * and by rounds of exchange through shared local memory.
 * Alone: vebench run collective --axis subgroup_size=16
 *
 * Every kernel runs a chain of dependent operations, four per iteration; the value is the time that
 * one of them adds to the chain. With one sub-group per vector engine that is a latency, with many
 * (axis workgroup_size) a rate. The baselines run the chain with each lane keeping its own value.
 * Through SLM a result takes log2(lanes) rounds of store, barrier and load, and one more for an
 * exclusive scan; `_slm_group` has work-group barriers, `_slm` sub-group barriers.
 * spirv_kernels/collective.cl has the details. */
#include "families/collective-reference.h"

#include "measure/common-axes.h"

/* Each step of a float chain rounds to half a unit in the last place of a sum of up to 32 terms;
 * the chain halves earlier errors. */
#define FLOAT_TOLERANCE 4e-6f

#define NONE(bits)                                                                                 \
    {                                                                                              \
        COLLECTIVE_NONE, OPERATION_ADD, bits                                                       \
    }
#define WAYS(kind, operation, bits)                                                                \
    {COLLECTIVE_##kind, OPERATION_##operation, bits},                                              \
        {COLLECTIVE_##kind, OPERATION_##operation, bits},                                          \
    {                                                                                              \
        COLLECTIVE_##kind, OPERATION_##operation, bits                                             \
    }
#define NARROW(bits)                                                                               \
    NONE(bits), {COLLECTIVE_REDUCE, OPERATION_ADD, bits},                                          \
        {COLLECTIVE_REDUCE, OPERATION_MAX, bits}, {COLLECTIVE_INCLUSIVE, OPERATION_ADD, bits},     \
    {                                                                                              \
        COLLECTIVE_EXCLUSIVE, OPERATION_MAX, bits                                                  \
    }

/* In the order of the variants below. */
static const struct collective collectives[] = {
    NONE(32),
    WAYS(REDUCE, ADD, 32),
    {COLLECTIVE_REDUCE, OPERATION_MIN, 32},
    {COLLECTIVE_REDUCE, OPERATION_MAX, 32},
    WAYS(INCLUSIVE, ADD, 32),
    {COLLECTIVE_INCLUSIVE, OPERATION_MIN, 32},
    {COLLECTIVE_INCLUSIVE, OPERATION_MAX, 32},
    WAYS(EXCLUSIVE, ADD, 32),
    {COLLECTIVE_EXCLUSIVE, OPERATION_MIN, 32},
    {COLLECTIVE_EXCLUSIVE, OPERATION_MAX, 32},
    NARROW(8),
    NARROW(16),
    NONE(64),
    WAYS(REDUCE, ADD, 64),
    {COLLECTIVE_REDUCE, OPERATION_MAX, 64},
    {COLLECTIVE_INCLUSIVE, OPERATION_ADD, 64},
    {COLLECTIVE_EXCLUSIVE, OPERATION_MAX, 64},
    NONE(FLOAT_BITS),
    WAYS(REDUCE, ADD, FLOAT_BITS),
    {COLLECTIVE_REDUCE, OPERATION_MAX, FLOAT_BITS},
    {COLLECTIVE_INCLUSIVE, OPERATION_ADD, FLOAT_BITS},
};

static void compute(const struct workspace *workspace, const struct launch *launch,
                    unsigned pattern, struct chain_lane *lane)
{
    (void)workspace;
    (void)pattern;
    collective_reference(&collectives[launch->variant], launch->configuration.subgroup_size,
                         launch->iterations, lane);
}

static enum status collective_verify(struct workspace *workspace, const struct launch *launch,
                                     struct error *error)
{
    bool is_float = collectives[launch->variant].bits == FLOAT_BITS;

    return chain_verify(workspace, launch, launch->configuration.subgroup_size, compute,
                        is_float ? FLOAT_TOLERANCE : 0.0f, error);
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("S", NULL, "S,4S,16S,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

/* A tree of operations on fewer and fewer lanes, all outside the work-items' execution masks. */
#define TREE "^\\(W\\).*(add|sel|cmp|mov)"

#define BASELINE(type, what)                                                                       \
    {                                                                                              \
        .name = "none_" type, .entry_point = "collective_none_" type,                              \
        .means = what ": each lane keeps its own"                                                  \
    }
#define FUNCTION(name_, type, what)                                                                \
    {                                                                                              \
        .name = name_ "_" type, .entry_point = "collective_" name_ "_" type,                       \
        .means = what ", by sub-group function", .baseline = "none_" type, .instructions = {       \
            TREE,                                                                                  \
            TREE                                                                                   \
        }                                                                                          \
    }
#define THREE_WAYS(name_, type, what)                                                              \
    FUNCTION(name_, type, what),                                                                   \
        {.name = name_ "_" type "_slm_group",                                                      \
         .entry_point = "collective_" name_ "_" type "_slm_group",                                 \
         .means = what ", rounds through SLM with work-group barriers",                            \
         .baseline = "none_" type,                                                                 \
         .instructions = {"sync\\.bar", "sync\\.bar"}},                                            \
    {                                                                                              \
        .name = name_ "_" type "_slm", .entry_point = "collective_" name_ "_" type "_slm",         \
        .means = what ", rounds through SLM within the sub-group", .baseline = "none_" type,       \
        .instructions = {                                                                          \
            "(load|store)\\.slm",                                                                  \
            "send"                                                                                 \
        }                                                                                          \
    }
#define NARROW_VARIANTS(type, what)                                                                \
    BASELINE(type, what), FUNCTION("reduce_add", type, "sum of " what),                            \
        FUNCTION("reduce_max", type, "greatest of " what),                                         \
        FUNCTION("inclusive_add", type, "running sum of " what),                                   \
        FUNCTION("exclusive_max", type, "greatest of those before, of " what)

static const struct variant variants[] = {
    BASELINE("u32", "32 bits"),
    THREE_WAYS("reduce_add", "u32", "sum of 32 bits"),
    FUNCTION("reduce_min", "u32", "least of 32 bits"),
    FUNCTION("reduce_max", "u32", "greatest of 32 bits"),
    THREE_WAYS("inclusive_add", "u32", "running sum of 32 bits"),
    FUNCTION("inclusive_min", "u32", "least so far of 32 bits"),
    FUNCTION("inclusive_max", "u32", "greatest so far of 32 bits"),
    THREE_WAYS("exclusive_add", "u32", "sum of those before, of 32 bits"),
    FUNCTION("exclusive_min", "u32", "least of those before, of 32 bits"),
    FUNCTION("exclusive_max", "u32", "greatest of those before, of 32 bits"),
    NARROW_VARIANTS("u8", "8 bits"),
    NARROW_VARIANTS("u16", "16 bits"),
    BASELINE("u64", "64 bits"),
    THREE_WAYS("reduce_add", "u64", "sum of 64 bits"),
    FUNCTION("reduce_max", "u64", "greatest of 64 bits"),
    FUNCTION("inclusive_add", "u64", "running sum of 64 bits"),
    FUNCTION("exclusive_max", "u64", "greatest of those before, of 64 bits"),
    BASELINE("f32", "floats"),
    THREE_WAYS("reduce_add", "f32", "sum of floats"),
    FUNCTION("reduce_max", "f32", "greatest of floats"),
    FUNCTION("inclusive_add", "f32", "running sum of floats"),
};

_Static_assert(sizeof(collectives) / sizeof(collectives[0]) ==
                   sizeof(variants) / sizeof(variants[0]),
               "each variant is a collective");

static void collective_work(const struct configuration *configuration, size_t variant,
                            struct work *work)
{
    unsigned rounds = collectives[variant].kind == COLLECTIVE_EXCLUSIVE;

    for (unsigned lanes = configuration->subgroup_size; lanes > 1; lanes /= 2)
        rounds++;
    chain_work(configuration, &variants[variant], rounds, work);
}

const struct family family_collective = {
    .name = "collective",
    .measures = "reductions and scans over the sub-group, in registers and through SLM",
    .unit = "ns/collective",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .ways = "slm_group slm",
    .plain_way = "function",
    .argument_slm_bytes = chain_slm_bytes,
    .work = collective_work,
    .check = chain_check,
    .setup = chain_setup,
    .arguments = chain_arguments,
    .verify = collective_verify,
};
