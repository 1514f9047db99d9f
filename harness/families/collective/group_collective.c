/* Family `group_collective`: the cost of a broadcast, a vote or a reduction over the work-group, by
 * work-group function and by hand through shared local memory.
 * Alone: vebench run group_collective --axis subgroup_size=16
 *
 * Every kernel runs a chain of dependent operations, four per iteration; the value is the time that
 * one of them adds to the chain. The baselines run the chain with each work-item keeping its own
 * value. All variants guarantee the same: every work-item has the result, and the work-group has
 * synchronised. spirv_kernels/group_collective.cl has the details. */
#include "families/collective/group_collective-reference.h"

#include "family/common-axes.h"

struct group_collective {
    struct chain_variant chain;
    enum group_operation operation;
};

static const struct buffer_plan buffers[] = {
    CHAIN_BUFFER_PLANS,
};

/* Work-items of one work-group with values of their own. */
static unsigned block_lanes(const struct configuration *c)
{
    unsigned all = CHAIN_PATTERNS * c->subgroup_size;

    return c->workgroup_size < all ? c->workgroup_size : all;
}

static void compute(const struct workspace *workspace, const struct launch *launch, unsigned block,
                    struct chain_lane *lane)
{
    const struct group_collective *collective = launch->variant->own;

    (void)workspace;
    (void)block;
    group_collective_reference(collective->operation, launch->configuration.workgroup_size,
                               block_lanes(&launch->configuration), launch->iterations, lane);
}

static enum status group_collective_verify(struct workspace *workspace, const struct launch *launch,
                                           struct error *error)
{
    return chain_verify(workspace, launch, block_lanes(&launch->configuration), compute, 0.0f,
                        error);
}

static enum status group_collective_check(const struct device *device,
                                          const struct configuration *configuration,
                                          const struct variant *variant, struct error *error)
{
    unsigned items = configuration->workgroup_size;

    if (items & (items - 1))
        return error_set(error, STATUS_EXCLUDED, "a work-group of %u is not a power of two", items);
    return chain_check(device, configuration, variant, error);
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("256,1024", "64", "S,2S,64,128,256,512,1024"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

#define MEETS                                                                                      \
    {                                                                                              \
        "sync\\.bar", "sync\\.bar"                                                                 \
    }
#define COLLECTIVE(memory_, operation_)                                                            \
    .own = &(const struct group_collective)                                                        \
    {                                                                                              \
        {.memory = memory_}, operation_                                                            \
    }
#define FUNCTION(name_, word, type_, operation_, none_, what)                                      \
    {                                                                                              \
        .name = name_, .operation = word, .type = type_, .method = "function",                     \
        COLLECTIVE(CHAIN_FUNCTION, operation_), .entry_point = "group_collective_" name_,          \
        .means = what ", by work-group function", .baseline = none_, .instructions = MEETS         \
    }
#define TWO_WAYS(name_, word, type_, operation_, none_, what)                                      \
    FUNCTION(name_, word, type_, operation_, none_, what),                                         \
    {                                                                                              \
        .name = name_ "_slm", .operation = word, .type = type_, .method = "slm",                   \
        COLLECTIVE(CHAIN_SLM, operation_), .entry_point = "group_collective_" name_ "_slm",        \
        .means = what ", through SLM with a work-group barrier", .baseline = none_,                \
        .instructions = MEETS                                                                      \
    }

static const struct variant variants[] = {
    {.name = "none_u32",
     .operation = "none",
     .type = "u32",
     COLLECTIVE(CHAIN_NO_EXCHANGE, GROUP_NONE),
     .entry_point = "group_collective_none_u32",
     .means = "32 bits: each work-item keeps its own"},
    TWO_WAYS("broadcast_u32", "broadcast", "u32", GROUP_BROADCAST, "none_u32",
             "32 bits of work-item 3 to all"),
    TWO_WAYS("reduce_add_u32", "reduce_add", "u32", GROUP_ADD, "none_u32", "sum of 32 bits"),
    FUNCTION("reduce_min_u32", "reduce_min", "u32", GROUP_MIN, "none_u32", "least of 32 bits"),
    FUNCTION("reduce_max_u32", "reduce_max", "u32", GROUP_MAX, "none_u32", "greatest of 32 bits"),
    {.name = "own_vote",
     COLLECTIVE(CHAIN_NO_EXCHANGE, GROUP_OWN_VOTE),
     .entry_point = "group_collective_own_vote",
     .means = "each work-item goes by its own predicate"},
    TWO_WAYS("any", "any", NULL, GROUP_ANY, "own_vote", "does the predicate hold in any work-item"),
    TWO_WAYS("all", "all", NULL, GROUP_ALL, "own_vote",
             "does the predicate hold in all work-items"),
};

/* Counts one synchronisation of the work-group per step, as for a barrier; how many barriers a
 * work-group function needs for it is up to the compiler. */
static void group_collective_work(const struct configuration *configuration,
                                  const struct variant *variant, struct work *work)
{
    const struct group_collective *collective = variant->own;

    chain_work(configuration, variant, 1, work);
    if (collective->chain.memory != CHAIN_NO_EXCHANGE)
        work->barriers = (double)configuration->workgroup_count * CHAIN_STEPS;
}

const struct family family_group_collective = {
    .name = "group_collective",
    .is_held_out = true,
    .measures = "a broadcast, a vote or a reduction over the work-group",
    .unit = "ns/collective",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .argument_slm_bytes = chain_slm_bytes,
    .work = group_collective_work,
    .check = group_collective_check,
    .arguments = chain_arguments,
    .verify = group_collective_verify,
};
