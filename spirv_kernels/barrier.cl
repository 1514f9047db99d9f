/*
 * barrier: the cost of one sub-group or work-group barrier.
 *
 * Nine kernels that differ in one statement, the barrier. Each work-item runs `iterations` times:
 * read, modify and write one slot of local memory and one element of global memory, then the
 * barrier. The slot and the element move on by one in each iteration, so a work-item reads what its
 * neighbour wrote an iteration before: the traffic that makes a barrier necessary, and that a
 * barrier's fences have to order. The cost of a barrier is the slope of time over iterations less
 * the slope of barrier_none.
 *
 * The rotation stays within a span of work-items, a power of two given as a mask (span - 1),
 * because a `%` by a run-time value compiles to more instructions than the rest of the loop.
 *  - span = sub-group size: every element belongs to one sub-group, whose work-items run in
 *    lockstep, and a hardware thread sees its own accesses in program order. The result is defined
 *    with any of the barriers, and with none.
 *  - span = work-group size: elements pass from sub-group to sub-group. The result is defined only
 *    with a work-group barrier that fences the memory in question.
 * The host computes the expected contents of both buffers in either case.
 *
 *   data     in and out, one element per work-item of the whole launch
 *   witness  out, the sub-group size each work-item was run with
 *   slots    local memory, one element per work-item of the work-group
 *   local_mask, global_mask   span - 1 of the rotation in slots and in data
 */

/* The index of work-item `item` after `i` steps of rotation in its span. */
static uint rotated(uint item, uint i, uint mask)
{
    return (item & ~mask) | ((item + i) & mask);
}

/*
 * There are two loops, although `never` is 0 for every mask and the inner loop runs once, because
 * the compiler does not know that: it has to keep a branch between the work and the barrier, and
 * its scheduler does not move instructions across branches. Otherwise the compiler would order the
 * work differently in each kernel, and the difference of two slopes would be more than the barrier.
 * tests/kernels/ compares the machine code.
 */
#define BARRIER_KERNEL(name, barrier_statement)                                                    \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void name(                   \
        global uint *data, global uint *witness, local uint *slots, uint iterations,               \
        uint local_mask, uint global_mask, uint seed)                                              \
    {                                                                                              \
        uint lid = get_local_id(0);                                                                \
        uint gid = get_group_id(0) * get_local_size(0) + lid;                                      \
        uint never = local_mask & (local_mask + 1);                                                \
        uint i = 0;                                                                                \
                                                                                                   \
        slots[lid] = seed + gid;                                                                   \
        while (i < iterations) {                                                                   \
            do {                                                                                   \
                uint l = rotated(lid, i, local_mask);                                              \
                uint v = slots[l] * 5u + i;                                                        \
                slots[l] = v;                                                                      \
                uint g = rotated(gid, i, global_mask);                                             \
                data[g] = data[g] + v;                                                             \
                i++;                                                                               \
            } while (i & never);                                                                   \
            barrier_statement;                                                                     \
        }                                                                                          \
        witness[gid] = get_sub_group_size();                                                       \
    }

BARRIER_KERNEL(barrier_none, )
BARRIER_KERNEL(barrier_sub_group_local, sub_group_barrier(CLK_LOCAL_MEM_FENCE))
BARRIER_KERNEL(barrier_sub_group_global, sub_group_barrier(CLK_GLOBAL_MEM_FENCE))
BARRIER_KERNEL(barrier_work_group_local, work_group_barrier(CLK_LOCAL_MEM_FENCE))
BARRIER_KERNEL(barrier_work_group_global, work_group_barrier(CLK_GLOBAL_MEM_FENCE))
BARRIER_KERNEL(barrier_work_group_both,
               work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE))
BARRIER_KERNEL(barrier_sub_group_both,
               sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE))
BARRIER_KERNEL(barrier_sub_group_none, sub_group_barrier(0))
BARRIER_KERNEL(barrier_work_group_none, work_group_barrier(0))
