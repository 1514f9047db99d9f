/*
 * barrier_arrival: a work-group barrier whose threads do not all arrive at the same time.
 *
 * In each iteration a work-item stores its value in local memory, does some work or none, and adds
 * its partner's stored value to twice its own (which loses no bit, however often). Between store
 * and load there is no barrier, or one after the work, or a split one: the work-item arrives before
 * its work and waits after it. Two halves of `slots` alternate, so one barrier per iteration is
 * enough.
 *
 * The work is a chain of dependent multiply-adds, `operations` of them in sub-groups from number
 * `late_from` on and none in the others. It is a loop of its own, across which the compiler moves
 * nothing.
 *
 * Partners are neighbours in a span of work-items, a power of two given as a mask (span - 1).
 * Within a sub-group the result is defined with and without a barrier, within the work-group only
 * with one.
 *
 *   out      one element per work-item: its last value
 *   witness  the sub-group size each work-item was run with
 *   slots    local memory, two elements per work-item of the work-group
 */

/* Dependent operations per pass of the work loop. */
#define CHAIN 16

static uint worked(uint v, uint i, uint passes)
{
#pragma nounroll
    for (uint pass = 0; pass < passes; pass++) {
#pragma unroll
        for (uint step = 0; step < CHAIN; step++)
            v = v * 3 + i;
    }
    return v;
}

#define ARRIVAL_KERNEL(name, before_work, behind_work)                                             \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void name(                   \
        global uint *out, global uint *witness, local uint *slots, uint iterations,                \
        uint operations, uint late_from, uint span_mask)                                           \
    {                                                                                              \
        uint lid = get_local_id(0);                                                                \
        uint gid = get_global_id(0);                                                               \
        uint partner = (lid & ~span_mask) | ((lid + 1) & span_mask);                               \
        uint passes = get_sub_group_id() >= late_from ? operations / CHAIN : 0;                    \
        uint v = gid;                                                                              \
                                                                                                   \
        for (uint i = 0; i < iterations; i++) {                                                    \
            uint first = (i & 1) * (uint)get_local_size(0);                                        \
                                                                                                   \
            slots[first + lid] = v;                                                                \
            before_work;                                                                           \
            v = worked(v, i, passes);                                                              \
            behind_work;                                                                           \
            v = v * 2 + slots[first + partner];                                                    \
        }                                                                                          \
        out[gid] = v;                                                                              \
        witness[gid] = get_sub_group_size();                                                       \
    }

ARRIVAL_KERNEL(barrier_arrival_none, , )
ARRIVAL_KERNEL(barrier_arrival_whole, , work_group_barrier(CLK_LOCAL_MEM_FENCE))
/* At 32 lanes the compiler emits a signal and a wait for each half of the lanes, which hangs. */
#if SUB_GROUP_SIZE < 32

/* The two halves of a work-group barrier, from which the compiler builds OpenCL's
 * work_group_barrier. The extension with official names for them
 * (cl_intel_split_work_group_barrier) is younger than the translator to SPIR-V. */
void __builtin_IB_thread_group_barrier_signal(void);
void __builtin_IB_thread_group_barrier_wait(void);

/* The fence that makes the slots visible, and the signal. */
static void arrive(void)
{
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
    __builtin_IB_thread_group_barrier_signal();
}

ARRIVAL_KERNEL(barrier_arrival_split, arrive(), __builtin_IB_thread_group_barrier_wait())

#endif
