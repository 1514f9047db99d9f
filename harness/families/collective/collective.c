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
#include "families/collective/collective-reference.h"

#include "family/common-axes.h"

/* Each step of a float chain rounds to half a unit in the last place of a sum of up to 32 terms;
 * the chain halves earlier errors. */
#define FLOAT_TOLERANCE 4e-6f

static void compute(const struct workspace *workspace, const struct launch *launch,
                    unsigned pattern, struct chain_lane *lane)
{
    const struct collective_variant *own = launch->variant->own;

    (void)workspace;
    (void)pattern;
    collective_reference(&own->collective, launch->configuration.subgroup_size, launch->iterations,
                         lane);
}

static enum status collective_verify(struct workspace *workspace, const struct launch *launch,
                                     struct error *error)
{
    const struct collective_variant *own = launch->variant->own;
    bool is_float = own->collective.bits == FLOAT_BITS;

    return chain_verify(workspace, launch, launch->configuration.subgroup_size, compute,
                        is_float ? FLOAT_TOLERANCE : 0.0f, error);
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS_QUICK_ALL,
    WORKGROUP_SIZE_AXIS("S,32,1024", "S,512", "S,4S,16S,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

static const struct buffer_plan buffers[] = {
    CHAIN_BUFFER_PLANS,
};

static void collective_work(const struct configuration *configuration,
                            const struct variant *variant, struct work *work)
{
    const struct collective_variant *own = variant->own;
    unsigned rounds = own->collective.kind == COLLECTIVE_EXCLUSIVE;

    for (unsigned lanes = configuration->subgroup_size; lanes > 1; lanes /= 2)
        rounds++;
    chain_work(configuration, variant, rounds, work);
}

const struct family family_collective = {
    .name = "collective",
    .measures = "reductions and scans over the sub-group, in registers and through SLM",
    .unit = "ns/collective",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = collective_variants,
    .variant_count = COLLECTIVE_VARIANTS,
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .argument_slm_bytes = chain_slm_bytes,
    .work = collective_work,
    .check = chain_check,
    .arguments = chain_arguments,
    .verify = collective_verify,
};
