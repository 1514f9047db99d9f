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
#include "families/chain.h"
#include "families/exchange-reference.h"

#include "measure/common-axes.h"

enum { LANES = CHAIN_BUFFERS, SCRATCH };

/* What a variant computes. In the order of the variants below. */
struct exchange {
    enum movement movement;
    unsigned bits;
};

#define WAYS(movement, bits)                                                                       \
    {movement, bits}, {movement, bits},                                                            \
    {                                                                                              \
        movement, bits                                                                             \
    }
#define TWO_WAYS(movement, bits)                                                                   \
    {movement, bits},                                                                              \
    {                                                                                              \
        movement, bits                                                                             \
    }
#define COMMON_EXCHANGES(bits)                                                                     \
    {MOVE_NONE, bits}, WAYS(MOVE_BROADCAST, bits), WAYS(MOVE_SHUFFLE, bits), WAYS(MOVE_PAIRS, bits)

static const struct exchange exchanges[] = {
    COMMON_EXCHANGES(32),       WAYS(MOVE_BROADCAST_INDEX, 32),
    WAYS(MOVE_UP, 32),          WAYS(MOVE_DOWN, 32),
    WAYS(MOVE_REVERSE, 32),     {VOTE_NONE, 32},
    WAYS(VOTE_ANY, 32),         WAYS(VOTE_ALL, 32),
    COMMON_EXCHANGES(8),        COMMON_EXCHANGES(16),
    COMMON_EXCHANGES(64),       TWO_WAYS(MOVE_BROADCAST, 32),
    TWO_WAYS(MOVE_SHUFFLE, 32), TWO_WAYS(MOVE_PAIRS, 32),
};

/* Two slots of up to 64 bits per work-item. */
static size_t scratch_bytes(const struct configuration *c)
{
    return configuration_items(c) * 2 * sizeof(uint64_t);
}

static enum status exchange_setup(struct workspace *workspace,
                                  const struct configuration *configuration, struct error *error)
{
    unsigned size = configuration->subgroup_size;
    size_t order[CHAIN_LANES_MAX];
    uint32_t *source;
    enum status status = chain_setup(workspace, configuration, error);

    if (status == STATUS_OK)
        status =
            workspace_add(workspace, BUFFER_INPUT, CHAIN_PATTERNS * size * sizeof(*source), error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, scratch_bytes(configuration), error);
    if (status != STATUS_OK)
        return status;
    source = workspace->buffers[LANES].initial;
    for (unsigned p = 0; p < CHAIN_PATTERNS; p++) {
        prng_permutation(&workspace->prng, order, size);
        for (unsigned l = 0; l < size; l++)
            source[p * size + l] = (uint32_t)order[l];
    }
    return STATUS_OK;
}

static void exchange_arguments(const struct workspace *workspace, const struct launch *launch,
                               struct arguments *arguments)
{
    chain_arguments(workspace, launch, arguments);
    argument_buffer(arguments, workspace, LANES);
    argument_buffer(arguments, workspace, SCRATCH);
}

static void compute(const struct workspace *workspace, const struct launch *launch,
                    unsigned pattern, struct chain_lane *lane)
{
    const struct exchange *exchange = &exchanges[launch->variant];
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

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS_QUICK_ALL,
    WORKGROUP_SIZE_AXIS("S", NULL, "S,4S,16S,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

/* The variants of one exchange. `moves_*` is what the sub-group function compiles to. */
#define THREE_WAYS(name_, none_, what, moves_xe_hpg, moves_gen12lp)                                \
    {.name = name_,                                                                                \
     .entry_point = "exchange_" name_,                                                             \
     .means = what ", by sub-group function",                                                      \
     .baseline = none_,                                                                            \
     .instructions = {moves_xe_hpg, moves_gen12lp}},                                               \
        {.name = name_ "_slm_group",                                                               \
         .entry_point = "exchange_" name_ "_slm_group",                                            \
         .means = what ", through SLM with a work-group barrier",                                  \
         .baseline = none_,                                                                        \
         .instructions = {"sync\\.bar", "sync\\.bar"}},                                            \
    {                                                                                              \
        .name = name_ "_slm", .entry_point = "exchange_" name_ "_slm",                             \
        .means = what ", through SLM within the sub-group", .baseline = none_, .instructions = {   \
            "(load|store)\\.slm",                                                                  \
            "send"                                                                                 \
        }                                                                                          \
    }

#define GLOBAL_WAYS(name_, none_, what)                                                            \
    {.name = name_ "_global_group",                                                                \
     .entry_point = "exchange_" name_ "_global_group",                                             \
     .means = what ", through global memory with a work-group barrier",                            \
     .baseline = none_,                                                                            \
     .instructions = {"sync\\.bar", "sync\\.bar"}},                                                \
    {                                                                                              \
        .name = name_ "_global", .entry_point = "exchange_" name_ "_global",                       \
        .means = what ", through global memory within the sub-group", .baseline = none_,           \
        .instructions = {                                                                          \
            "store\\.ugm",                                                                         \
            "send"                                                                                 \
        }                                                                                          \
    }

/* Any lane of a register through an address register. */
#define INDIRECT "r\\[a0"
/* A single lane as the operand of the instruction that uses it. */
#define ONE_LANE "(add|mov|addc|add3).* r[0-9]+\\.[0-9]+<0;(1,)?0>"
/* Register regions, reordered. */
#define REGIONS "mov "

#define COMMON_VARIANTS(bits)                                                                      \
    {.name = "none_u" bits,                                                                        \
     .entry_point = "exchange_none_u" bits,                                                        \
     .means = bits "-bit values: each lane keeps its own"},                                        \
        THREE_WAYS("broadcast_u" bits, "none_u" bits, bits " bits of lane 3 to all", ONE_LANE,     \
                   ONE_LANE),                                                                      \
        THREE_WAYS("shuffle_u" bits, "none_u" bits, bits " bits, any permutation", INDIRECT,       \
                   INDIRECT),                                                                      \
        THREE_WAYS("pairs_u" bits, "none_u" bits, bits " bits, neighbours swap (xor 1)", REGIONS,  \
                   REGIONS)

/* Half the threads of an Xe-core at least: what the ways cost where others wait for their turn. */
static const char *const points[] = {"subgroup_size=16 workgroup_size=64S", NULL};

static const struct variant variants[] = {
    COMMON_VARIANTS("32"),
    THREE_WAYS("broadcast_index_u32", "none_u32", "32 bits of a lane known at run time to all",
               INDIRECT, INDIRECT),
    THREE_WAYS("up_u32", "none_u32", "32 bits to the next lane, the last to the first", REGIONS,
               REGIONS),
    THREE_WAYS("down_u32", "none_u32", "32 bits to the lane before, the first to the last", REGIONS,
               REGIONS),
    THREE_WAYS("reverse_u32", "none_u32", "32 bits, lanes in reverse (xor S-1)", REGIONS, REGIONS),
    {.name = "own_vote",
     .entry_point = "exchange_own_vote",
     .means = "each lane goes by its own predicate"},
    THREE_WAYS("any", "own_vote", "does the predicate hold in any lane", "sel ", "sel "),
    THREE_WAYS("all", "own_vote", "does the predicate hold in all lanes", "sel ", "sel "),
    COMMON_VARIANTS("8"),
    COMMON_VARIANTS("16"),
    COMMON_VARIANTS("64"),
    GLOBAL_WAYS("broadcast_u32", "none_u32", "32 bits of lane 3 to all"),
    GLOBAL_WAYS("shuffle_u32", "none_u32", "32 bits, any permutation"),
    GLOBAL_WAYS("pairs_u32", "none_u32", "32 bits, neighbours swap (xor 1)"),
};

_Static_assert(sizeof(exchanges) / sizeof(exchanges[0]) == sizeof(variants) / sizeof(variants[0]),
               "each variant is an exchange");

static void exchange_work(const struct configuration *configuration, size_t variant,
                          struct work *work)
{
    chain_work(configuration, &variants[variant], 1, work);
}

const struct family family_exchange = {
    .name = "exchange",
    .measures = "handing a value to other lanes of the sub-group, in registers and through memory",
    .unit = "ns/exchange",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .points = points,
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .ways = "slm_group slm global_group global",
    .plain_way = "function",
    .argument_slm_bytes = chain_slm_bytes,
    .work = exchange_work,
    .check = chain_check,
    .setup = exchange_setup,
    .arguments = exchange_arguments,
    .verify = exchange_verify,
};
