/* Family `latency`: the time of one load from issue to data, by where the data is.
 * Alone: vebench run latency --axis subgroup_size=16 --axis working_set=16K,32K,2L,3L
 *
 * A pointer chase: the nodes of a working set form one cycle, each holds the address of the next,
 * and a step is one load and nothing else. The working set decides where the nodes are found, in
 * the first level, the last level or memory; the stride between nodes decides how many pages they
 * occupy. The cycle's order is random, so that nothing fetches a node before its step; or each step
 * goes `jump` nodes up, round and round until all have been visited, and takes less time where a
 * cache fetches that far ahead. An iteration goes through the whole working set, so that the slope
 * begins once every line has been touched. Sets of more than LATENCY_FAR_NODES nodes, which no
 * first level holds, are an exception: an iteration takes that many, starting where the launch
 * before ended, after untimed launches that have gone through the whole set. So each step finds
 * what it would find on an endless walk round the set, and launches do not grow with it. Only TLBs
 * may be empty when a launch begins: chains for each lane that go up look up their pages first.
 *
 * The value has no baseline: the loop's counter and branch, once in STEPS steps, are hidden behind
 * the last load. More than one work-group shows the latency under load. */
#include "families/latency/latency-variants.h"

#include "family/common-axes.h"
#include "family/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS         32     /* as in spirv_kernels/latency.cl */
#define LOCAL_BYTES   65536u /* local memory of the kernels that use it */
#define LEAST_NODES   3u     /* a cycle */
#define LANES_MOST    32u    /* chains that a sub-group may follow */
#define LINE_BYTES    64u
#define PAGE_BYTES    4096u /* of the host */
#define MESSAGE_LANES 16u   /* of Xe-HPG and Gen12LP */

enum { NODES, NEXT, STARTS_OF_SUBGROUPS, STARTS_OF_LANES, LAST, WITNESS };

#define WORD_BYTES 8u

/* The words of a node: addresses in global memory, byte offsets in local memory. Whichever word
 * they follow, a sub-group's lanes together visit all nodes in the order of the cycle, so a launch
 * finds the caches as a launch of any variant has left them. */
enum { WORD_NEXT, WORD_FAR, WORDS }; /* the next node; the node one step per lane ahead */

enum { OWN_WORKING_SET, OWN_STRIDE, OWN_JUMP };

struct cycle {
    uint64_t first; /* position from which the first chain starts next */
    uint32_t nodes;
    uint32_t stride;  /* bytes */
    uint32_t order[]; /* node at each position of the cycle */
};

/* An odd number: step counts are powers of two, so each turn ends at another node. One more than a
 * multiple of the jump: each round ends one node before the one where it began, and what is fetched
 * ahead of a round's nodes was visited by the round before, and tells nothing. */
static uint32_t node_count(const struct configuration *c)
{
    uint32_t nodes = c->own[OWN_WORKING_SET] / c->own[OWN_STRIDE], jump = c->own[OWN_JUMP];

    if (!nodes)
        return 0;
    return jump > 1 ? (nodes - 1) / jump * jump + 1 : (nodes - 1) | 1u;
}

static uint32_t subgroups_of(const struct configuration *c)
{
    return c->workgroup_size / c->subgroup_size * c->workgroup_count;
}

/* Nodes that the sub-groups of a work-group visit in an iteration. Work-groups may sit on different
 * Xe-cores, each with its own first level. */
static uint32_t iteration_nodes(const struct configuration *c)
{
    return node_count(c) < LATENCY_FAR_NODES ? node_count(c) : LATENCY_FAR_NODES;
}

/* Turns of the loop per iteration. */
static uint32_t turns_of(const struct configuration *c, const struct latency_variant *variant)
{
    uint32_t chains =
        variant->chain == LATENCY_LANE ? c->workgroup_size : c->workgroup_size / c->subgroup_size;
    uint32_t together = chains * STEPS;

    return (iteration_nodes(c) + together - 1) / together;
}

/* Iterations after which the caches are as an endless walk would leave them. */
static uint32_t latency_warming(const struct configuration *c, const struct variant *variant)
{
    const struct latency_variant *own = variant->own;

    if (own->is_local || node_count(c) <= LATENCY_FAR_NODES)
        return 0;
    return (node_count(c) + LATENCY_FAR_NODES - 1) / LATENCY_FAR_NODES;
}

/* The position in the cycle where a work-item's chain starts: the sub-groups of a work-group are
 * evenly spread, those of other work-groups lie between them, and lanes are side by side. */
static uint64_t start_of(const struct configuration *c, enum latency_chain chain, uint32_t item)
{
    uint32_t lanes = c->subgroup_size;
    uint32_t subgroup = item % c->workgroup_size / lanes;
    uint64_t place = (uint64_t)subgroup * c->workgroup_count + item / c->workgroup_size;
    uint64_t start = place * node_count(c) / subgroups_of(c);

    return chain == LATENCY_LANE ? start + item % lanes : start;
}

/* The byte offset of what a chain reads at a position of the cycle. */
static uint32_t offset_at(const struct cycle *cycle, enum latency_chain chain, uint64_t position)
{
    uint32_t word = chain == LATENCY_LANE ? WORD_FAR : WORD_NEXT;

    return cycle->order[position % cycle->nodes] * cycle->stride + word * WORD_BYTES;
}

static enum status check_nodes(const struct configuration *c, struct error *error)
{
    uint32_t jump = c->own[OWN_JUMP], nodes = node_count(c);

    if (c->own[OWN_STRIDE] % (WORDS * WORD_BYTES))
        return error_set(error, STATUS_EXCLUDED, "a stride of %u bytes is no multiple of %u",
                         c->own[OWN_STRIDE], WORDS * WORD_BYTES);
    if (nodes < LEAST_NODES)
        return error_set(error, STATUS_EXCLUDED,
                         "a working set of %u bytes has %u nodes at a stride of %u bytes; a chain "
                         "has at least %u",
                         c->own[OWN_WORKING_SET], nodes, c->own[OWN_STRIDE], LEAST_NODES);
    if (jump & (jump - 1))
        return error_set(error, STATUS_EXCLUDED, "a jump of %u nodes is no power of two", jump);
    return STATUS_OK;
}

static enum status latency_check(const struct device *device, const struct configuration *c,
                                 const struct variant *variant, struct error *error)
{
    const struct latency_variant *own = variant->own;

    (void)device;
    if (c->workgroup_size < c->subgroup_size)
        return error_set(error, STATUS_EXCLUDED, "a work-group smaller than a sub-group");
    if (own->chain == LATENCY_LANE && node_count(c) < LANES_MOST)
        return error_set(error, STATUS_EXCLUDED,
                         "a chain of %u nodes; there is one for each lane from %u nodes on",
                         node_count(c), LANES_MOST);
    if (own->is_local && c->own[OWN_WORKING_SET] > LOCAL_BYTES) {
        return error_set(error, STATUS_EXCLUDED,
                         "the working set is %u bytes, but a work-group has %u of local memory",
                         c->own[OWN_WORKING_SET], LOCAL_BYTES);
    }
    return check_nodes(c, error);
}

/* A random order: all cycles through all nodes are equally likely (Sattolo's algorithm). */
static void order_by_chance(struct cycle *cycle, struct prng *prng)
{
    for (uint32_t i = 0; i < cycle->nodes; i++) {
        uint32_t j = prng_below(prng, i + 1);

        cycle->order[i] = cycle->order[j];
        cycle->order[j] = i;
    }
}

static void order_by_jumps(struct cycle *cycle, uint32_t jump)
{
    for (uint32_t i = 0; i < cycle->nodes; i++)
        cycle->order[i] = (uint32_t)((uint64_t)i * jump % cycle->nodes);
}

static struct cycle *make_cycle(struct prng *prng, const struct configuration *c)
{
    uint32_t nodes = node_count(c);
    struct cycle *cycle = malloc(sizeof(*cycle) + nodes * sizeof(*cycle->order));

    if (!cycle)
        return NULL;
    cycle->first = 0;
    cycle->nodes = nodes;
    cycle->stride = c->own[OWN_STRIDE];
    if (c->own[OWN_JUMP])
        order_by_jumps(cycle, c->own[OWN_JUMP]);
    else
        order_by_chance(cycle, prng);
    return cycle;
}

/* Writes to each node the addresses of its successors or, in local memory, their offsets. */
static void write_nodes(struct workspace *workspace, const struct configuration *c,
                        const struct cycle *cycle)
{
    uint64_t base = (uintptr_t)workspace->buffers[NODES].device;
    unsigned char *nodes = workspace->buffers[NODES].initial;
    uint32_t *next = workspace->buffers[NEXT].initial;

    for (uint64_t i = 0; i < cycle->nodes; i++) {
        uint32_t node = cycle->order[i];
        uint64_t after[WORDS] = {i + 1, i + c->subgroup_size};
        uint64_t addresses[WORDS];

        _Static_assert(sizeof(addresses) == WORDS * WORD_BYTES, "a word holds an address");
        for (uint32_t word = 0; word < WORDS; word++) {
            enum latency_chain chain = word == WORD_FAR ? LATENCY_LANE : LATENCY_SUBGROUP;

            next[node * WORDS + word] = offset_at(cycle, chain, after[word]);
            addresses[word] = base + next[node * WORDS + word];
        }
        memcpy(nodes + (size_t)node * cycle->stride, addresses, sizeof(addresses));
    }
}

static void write_starts(struct workspace *workspace, const struct configuration *c,
                         const struct cycle *cycle)
{
    uint32_t *subgroups = workspace->buffers[STARTS_OF_SUBGROUPS].initial;
    uint32_t *lanes = workspace->buffers[STARTS_OF_LANES].initial;

    for (uint32_t item = 0; item < c->workgroup_size * c->workgroup_count; item++) {
        subgroups[item] =
            offset_at(cycle, LATENCY_SUBGROUP, cycle->first + start_of(c, LATENCY_SUBGROUP, item));
        lanes[item] =
            offset_at(cycle, LATENCY_LANE, cycle->first + start_of(c, LATENCY_LANE, item));
    }
}

/* Makes the next launch begin where this one ended. */
static void walk_on(struct workspace *workspace, const struct configuration *c, struct cycle *cycle,
                    uint64_t way)
{
    cycle->first = (cycle->first + way) % cycle->nodes;
    write_starts(workspace, c, cycle);
}

static size_t node_bytes(const struct configuration *c)
{
    return (size_t)node_count(c) * c->own[OWN_STRIDE];
}

static size_t next_bytes(const struct configuration *c)
{
    return node_count(c) * WORDS * sizeof(uint32_t);
}

/* Nodes that are more than a page apart leave most pages between them empty. */
static struct buffer_rows node_rows(const struct configuration *c)
{
    uint32_t stride = c->own[OWN_STRIDE];

    if (stride <= PAGE_BYTES)
        return (struct buffer_rows){0};
    return (struct buffer_rows){.bytes = WORDS * WORD_BYTES, .pitch = stride};
}

static const struct buffer_plan buffers[] = {
    [NODES] = {"nodes", BUFFER_INPUT, node_bytes, .rows = node_rows},
    [NEXT] = {"next", BUFFER_INPUT, next_bytes},
    [STARTS_OF_SUBGROUPS] = {"starts", BUFFER_IN_OUT},
    [STARTS_OF_LANES] = {"starts", BUFFER_IN_OUT},
    [LAST] = {"last", BUFFER_OUTPUT},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static enum status latency_prepare(struct workspace *workspace, const struct configuration *c,
                                   struct error *error)
{
    enum status status = check_nodes(c, error);

    if (status != STATUS_OK)
        return status;
    struct cycle *cycle = make_cycle(&workspace->prng, c);
    workspace->own = cycle;
    if (!cycle)
        return error_out_of_memory(error);
    write_nodes(workspace, c, cycle);
    write_starts(workspace, c, cycle);
    return STATUS_OK;
}

/* Bytes between nodes of which there is one in each page that has any: a page less a node. A whole
 * page would be a multiple of each jump, and all of these nodes be met in one round. */
static uint32_t translated_apart(const struct configuration *c)
{
    uint32_t stride = c->own[OWN_STRIDE], nodes = PAGE_BYTES / stride;

    return nodes > 1 ? (nodes - 1) * stride : stride;
}

/* A chain for each lane that steps up comes to new pages often, for as long as a launch takes. In
 * random order it has been to all of them after a moment. */
static uint32_t translated_pages(const struct configuration *c,
                                 const struct latency_variant *variant)
{
    uint32_t apart = translated_apart(c);

    if (variant->chain != LATENCY_LANE || !c->own[OWN_JUMP])
        return 0;
    return (uint32_t)((node_bytes(c) + apart - 1) / apart);
}

static void latency_arguments(const struct workspace *workspace, const struct launch *launch,
                              struct arguments *arguments)
{
    const struct configuration *c = &launch->configuration;
    const struct latency_variant *variant = launch->variant->own;

    argument_buffer(arguments, workspace, variant->is_local ? NEXT : NODES);
    argument_buffer(arguments, workspace,
                    variant->chain == LATENCY_LANE ? STARTS_OF_LANES : STARTS_OF_SUBGROUPS);
    argument_buffer(arguments, workspace, LAST);
    argument_buffer(arguments, workspace, WITNESS);
    argument_uint(arguments, launch->iterations * turns_of(c, variant));
    if (variant->is_local) {
        argument_uint(arguments, node_count(c));
        argument_uint(arguments, c->own[OWN_STRIDE]);
    } else if (variant->takes_pages) {
        argument_uint(arguments, translated_pages(c, variant));
        argument_uint(arguments, translated_apart(c));
    }
}

static enum status latency_verify(struct workspace *workspace, const struct launch *launch,
                                  struct error *error)
{
    const struct configuration *c = &launch->configuration;
    const struct latency_variant *variant = launch->variant->own;
    const struct buffer *last = &workspace->buffers[LAST];
    struct cycle *cycle = workspace->own;
    uint64_t steps = (uint64_t)launch->iterations * turns_of(c, variant) * STEPS;
    uint64_t way = steps * (variant->chain == LATENCY_LANE ? c->subgroup_size : 1);
    uint32_t items = (uint32_t)configuration_items(c);
    uint32_t *expected = workspace_scratch(workspace, last->bytes, error);

    if (!expected)
        return STATUS_FAILED;
    for (uint32_t item = 0; item < items; item++) {
        bool idle = variant->chain == LATENCY_ONE_LANE && item % c->subgroup_size != 0;
        uint64_t start = cycle->first + start_of(c, variant->chain, item);

        expected[item] = offset_at(cycle, variant->chain, start + (idle ? 0 : way));
    }
    enum status status = verify_uints(last, expected, items, launch, error);
    if (status == STATUS_OK && !variant->is_local)
        walk_on(workspace, c, cycle, way);
    return status;
}

/* The value is the time of a step; all sub-groups take their steps at the same time. */
static void latency_work(const struct configuration *c, const struct variant *variant,
                         struct work *work)
{
    const struct latency_variant *own = variant->own;
    enum latency_chain chain = own->chain;
    uint32_t lanes = c->subgroup_size;
    uint32_t active = own->is_one_address || chain == LATENCY_ONE_LANE ? 1 : lanes;
    uint32_t messages = own->is_one_address ? 1 : (lanes + MESSAGE_LANES - 1) / MESSAGE_LANES;
    double steps = (double)turns_of(c, own) * STEPS;
    double loads = steps * subgroups_of(c);

    work->units = steps;
    work->messages = loads * messages;
    work->bytes = loads * active * (own->is_local ? sizeof(uint32_t) : sizeof(uint64_t));
    /* Where a line holds several nodes, the random cycle decides how many of a message's share
     * one. */
    if (own->is_local || (chain == LATENCY_LANE && c->own[OWN_STRIDE] < LINE_BYTES))
        return;
    work->lines = chain == LATENCY_LANE ? loads * lanes : fmin(work->messages, loads * active);
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("S", NULL, "S,128,512"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
    {.name = "working_set",
     .means = "bytes that the nodes lie in; L stands for the last-level cache",
     .defaults = "16K,64K,256K,1M,2L,3L",
     .quick = "16K,64K,256K,1M",
     .full = "4K,8K,16K,32K,64K,128K,256K,512K,1M,L,2L,4L",
     .kind = AXIS_COUNT,
     .least = 1024,
     .largest = 1u << 30,
     .is_bisected = true},
    {.name = "stride",
     .means = "bytes from a node to its neighbour, a line or more than a page; a multiple of 16",
     .defaults = "64",
     .full = "64,256,1024,4096,65536",
     .kind = AXIS_COUNT,
     .least = WORDS * WORD_BYTES,
     .largest = 1u << 20},
    {.name = "jump",
     .means = "nodes that each step goes up, a power of two; 0: in random order",
     .defaults = "0",
     .kind = AXIS_COUNT,
     .least = 0,
     .largest = 1u << 16,
     .absent_is_zero = true},
};

/* With these, sub-groups of 16 have a set in every octave from 16K to 1M and one of half the
 * last-level cache: a level that holds four times as much as the one before has two sets wherever
 * it ends, which is what its latency and its capacity are found from. */
static const char *const points[] = {
    "subgroup_size=16 working_set=32K", "subgroup_size=16 working_set=128K",
    "subgroup_size=16 working_set=512K", "subgroup_size=16 working_set=L/2", NULL};

/* Of a set half as large again as the last-level cache a part stays there, unless what gives way is
 * the least recently used. Steps up are shorter the farther that cache fetches ahead, and meet no
 * TLB where it holds them. Nodes in as many pages as a TLB may hold, and in more, tell how many it
 * does and what a page costs, which first launches wait for; few that a first level has in one set,
 * how many lines a set holds; many chains at once, how fast memory reads lines in no order. */
static const char *const default_points[] = {
    "subgroup_size=16 working_set=3L/2",
    "subgroup_size=16 working_set=L/2 jump=1",
    "subgroup_size=16 working_set=9L/8 jump=16",
    "subgroup_size=16 working_set=2L jump=1",
    "subgroup_size=16 working_set=2L jump=2",
    "subgroup_size=16 working_set=2L jump=4",
    "subgroup_size=16 working_set=2L jump=16",
    "subgroup_size=16 stride=8256 working_set=32M",
    "subgroup_size=16 stride=8256 working_set=64M",
    "subgroup_size=16 stride=8256 working_set=128M",
    "subgroup_size=16 stride=8256 working_set=256M",
    "subgroup_size=16 stride=65600 working_set=264M",
    "subgroup_size=16 stride=65600 working_set=500M",
    "subgroup_size=16 stride=65600 working_set=1000M",
    "subgroup_size=16 stride=65536 working_set=320K",
    "subgroup_size=16 stride=65536 working_set=576K",
    "subgroup_size=16 stride=65536 working_set=1088K",
    "subgroup_size=16 workgroup_size=128 workgroup_count=C working_set=16L stride=320",
    "subgroup_size=16 workgroup_size=256 workgroup_count=C working_set=16L stride=320",
    NULL,
};

const struct family family_latency = {
    .name = "latency",
    .measures = "the time of one load, by where its data is and how many addresses it has",
    .unit = "ns/step",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .tells_health = true,
    .points = points,
    .default_points = default_points,
    .variants = latency_variants,
    .variant_count = LATENCY_VARIANTS,
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = latency_work,
    .check = latency_check,
    .warming = latency_warming,
    .prepare = latency_prepare,
    .arguments = latency_arguments,
    .lists_buffers = true,
    .verify = latency_verify,
};
