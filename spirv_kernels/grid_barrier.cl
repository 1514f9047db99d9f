/*
 * grid_barrier: a barrier across the work-groups of a launch, built from atomics.
 *
 * In each iteration a work-item stores its value in global memory, synchronises, and adds its
 * partner's stored value to twice its own (which loses no bit, however often). Two halves of
 * `slots` alternate, so one barrier per iteration is enough. To synchronise, the work-group meets
 * at a barrier, its first work-item signals the other work-groups and waits for them, and the
 * work-group meets again. All work-groups have to be resident together: if one cannot start before
 * another ends, the wait never ends.
 *
 * Partners are `partner_distance` work-items apart, wrapping around at the end of the launch. 0
 * makes each work-item its own partner, and the result the same without any barrier. Each
 * work-group starts `late_operations` dependent multiply-adds later than the one before it: where
 * that is not 0, the first ones run far ahead if the barrier lets them.
 *
 *   out      one element per work-item: its last value
 *   witness  the sub-group size each work-item was run with
 *   slots    two elements per work-item
 *   arrived  counts arrivals of work-groups, 0 at first; FLAG elements on, in another cache line,
 *            the number of barriers that all have reached
 */

#define FLAG 16

static uint delayed(uint v, uint operations)
{
#pragma nounroll
    for (uint operation = 0; operation < operations; operation++)
        v = v * 3 + 1;
    return v;
}

/* All work-groups add 1, and wait for the sum. */
static void meet_at_counter(volatile global atomic_uint *arrived, uint wanted)
{
    atomic_fetch_add_explicit(arrived, 1u, memory_order_release, memory_scope_device);
    while (atomic_load_explicit(arrived, memory_order_acquire, memory_scope_device) < wanted)
        continue;
}

/* All work-groups add 1; the last one raises the flag, and the others wait for it. */
static void meet_at_flag(volatile global atomic_uint *arrived, uint wanted, uint barriers)
{
    if (atomic_fetch_add_explicit(arrived, 1u, memory_order_acq_rel, memory_scope_device) + 1 ==
        wanted) {
        atomic_store_explicit(arrived + FLAG, barriers, memory_order_release, memory_scope_device);
        return;
    }
    while (atomic_load_explicit(arrived + FLAG, memory_order_acquire, memory_scope_device) <
           barriers)
        continue;
}

#define GRID_KERNEL(name, barrier_statement)                                                       \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void name(                   \
        global uint *out, global uint *witness, global uint *slots,                                \
        volatile global atomic_uint *arrived, uint iterations, uint partner_distance,              \
        uint late_operations)                                                                      \
    {                                                                                              \
        uint gid = get_global_id(0);                                                               \
        uint items = get_global_size(0);                                                           \
        uint groups = get_num_groups(0);                                                           \
        uint partner = gid + partner_distance;                                                     \
        uint v = delayed(gid, get_group_id(0) * late_operations);                                  \
                                                                                                   \
        partner = partner < items ? partner : partner - items;                                     \
        for (uint i = 0; i < iterations; i++) {                                                    \
            uint first = (i & 1) * items;                                                          \
                                                                                                   \
            slots[first + gid] = v;                                                                \
            barrier_statement;                                                                     \
            v = v * 2 + slots[first + partner];                                                    \
        }                                                                                          \
        out[gid] = v;                                                                              \
        witness[gid] = get_sub_group_size();                                                       \
        (void)arrived;                                                                             \
        (void)groups;                                                                              \
    }

#define MEET work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device)
#define BETWEEN(statement)                                                                         \
    MEET;                                                                                          \
    if (get_local_id(0) == 0)                                                                      \
        statement;                                                                                 \
    MEET

GRID_KERNEL(grid_barrier_none, )
GRID_KERNEL(grid_barrier_work_groups, MEET; MEET)
GRID_KERNEL(grid_barrier_counter, BETWEEN(meet_at_counter(arrived, groups *(i + 1))))
GRID_KERNEL(grid_barrier_flag, BETWEEN(meet_at_flag(arrived, groups *(i + 1), i + 1)))
