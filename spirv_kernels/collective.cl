/*
 * collective: the cost of a reduction or scan over a sub-group.
 *
 * Every kernel runs a chain of dependent operations, four per iteration:
 *     x = COLLECTIVE(x ^ c) + d           (floats: COLLECTIVE(x * c) + d)
 * c and d differ between lanes and are read from memory, so that the recurrence cannot be solved at
 * compile time and no value is known to be uniform. In the baselines COLLECTIVE(v) is v. For
 * floats, c is below 1 / (2 SUB_GROUP_SIZE): the chain contracts, and rounding errors do not add
 * up.
 *
 * The same exists through shared local memory, where a result takes log2(SUB_GROUP_SIZE) rounds of
 * store, barrier and load: a butterfly for a reduction (every lane gets the result), Hillis and
 * Steele's algorithm for a scan; an exclusive scan takes one more round, which shifts the result by
 * a lane. _slm_group has a work-group barrier in each round; _slm a sub-group barrier, which is
 * enough because the data stays in the sub-group. Two buffers alternate, so that one barrier per
 * round suffices.
 *
 *   values   in, x, c and d of each lane of PATTERNS sub-groups, which then repeat
 *   out      out, x of each work-item at the end, zero-extended
 *   witness  out, the sub-group size each work-item was run with
 *   slm      local memory, two slots of the type for each work-item of the work-group
 */
#define PATTERNS 8

#pragma OPENCL FP_CONTRACT OFF

/* In [0, 1), exactly. */
#define FRACTION(bits)                   ((float)((uint)(bits) >> 8) * 0x1p-24f)

#define LOAD_uchar(bits, scale, offset)  (uchar)(bits)
#define LOAD_ushort(bits, scale, offset) (ushort)(bits)
#define LOAD_uint(bits, scale, offset)   (uint)(bits)
#define LOAD_ulong(bits, scale, offset)  (bits)
#define LOAD_float(bits, scale, offset)  (FRACTION(bits) * (scale) + (offset))

#define BITS_uchar(x)                    (x)
#define BITS_ushort(x)                   (x)
#define BITS_uint(x)                     (x)
#define BITS_ulong(x)                    (x)
#define BITS_float(x)                    as_uint(x)

#define MIX_uchar                        (uchar)(x ^ c)
#define MIX_ushort                       (ushort)(x ^ c)
#define MIX_uint                         (x ^ c)
#define MIX_ulong                        (x ^ c)
#define MIX_float                        (x * c)

#define COLLECTIVE_KERNEL(name, type, step)                                                        \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))                                     \
    kernel void collective_##name(global const ulong *values, global ulong *out,                   \
                                  global uint *witness, local ulong *slm, uint iterations)         \
    {                                                                                              \
        uint lid = get_local_id(0);                                                                \
        uint gid = get_group_id(0) * get_local_size(0) + lid;                                      \
        uint lane = get_sub_group_local_id();                                                      \
        uint pattern = gid & (PATTERNS * SUB_GROUP_SIZE - 1);                                      \
        type x = LOAD_##type(values[4 * pattern], 1.0f, 0.0f);                                     \
        type c = LOAD_##type(values[4 * pattern + 1], 0.5f / SUB_GROUP_SIZE, 0.0f);                \
        type d = LOAD_##type(values[4 * pattern + 2], 1.0f, 1.0f);                                 \
        local type *slots = (local type *)slm + (lid - lane);                                      \
        uint other = get_local_size(0);                                                            \
                                                                                                   \
        __attribute__((opencl_unroll_hint(1))) for (uint i = 0; i < iterations; i++)               \
        {                                                                                          \
            step(type, 0);                                                                         \
            step(type, 1);                                                                         \
            step(type, 2);                                                                         \
            step(type, 3);                                                                         \
        }                                                                                          \
        out[gid] = BITS_##type(x);                                                                 \
        witness[gid] = get_sub_group_size();                                                       \
        (void)slots;                                                                               \
        (void)other;                                                                               \
    }

#define STEP(collective, type)      x = (type)(collective(MIX_##type) + d)

#define STEP_NONE(type, n)          STEP(, type)
#define STEP_REDUCE_ADD(type, n)    STEP(sub_group_reduce_add, type)
#define STEP_REDUCE_MIN(type, n)    STEP(sub_group_reduce_min, type)
#define STEP_REDUCE_MAX(type, n)    STEP(sub_group_reduce_max, type)
#define STEP_INCLUSIVE_ADD(type, n) STEP(sub_group_scan_inclusive_add, type)
#define STEP_INCLUSIVE_MIN(type, n) STEP(sub_group_scan_inclusive_min, type)
#define STEP_INCLUSIVE_MAX(type, n) STEP(sub_group_scan_inclusive_max, type)
#define STEP_EXCLUSIVE_ADD(type, n) STEP(sub_group_scan_exclusive_add, type)
#define STEP_EXCLUSIVE_MIN(type, n) STEP(sub_group_scan_exclusive_min, type)
#define STEP_EXCLUSIVE_MAX(type, n) STEP(sub_group_scan_exclusive_max, type)

/* One round: loads another lane's value. Rounds are counted over the whole iteration, to alternate
 * the buffers. */
#define ROUND(value, round, barrier_statement, from)                                               \
    slots[((round)&1) * other + lane] = value;                                                     \
    barrier_statement;                                                                             \
    got = slots[((round)&1) * other + (from)]

#define ROUNDS (SUB_GROUP_SIZE == 8 ? 3 : SUB_GROUP_SIZE == 16 ? 4 : 5)

#define BUTTERFLY(type, n, barrier_statement)                                                      \
    {                                                                                              \
        type v = MIX_##type, got;                                                                  \
        __attribute__((opencl_unroll_hint(ROUNDS))) for (uint r = 0; r < ROUNDS; r++)              \
        {                                                                                          \
            ROUND(v, n *ROUNDS + r, barrier_statement, lane ^ (1u << r));                          \
            v = (type)(v + got);                                                                   \
        }                                                                                          \
        x = (type)(v + d);                                                                         \
    }

#define SCAN(type, n, rounds, barrier_statement)                                                   \
    type v = MIX_##type, got;                                                                      \
    __attribute__((opencl_unroll_hint(ROUNDS))) for (uint r = 0; r < ROUNDS; r++)                  \
    {                                                                                              \
        uint distance = 1u << r;                                                                   \
        ROUND(v, n *(rounds) + r, barrier_statement, lane >= distance ? lane - distance : lane);   \
        v = (type)(lane >= distance ? v + got : v);                                                \
    }

#define INCLUSIVE(type, n, barrier_statement)                                                      \
    {                                                                                              \
        SCAN(type, n, ROUNDS, barrier_statement)                                                   \
        x = (type)(v + d);                                                                         \
    }

#define EXCLUSIVE(type, n, barrier_statement)                                                      \
    {                                                                                              \
        SCAN(type, n, ROUNDS + 1, barrier_statement)                                               \
        ROUND(v, n *(ROUNDS + 1) + ROUNDS, barrier_statement, lane ? lane - 1 : lane);             \
        x = (type)((lane ? got : 0) + d);                                                          \
    }

#define GROUP_BARRIER                     work_group_barrier(CLK_LOCAL_MEM_FENCE)
#define OWN_BARRIER                       sub_group_barrier(CLK_LOCAL_MEM_FENCE)

#define STEP_REDUCE_ADD_GROUP(type, n)    BUTTERFLY(type, n, GROUP_BARRIER)
#define STEP_REDUCE_ADD_OWN(type, n)      BUTTERFLY(type, n, OWN_BARRIER)
#define STEP_INCLUSIVE_ADD_GROUP(type, n) INCLUSIVE(type, n, GROUP_BARRIER)
#define STEP_INCLUSIVE_ADD_OWN(type, n)   INCLUSIVE(type, n, OWN_BARRIER)
#define STEP_EXCLUSIVE_ADD_GROUP(type, n) EXCLUSIVE(type, n, GROUP_BARRIER)
#define STEP_EXCLUSIVE_ADD_OWN(type, n)   EXCLUSIVE(type, n, OWN_BARRIER)

#define THREE_WAYS(name, type, step)                                                               \
    COLLECTIVE_KERNEL(name, type, step)                                                            \
    COLLECTIVE_KERNEL(name##_slm_group, type, step##_GROUP)                                        \
    COLLECTIVE_KERNEL(name##_slm, type, step##_OWN)

COLLECTIVE_KERNEL(none_u32, uint, STEP_NONE)
THREE_WAYS(reduce_add_u32, uint, STEP_REDUCE_ADD)
COLLECTIVE_KERNEL(reduce_min_u32, uint, STEP_REDUCE_MIN)
COLLECTIVE_KERNEL(reduce_max_u32, uint, STEP_REDUCE_MAX)
THREE_WAYS(inclusive_add_u32, uint, STEP_INCLUSIVE_ADD)
COLLECTIVE_KERNEL(inclusive_min_u32, uint, STEP_INCLUSIVE_MIN)
COLLECTIVE_KERNEL(inclusive_max_u32, uint, STEP_INCLUSIVE_MAX)
THREE_WAYS(exclusive_add_u32, uint, STEP_EXCLUSIVE_ADD)
COLLECTIVE_KERNEL(exclusive_min_u32, uint, STEP_EXCLUSIVE_MIN)
COLLECTIVE_KERNEL(exclusive_max_u32, uint, STEP_EXCLUSIVE_MAX)

#define NARROW(suffix, type)                                                                       \
    COLLECTIVE_KERNEL(none_##suffix, type, STEP_NONE)                                              \
    COLLECTIVE_KERNEL(reduce_add_##suffix, type, STEP_REDUCE_ADD)                                  \
    COLLECTIVE_KERNEL(reduce_max_##suffix, type, STEP_REDUCE_MAX)                                  \
    COLLECTIVE_KERNEL(inclusive_add_##suffix, type, STEP_INCLUSIVE_ADD)                            \
    COLLECTIVE_KERNEL(exclusive_max_##suffix, type, STEP_EXCLUSIVE_MAX)

NARROW(u8, uchar)
NARROW(u16, ushort)

COLLECTIVE_KERNEL(none_u64, ulong, STEP_NONE)
THREE_WAYS(reduce_add_u64, ulong, STEP_REDUCE_ADD)
COLLECTIVE_KERNEL(reduce_max_u64, ulong, STEP_REDUCE_MAX)
COLLECTIVE_KERNEL(inclusive_add_u64, ulong, STEP_INCLUSIVE_ADD)
COLLECTIVE_KERNEL(exclusive_max_u64, ulong, STEP_EXCLUSIVE_MAX)

COLLECTIVE_KERNEL(none_f32, float, STEP_NONE)
THREE_WAYS(reduce_add_f32, float, STEP_REDUCE_ADD)
COLLECTIVE_KERNEL(reduce_max_f32, float, STEP_REDUCE_MAX)
COLLECTIVE_KERNEL(inclusive_add_f32, float, STEP_INCLUSIVE_ADD)
