/*
 * atomics: the cost of an atomic operation on global or local memory.
 *
 * Every work-item makes STEPS atomic operations per iteration on one cell; 2^shift work-items share
 * a cell, and cells lie `spacing` elements apart. There are three kinds of loop, each with its
 * baseline:
 *  - operations that return nothing are issued as fast as they can be sent (baseline: the loop
 *    alone);
 *  - operations that return the old value each depend on the one before: the next operand is
 *    step + (old & zero), where zero is 0, which the compiler does not know (baseline: the same
 *    chain with the operand in place of the old value);
 *  - compare and exchange tries to add `step` to the cell's contents as seen by the try before.
 * Cells in local memory are copied from global memory at the start and back at the end. Float
 * additions add 1 in even iterations and -1 in odd ones, so that sums stay small and exact.
 *
 *   cells    in and out, in 32- or 64-bit elements
 *   sums     out, of each work-item: the sum of the old values it got, or how many of its exchanges
 *            succeeded; and what the loop itself computes
 *   witness  out, the sub-group size each work-item was run with
 *   slots    local memory for the cells of a work-group
 */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#define ATOMIC_KERNEL(name, memory, type, step_statement)                                          \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void atomics_##name(         \
        global ulong *cells, global ulong *sums, global uint *witness, local ulong *slots,         \
        uint iterations, uint shift, uint spacing, uint step, uint zero)                           \
    {                                                                                              \
        uint lid = get_local_id(0);                                                                \
        uint gid = get_group_id(0) * get_local_size(0) + lid;                                      \
        bool first = (gid & ((1u << shift) - 1)) == 0;                                             \
        global type *in_global = (global type *)cells + (gid >> shift) * spacing;                  \
        local type *in_local = (local type *)slots + (lid >> shift) * spacing;                     \
        volatile memory type *cell = in_##memory;                                                  \
        type sum = 0, old, v = FIRST_##type;                                                       \
        uint mixed = step;                                                                         \
                                                                                                   \
        if (first)                                                                                 \
            *in_local = *in_global;                                                                \
        work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        old = *cell;                                                                               \
        __attribute__((opencl_unroll_hint(1))) for (uint i = 0; i < iterations; i++)               \
        {                                                                                          \
            step_statement;                                                                        \
            step_statement;                                                                        \
            step_statement;                                                                        \
            step_statement;                                                                        \
            NEXT_##type;                                                                           \
        }                                                                                          \
        work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        if (first && IS_LOCAL_##memory)                                                            \
            *in_global = *in_local;                                                                \
        sums[2 * gid] = (ulong)sum;                                                                \
        sums[2 * gid + 1] = mixed;                                                                 \
        witness[gid] = get_sub_group_size();                                                       \
        (void)old;                                                                                 \
        (void)v;                                                                                   \
        (void)zero;                                                                                \
    }

#define IS_LOCAL_global false
#define IS_LOCAL_local  true

/* The operand, and other work in each iteration that no compiler can do for all iterations at
 * once. */
#define FIRST_uint  (step + (gid & zero))
#define FIRST_ulong (step + (gid & zero))
#define FIRST_float 1.0f
#define NEXT_uint   mixed = (mixed ^ i) + step
#define NEXT_ulong  mixed = (mixed ^ i) + step
#define NEXT_float  mixed = (mixed ^ i) + step, v = -v

#define CHAIN(value)                                                                               \
    old = value;                                                                                   \
    sum += old;                                                                                    \
    v = step + (old & zero)

#define RELAXED_global           memory_order_relaxed, memory_scope_device
#define RELAXED_local            memory_order_relaxed, memory_scope_work_group
#define ORDERED_global           memory_order_acq_rel, memory_scope_device
#define ORDERED_local            memory_order_acq_rel, memory_scope_work_group

#define ADD(memory, type, order) atomic_fetch_add_explicit((volatile memory type *)cell, v, order)

#define COMPARE_AND_EXCHANGE                                                                       \
    v = atomic_cmpxchg(cell, old, old + step);                                                     \
    sum += v == old;                                                                               \
    old = v == old ? v + step : v

ATOMIC_KERNEL(loop, global, uint, )
ATOMIC_KERNEL(chain_u32, global, uint, CHAIN(v))
ATOMIC_KERNEL(chain_u64, global, ulong, CHAIN(v))

#define ATOMICS(memory)                                                                            \
    ATOMIC_KERNEL(memory##_add_u32, memory, uint, atomic_add(cell, v))                             \
    ATOMIC_KERNEL(memory##_add_u32_ordered, memory, uint,                                          \
                  ADD(memory, atomic_uint, ORDERED_##memory))                                      \
    ATOMIC_KERNEL(memory##_add_f32, memory, float, ADD(memory, atomic_float, RELAXED_##memory))    \
    ATOMIC_KERNEL(memory##_fetch_u32, memory, uint, CHAIN(atomic_add(cell, v)))                    \
    ATOMIC_KERNEL(memory##_fetch_u32_ordered, memory, uint,                                        \
                  CHAIN(ADD(memory, atomic_uint, ORDERED_##memory)))                               \
    ATOMIC_KERNEL(memory##_fetch_u64, memory, ulong, CHAIN(atom_add(cell, v)))                     \
    ATOMIC_KERNEL(memory##_exchange_u32, memory, uint, COMPARE_AND_EXCHANGE)

ATOMICS(global)
ATOMIC_KERNEL(global_add_u64, global, ulong, atom_add(cell, v))
ATOMICS(local)
