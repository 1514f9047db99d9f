/*
 * latency: a chain of loads, each from the address that the one before returned.
 *
 * A node is one element of memory that holds the address of the next, and all nodes of a working
 * set form one cycle in random order. So a step is one load and nothing else: no address is
 * computed, and no load can begin before the previous one has ended. STEPS steps make a turn of the
 * loop, whose counter and branch are hidden behind the last load.
 *
 *   scalar     the sub-group follows one chain, as the compiler knows: one address per message
 *   one_lane   a chain for lane 0; the other lanes are switched off
 *   lanes      a chain for each lane; `starts` decides whether they are all the same
 *
 *   nodes    in and thus resident: where the nodes in global memory are
 *   next     in, for chains in local memory: at [node] the byte offset of the node after it
 *   starts   in, the byte offset of each work-item's first node
 *   last     out, the byte offset of the node a work-item came to; its start where it took no step
 *   witness  out, the sub-group size each work-item was run with
 *   turns    of the loop, STEPS steps each
 *   pages    that a work-group reads a node of before its steps
 *   apart    bytes from one of these nodes to the next
 */

#define STEPS       32 /* as in harness/families/latency/latency.c */
#define WORDS       2  /* per node, as there */
#define WORD_BYTES  8
#define LOCAL_WORDS 16384 /* the largest working set in local memory, 64 KiB of uints */

#define KERNEL      __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void

#define EIGHT_TIMES(statement)                                                                     \
    statement;                                                                                     \
    statement;                                                                                     \
    statement;                                                                                     \
    statement;                                                                                     \
    statement;                                                                                     \
    statement;                                                                                     \
    statement;                                                                                     \
    statement;

#define STEPS_TIMES(statement)                                                                     \
    EIGHT_TIMES(statement)                                                                         \
    EIGHT_TIMES(statement)                                                                         \
    EIGHT_TIMES(statement)                                                                         \
    EIGHT_TIMES(statement)

static ulong chase(ulong node, uint turns)
{
    for (uint turn = 0; turn < turns; turn++) {
        STEPS_TIMES(node = *(global const ulong *)node)
    }
    return node;
}

/* Finds the translations of pages, for steps that would come to another page now and then: TLBs may
 * be empty when a command list begins. Returns 0, as addresses of nodes are even. */
static ulong translate(global const ulong *nodes, uint pages, uint apart)
{
    ulong seen = 0;

    for (uint page = get_local_id(0); page < pages; page += get_local_size(0))
        seen |= *(global const ulong *)((global const char *)nodes + (ulong)page * apart);
    return seen & 1;
}

static uint chase_local(local const uint *base, uint node, uint turns)
{
    for (uint turn = 0; turn < turns; turn++) {
        STEPS_TIMES(node = *(local const uint *)((local const char *)base + node))
    }
    return node;
}

/* Copies the nodes into local memory, each by one work-item of the work-group. */
static void fill(local uint *words, global const uint *next, uint nodes, uint stride)
{
    for (uint n = get_local_id(0); n < nodes; n += get_local_size(0)) {
        for (uint word = 0; word < WORDS; word++)
            words[(n * stride + word * WORD_BYTES) / sizeof(uint)] = next[n * WORDS + word];
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
}

KERNEL latency_scalar(global const ulong *nodes, global const uint *starts, global uint *last,
                      global uint *witness, uint turns)
{
    size_t item = get_global_id(0);
    uint start = sub_group_broadcast(starts[item], 0);

    last[item] = (uint)(chase((ulong)nodes + start, turns) - (ulong)nodes);
    witness[item] = get_sub_group_size();
}

KERNEL latency_one_lane(global const ulong *nodes, global const uint *starts, global uint *last,
                        global uint *witness, uint turns)
{
    size_t item = get_global_id(0);
    ulong node = (ulong)nodes + starts[item];

    if (get_sub_group_local_id() == 0)
        node = chase(node, turns);
    last[item] = (uint)(node - (ulong)nodes);
    witness[item] = get_sub_group_size();
}

KERNEL latency_lanes(global const ulong *nodes, global const uint *starts, global uint *last,
                     global uint *witness, uint turns, uint pages, uint apart)
{
    size_t item = get_global_id(0);
    ulong start = (ulong)nodes + starts[item] + translate(nodes, pages, apart);

    last[item] = (uint)(chase(start, turns) - (ulong)nodes);
    witness[item] = get_sub_group_size();
}

KERNEL latency_slm_scalar(global const uint *next, global const uint *starts, global uint *last,
                          global uint *witness, uint turns, uint nodes, uint stride)
{
    local uint words[LOCAL_WORDS];
    size_t item = get_global_id(0);

    fill(words, next, nodes, stride);
    last[item] = chase_local(words, sub_group_broadcast(starts[item], 0), turns);
    witness[item] = get_sub_group_size();
}

KERNEL latency_slm_one_lane(global const uint *next, global const uint *starts, global uint *last,
                            global uint *witness, uint turns, uint nodes, uint stride)
{
    local uint words[LOCAL_WORDS];
    size_t item = get_global_id(0);
    uint node = starts[item];

    fill(words, next, nodes, stride);
    if (get_sub_group_local_id() == 0)
        node = chase_local(words, node, turns);
    last[item] = node;
    witness[item] = get_sub_group_size();
}

KERNEL latency_slm_lanes(global const uint *next, global const uint *starts, global uint *last,
                         global uint *witness, uint turns, uint nodes, uint stride)
{
    local uint words[LOCAL_WORDS];
    size_t item = get_global_id(0);

    fill(words, next, nodes, stride);
    last[item] = chase_local(words, starts[item], turns);
    witness[item] = get_sub_group_size();
}
