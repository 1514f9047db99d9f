/* Family `exchange`: the cost of handing a value to another lane of the sub-group, by a sub-group
 * function and by the same movement through shared local memory.
 * Alone: vebench run exchange --axis subgroup_size=16
 *
 * Every kernel runs a chain of dependent exchanges, four per iteration, in which each lane's value
 * depends on the lane it reads from; the value is the time that one exchange adds to the chain.
 * With one sub-group per vector engine that is a latency, with many (axis workgroup_size) a rate.
 * The baselines run the chain with each lane keeping its own value. The exchanges through memory
 * move the same values to the same lanes: `_slm_group` has a work-group barrier between store and
 * load, `_slm` a sub-group barrier; `_global_group` and `_global` do the same through global
 * memory. spirv_kernels/exchange.cl has the details. */
#include "families/chain/chain.h"
#include "families/exchange/exchange-reference.h"

#include "family/common-axes.h"

enum { LANES = CHAIN_BUFFERS, SCRATCH };

/* Two slots of up to 64 bits per work-item. */
static size_t scratch_bytes(const struct configuration *c)
{
    return configuration_items(c) * 2 * sizeof(uint64_t);
}

static size_t lane_bytes(const struct configuration *c)
{
    return (size_t)CHAIN_PATTERNS * c->subgroup_size * sizeof(uint32_t);
}

/* The lane that each lane shuffles from. */
static void fill_lanes(struct workspace *workspace, const struct configuration *configuration,
                       struct buffer *buffer)
{
    unsigned size = configuration->subgroup_size;
    uint32_t *source = buffer->initial;
    size_t order[CHAIN_LANES_MAX];

    for (unsigned p = 0; p < CHAIN_PATTERNS; p++) {
        prng_permutation(&workspace->prng, order, size);
        for (unsigned l = 0; l < size; l++)
            source[p * size + l] = (uint32_t)order[l];
    }
}

static const struct buffer_plan buffers[] = {
    CHAIN_BUFFER_PLANS,
    [LANES] = {"lanes", BUFFER_INPUT, lane_bytes, fill_lanes},
    [SCRATCH] = {"scratch", BUFFER_OUTPUT, scratch_bytes},
};

static void exchange_arguments(const struct workspace *workspace, const struct launch *launch,
                               struct arguments *arguments)
{
    for (size_t i = 0; i < CHAIN_BUFFERS; i++)
        argument_buffer(arguments, workspace, i);
    chain_arguments(workspace, launch, arguments);
    argument_buffer(arguments, workspace, LANES);
    argument_buffer(arguments, workspace, SCRATCH);
}

static void compute(const struct workspace *workspace, const struct launch *launch,
                    unsigned pattern, struct chain_lane *lane)
{
    const struct exchange_variant *exchange = launch->variant->own;
    const uint32_t *source = workspace->buffers[LANES].initial;
    unsigned size = launch->configuration.subgroup_size;

    exchange_reference(exchange->movement, exchange->bits, size, launch->iterations,
                       source + pattern * size, lane);
}

static enum status exchange_verify(struct workspace *workspace, const struct launch *launch,
                                   struct error *error)
{
    return chain_verify(workspace, launch, launch->configuration.subgroup_size, compute, 0.0f,
                        error);
}

/* A thread alone, and the same work at each sub-group size: on an Xe-core that is nearly empty, and
 * on a busy one, where the ways wait for their turns. */
static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS_QUICK_ALL,
    WORKGROUP_SIZE_AXIS("S,32,1024", "S,32,512", "S,4S,16S,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

static void exchange_work(const struct configuration *configuration, const struct variant *variant,
                          struct work *work)
{
    chain_work(configuration, variant, 1, work);
}

const struct family family_exchange = {
    .name = "exchange",
    .measures = "handing a value to other lanes of the sub-group, in registers and through memory",
    .unit = "ns/exchange",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = exchange_variants,
    .variant_count = EXCHANGE_VARIANTS,
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .argument_slm_bytes = chain_slm_bytes,
    .work = exchange_work,
    .check = chain_check,
    .arguments = exchange_arguments,
    .lists_buffers = true,
    .verify = exchange_verify,
};
