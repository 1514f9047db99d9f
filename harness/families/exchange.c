/* Family `exchange`: what it costs to hand a value to another lane of the sub-group, by a sub-group
 * function and by the same movement through shared local memory.
 * Alone: vebench run exchange --axis subgroup_size=16
 *
 * Every kernel runs a chain of dependent exchanges, four an iteration, and each lane's value
 * depends on the lane it reads from; what is reported is the time that one exchange adds to the
 * chain. With one sub-group per vector engine that is a latency, with many (axis workgroup_size) a
 * rate. The baselines run the chain with each lane keeping its own value. The exchanges through
 * local memory move the same values to the same lanes: `_slm_group` has a work-group barrier
 * between store and load, `_slm` a sub-group barrier. spirv_kernels/exchange.cl has the details. */
#include "exchange-reference.h"

#include "../common-axes.h"
#include "../verify.h"

#include <stdlib.h>
#include <string.h>

/* Sub-groups with values of their own; after so many they repeat. */
#define PATTERNS  8

#define LANES_MAX (PATTERNS * EXCHANGE_LANES_MAX)

/* A variant is launched with three iteration counts, and with a few on the way to them. */
#define RESULTS_KEPT 4

enum { VALUES, LANES, OUT, WITNESS };

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
#define COMMON_EXCHANGES(bits)                                                                     \
    {MOVE_NONE, bits}, WAYS(MOVE_BROADCAST, bits), WAYS(MOVE_SHUFFLE, bits), WAYS(MOVE_PAIRS, bits)

static const struct exchange exchanges[] = {
    COMMON_EXCHANGES(32),   WAYS(MOVE_BROADCAST_INDEX, 32),
    WAYS(MOVE_UP, 32),      WAYS(MOVE_DOWN, 32),
    WAYS(MOVE_REVERSE, 32), {VOTE_NONE, 32},
    WAYS(VOTE_ANY, 32),     WAYS(VOTE_ALL, 32),
    COMMON_EXCHANGES(8),    COMMON_EXCHANGES(16),
    COMMON_EXCHANGES(64),
};

struct result {
    uint32_t iterations; /* 0: empty */
    uint64_t x[LANES_MAX];
};

struct results {
    struct result kept[VARIANTS_MAX][RESULTS_KEPT];
    unsigned next[VARIANTS_MAX];
};

static size_t work_items(const struct configuration *c)
{
    return (size_t)c->workgroup_size * c->workgroup_count;
}

/* Two buffers of the widest type. */
static size_t exchange_slm_bytes(const struct configuration *configuration)
{
    return configuration->workgroup_size * 2 * sizeof(uint64_t);
}

static enum status exchange_check(const struct device *device,
                                  const struct configuration *configuration, size_t variant,
                                  struct error *error)
{
    (void)device;
    (void)variant;
    if (configuration->workgroup_size < configuration->subgroup_size)
        return error_set(error, STATUS_UNSUPPORTED, "a work-group of %u fills no sub-group of %u",
                         configuration->workgroup_size, configuration->subgroup_size);
    return STATUS_OK;
}

static enum status exchange_setup(struct workspace *workspace,
                                  const struct configuration *configuration, struct error *error)
{
    unsigned size = configuration->subgroup_size;
    size_t lanes = (size_t)PATTERNS * size, items = work_items(configuration);
    size_t order[EXCHANGE_LANES_MAX];
    uint32_t *source;
    enum status status =
        workspace_add(workspace, BUFFER_INPUT, lanes * sizeof(struct exchange_lane), error);

    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_INPUT, lanes * sizeof *source, error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items * sizeof(uint64_t), error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items * sizeof(uint32_t), error);
    if (status != STATUS_OK)
        return status;
    source = workspace->buffers[LANES].initial;
    for (unsigned p = 0; p < PATTERNS; p++) {
        prng_permutation(&workspace->prng, order, size);
        for (unsigned l = 0; l < size; l++)
            source[p * size + l] = (uint32_t)order[l];
    }
    workspace->own = calloc(1, sizeof(struct results));
    return workspace->own ? STATUS_OK : error_set(error, STATUS_FAILED, "out of memory");
}

static void exchange_arguments(const struct workspace *workspace, const struct launch *launch,
                               struct arguments *arguments)
{
    argument_buffer(arguments, workspace, VALUES);
    argument_buffer(arguments, workspace, LANES);
    argument_buffer(arguments, workspace, OUT);
    argument_buffer(arguments, workspace, WITNESS);
    argument_local(arguments, exchange_slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
}

static void compute(const struct workspace *workspace, const struct launch *launch, uint64_t *x)
{
    const struct exchange_lane *values = workspace->buffers[VALUES].initial;
    const uint32_t *source = workspace->buffers[LANES].initial;
    const struct exchange *exchange = &exchanges[launch->variant];
    unsigned size = launch->configuration.subgroup_size;

    for (unsigned p = 0; p < PATTERNS; p++) {
        struct exchange_lane lane[EXCHANGE_LANES_MAX];

        if (p * size >= work_items(&launch->configuration))
            break;
        memcpy(lane, values + p * size, size * sizeof *lane);
        exchange_reference(exchange->movement, exchange->bits, size, launch->iterations,
                           source + p * size, lane);
        for (unsigned l = 0; l < size; l++)
            x[p * size + l] = lane[l].x;
    }
}

static const uint64_t *find_result(const struct workspace *workspace, const struct launch *launch)
{
    struct results *results = workspace->own;
    struct result *kept = results->kept[launch->variant];
    unsigned *next = &results->next[launch->variant];

    for (unsigned i = 0; i < RESULTS_KEPT; i++) {
        if (kept[i].iterations == launch->iterations)
            return kept[i].x;
    }
    kept += *next;
    *next = (*next + 1) % RESULTS_KEPT;
    kept->iterations = launch->iterations;
    compute(workspace, launch, kept->x);
    return kept->x;
}

static enum status exchange_verify(struct workspace *workspace, const struct launch *launch,
                                   struct error *error)
{
    const uint64_t *expected = find_result(workspace, launch);
    const uint64_t *out = workspace->buffers[OUT].result;
    size_t repeat = (size_t)PATTERNS * launch->configuration.subgroup_size;

    for (size_t i = 0; i < work_items(&launch->configuration); i++) {
        if (out[i] != expected[i % repeat])
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations: out[%zu] is 0x%016llx, the host "
                             "computes 0x%016llx",
                             (unsigned)launch->iterations, i, (unsigned long long)out[i],
                             (unsigned long long)expected[i % repeat]);
    }
    return verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error);
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("S", NULL, "S,4S,16S,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

/* An exchange in its three ways. `moves` is what the sub-group function compiles to. */
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

/* Any lane of a register by an address register. */
#define INDIRECT "r\\[a0"
/* One lane as the operand of the instruction that uses it. */
#define ONE_LANE "(add|mov|addc|add3).* r[0-9]+\\.[0-9]+<0;(1,)?0>"
/* Regions of registers, put in another order. */
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
};

_Static_assert(sizeof exchanges / sizeof exchanges[0] == sizeof variants / sizeof variants[0],
               "each variant is an exchange");

static void exchange_work(const struct configuration *configuration, size_t variant,
                          struct work *work)
{
    const char *name = variants[variant].name;
    double subgroups =
        (double)(work_items(configuration) / configuration->subgroup_size) * EXCHANGE_STEPS;

    work->units = EXCHANGE_STEPS;
    if (!variants[variant].baseline)
        return;
    work->exchanges = subgroups;
    if (strstr(name, "_slm_group"))
        work->barriers = (double)configuration->workgroup_count * EXCHANGE_STEPS;
}

const struct family family_exchange = {
    .name = "exchange",
    .measures = "handing a value to other lanes of the sub-group, in registers and through SLM",
    .unit = "ns/exchange",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof axes / sizeof axes[0],
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .argument_slm_bytes = exchange_slm_bytes,
    .work = exchange_work,
    .check = exchange_check,
    .setup = exchange_setup,
    .arguments = exchange_arguments,
    .verify = exchange_verify,
};
