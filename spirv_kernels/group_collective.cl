/*
 * group_collective: the cost of a broadcast, a vote or a reduction over a work-group.
 *
 * Every kernel runs a chain of dependent operations, four per iteration:
 *     x = COLLECTIVE(x ^ c) + d                        (votes: (x ^ c) + (VOTE ? d : e))
 * c, d and e differ between work-items and are read from memory, so that the recurrence cannot be
 * solved at compile time. In the baselines COLLECTIVE(v) is v, and a work-item uses its own
 * predicate. The predicate holds for one of as many values as the work-group has work-items, which
 * makes both outcomes of a vote common.
 *
 * `_slm` does by hand what the work-group function guarantees: for a broadcast the owner writes the
 * value to local memory; for a vote a work-item that decides it writes the vote's number; for a
 * reduction each sub-group reduces, and the results go through local memory and are reduced again.
 * Each has one barrier: two buffers alternate, and a work-item at the next store has finished
 * reading the buffer.
 *
 *   values   in, x, c, d and e of each lane of PATTERNS sub-groups, which then repeat
 *   out      out, x of each work-item at the end
 *   witness  out, the sub-group size each work-item was run with
 *   slm      local memory, two slots or more for each sub-group of the work-group
 */
#define PATTERNS 8

#define KERNEL(name, step)                                                                         \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))                                     \
    kernel void group_collective_##name(global const ulong *values, global ulong *out,             \
                                        global uint *witness, local uint *slm, uint iterations)    \
    {                                                                                              \
        uint lid = get_local_id(0);                                                                \
        uint gid = get_group_id(0) * get_local_size(0) + lid;                                      \
        uint pattern = gid & (PATTERNS * SUB_GROUP_SIZE - 1);                                      \
        uint mask = get_local_size(0) - 1;                                                         \
        uint x = (uint)values[4 * pattern];                                                        \
        uint c = (uint)values[4 * pattern + 1];                                                    \
        uint d = (uint)values[4 * pattern + 2];                                                    \
        uint e = (uint)values[4 * pattern + 3];                                                    \
        local uint *even = slm, *odd = slm + get_num_sub_groups();                                 \
                                                                                                   \
        if (lid == 0)                                                                              \
            *even = *odd = 0;                                                                      \
        work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        __attribute__((opencl_unroll_hint(1))) for (uint i = 0; i < iterations; i++)               \
        {                                                                                          \
            step(even, 1);                                                                         \
            step(odd, 2);                                                                          \
            step(even, 3);                                                                         \
            step(odd, 4);                                                                          \
        }                                                                                          \
        out[gid] = x;                                                                              \
        witness[gid] = get_sub_group_size();                                                       \
        (void)mask;                                                                                \
        (void)e;                                                                                   \
    }

#define OWNER                    3 /* of the value that is broadcast */
#define BARRIER                  work_group_barrier(CLK_LOCAL_MEM_FENCE)

#define STEP_NONE(slots, n)      x = (x ^ c) + d
#define STEP_BROADCAST(slots, n) x = work_group_broadcast(x ^ c, OWNER) + d
#define STEP_BROADCAST_SLM(slots, n)                                                               \
    if (lid == OWNER)                                                                              \
        *slots = x ^ c;                                                                            \
    BARRIER;                                                                                       \
    x = *slots + d

#define STEP_REDUCE_ADD(slots, n) x = work_group_reduce_add(x ^ c) + d
#define STEP_REDUCE_MIN(slots, n) x = work_group_reduce_min(x ^ c) + d
#define STEP_REDUCE_MAX(slots, n) x = work_group_reduce_max(x ^ c) + d
#define STEP_REDUCE_ADD_SLM(slots, n)                                                              \
    {                                                                                              \
        uint part = sub_group_reduce_add(x ^ c), sum = 0;                                          \
        if (get_sub_group_local_id() == 0)                                                         \
            slots[get_sub_group_id()] = part;                                                      \
        BARRIER;                                                                                   \
        for (uint s = get_sub_group_local_id(); s < get_num_sub_groups(); s += SUB_GROUP_SIZE)     \
            sum += slots[s];                                                                       \
        x = sub_group_reduce_add(sum) + d;                                                         \
    }

#define HOLDS                   ((x & mask) == 0)
#define CHOOSE(vote)            x = (x ^ c) + ((vote) ? d : e)
#define BALLOT(n)               (4 * i + n)

#define STEP_OWN_VOTE(slots, n) CHOOSE(HOLDS)
#define STEP_ANY(slots, n)      CHOOSE(work_group_any(HOLDS))
#define STEP_ALL(slots, n)      CHOOSE(work_group_all(!HOLDS))
#define VOTE(slots, n, compare)                                                                    \
    if (HOLDS)                                                                                     \
        *slots = BALLOT(n);                                                                        \
    BARRIER;                                                                                       \
    CHOOSE(*slots compare BALLOT(n))
#define STEP_ANY_SLM(slots, n) VOTE(slots, n, ==)
#define STEP_ALL_SLM(slots, n) VOTE(slots, n, !=)

KERNEL(none_u32, STEP_NONE)
KERNEL(broadcast_u32, STEP_BROADCAST)
KERNEL(broadcast_u32_slm, STEP_BROADCAST_SLM)
KERNEL(reduce_add_u32, STEP_REDUCE_ADD)
KERNEL(reduce_add_u32_slm, STEP_REDUCE_ADD_SLM)
KERNEL(reduce_min_u32, STEP_REDUCE_MIN)
KERNEL(reduce_max_u32, STEP_REDUCE_MAX)
KERNEL(own_vote, STEP_OWN_VOTE)
KERNEL(any, STEP_ANY)
KERNEL(any_slm, STEP_ANY_SLM)
KERNEL(all, STEP_ALL)
KERNEL(all_slm, STEP_ALL_SLM)
