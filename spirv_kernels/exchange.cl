/*
 * exchange: the cost of handing a value from lane to lane of a sub-group.
 *
 * Every kernel runs a chain in which a lane's next value depends on another lane's last one:
 *     x = EXCHANGE(x ^ c) + d
 * four times per iteration. c and d differ between lanes and are read from memory, so that the
 * recurrence cannot be solved at compile time and no value is known to be uniform. In the baselines
 * EXCHANGE(v) is v. (Of a broadcast a compiler needs only one lane's x ^ c, and may leave out the
 * others'. Adding x ^ c instead of d would keep them, but Intel's compiler of 2022 gets that wrong
 * at 32 lanes: docs/devices.md.) Votes need a predicate, and have the chain
 *     x = (x ^ c) + (VOTE(predicate of x) ? d : e)
 * with the lane's own predicate in the baseline. It holds for one of SUB_GROUP_SIZE values, which
 * makes both outcomes of a vote common.
 *
 * Each exchange exists in up to five forms:
 *  - sub-group function: registers only;
 *  - _slm_group: through shared local memory with a work-group barrier between store and load;
 *  - _slm: the same with a sub-group barrier, enough because the data stays in the sub-group;
 *  - _global_group, _global: the same two through global memory.
 * Through memory two buffers alternate, so that one barrier per exchange suffices: a lane at the
 * next store has finished reading the buffer.
 *
 *   values   in, x, c, d and e of each lane of PATTERNS sub-groups, which then repeat
 *   out      out, x of each work-item at the end, zero-extended
 *   witness  out, the sub-group size each work-item was run with
 *   slm      local memory, two slots of the type for each work-item of the work-group
 *   lanes    in, the lane that each lane shuffles from
 *   scratch  global memory, two slots of the type for each work-item
 */
#define PATTERNS 8

/* From cl_intel_subgroups_char, which clang does not declare. */
uchar __attribute__((overloadable, convergent)) intel_sub_group_shuffle(uchar value, uint lane);
uchar __attribute__((overloadable, convergent)) intel_sub_group_shuffle_xor(uchar value, uint mask);

/* `memory` is where the slots are: LOCAL_SLOTS or GLOBAL_SLOTS. */
#define EXCHANGE_KERNEL_IN(memory, name, type, step)                                               \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void exchange_##name(        \
        global const ulong *values, global ulong *out, global uint *witness, local ulong *slm,     \
        uint iterations, global const uint *lanes, global ulong *scratch)                          \
    {                                                                                              \
        uint lid = get_local_id(0);                                                                \
        uint gid = get_group_id(0) * get_local_size(0) + lid;                                      \
        uint lane = get_sub_group_local_id();                                                      \
        uint pattern = gid & (PATTERNS * SUB_GROUP_SIZE - 1);                                      \
        uint shuffled = lanes[pattern];                                                            \
        type x = (type)values[4 * pattern];                                                        \
        type c = (type)values[4 * pattern + 1];                                                    \
        type d = (type)values[4 * pattern + 2];                                                    \
        type e = (type)values[4 * pattern + 3];                                                    \
        memory(type);                                                                              \
                                                                                                   \
        __attribute__((opencl_unroll_hint(1))) for (uint i = 0; i < iterations; i++)               \
        {                                                                                          \
            uint index = i & (SUB_GROUP_SIZE - 1);                                                 \
            step(type, even, 1);                                                                   \
            step(type, odd, 2);                                                                    \
            step(type, even, 3);                                                                   \
            step(type, odd, 4);                                                                    \
            (void)index;                                                                           \
        }                                                                                          \
        out[gid] = x;                                                                              \
        witness[gid] = get_sub_group_size();                                                       \
        (void)e;                                                                                   \
        (void)slm;                                                                                 \
        (void)scratch;                                                                             \
        (void)odd;                                                                                 \
        (void)lane;                                                                                \
        (void)shuffled;                                                                            \
    }
#define EXCHANGE_KERNEL(name, type, step) EXCHANGE_KERNEL_IN(LOCAL_SLOTS, name, type, step)

#define LOCAL_SLOTS(type)                                                                          \
    local type *even = (local type *)slm + (lid - lane);                                           \
    local type *odd = even + get_local_size(0)
#define GLOBAL_SLOTS(type)                                                                         \
    global type *even = (global type *)scratch + (gid - lane);                                     \
    global type *odd = even + get_global_size(0)

/* The lane that each exchange reads from. */
#define FROM_FIXED    3
#define FROM_INDEX    index
#define FROM_SHUFFLED shuffled
#define FROM_UP       ((lane - 1) & (SUB_GROUP_SIZE - 1))
#define FROM_DOWN     ((lane + 1) & (SUB_GROUP_SIZE - 1))
#define FROM_PAIR     (lane ^ 1)
#define FROM_REVERSED (lane ^ (SUB_GROUP_SIZE - 1))

#define STORE_AND_LOAD(type, slots, barrier_statement, from)                                       \
    slots[lane] = (type)(x ^ c);                                                                   \
    barrier_statement;                                                                             \
    x = (type)(slots[from] + d)

#define GROUP_BARRIER                  work_group_barrier(CLK_LOCAL_MEM_FENCE)
#define OWN_BARRIER                    sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#define GLOBAL_GROUP_BARRIER           work_group_barrier(CLK_GLOBAL_MEM_FENCE)
#define GLOBAL_OWN_BARRIER             sub_group_barrier(CLK_GLOBAL_MEM_FENCE)

#define STEP_NONE(type, slots, n)      x = (type)((type)(x ^ c) + d)
#define STEP_BROADCAST(type, slots, n) x = (type)(sub_group_broadcast((type)(x ^ c), 3) + d)
#define STEP_INDEX(type, slots, n)     x = (type)(sub_group_broadcast((type)(x ^ c), index) + d)
#define STEP_SHUFFLE(type, slots, n)                                                               \
    x = (type)(intel_sub_group_shuffle((type)(x ^ c), shuffled) + d)
#define STEP_UP(type, slots, n)    x = intel_sub_group_shuffle_up(x ^ c, x ^ c, 1) + d
#define STEP_DOWN(type, slots, n)  x = intel_sub_group_shuffle_down(x ^ c, x ^ c, 1) + d
#define STEP_PAIRS(type, slots, n) x = (type)(intel_sub_group_shuffle_xor((type)(x ^ c), 1) + d)
#define STEP_REVERSE(type, slots, n)                                                               \
    x = (type)(intel_sub_group_shuffle_xor((type)(x ^ c), SUB_GROUP_SIZE - 1) + d)

#define STEP_BROADCAST_GROUP(type, slots, n) STORE_AND_LOAD(type, slots, GROUP_BARRIER, FROM_FIXED)
#define STEP_INDEX_GROUP(type, slots, n)     STORE_AND_LOAD(type, slots, GROUP_BARRIER, FROM_INDEX)
#define STEP_SHUFFLE_GROUP(type, slots, n)   STORE_AND_LOAD(type, slots, GROUP_BARRIER, FROM_SHUFFLED)
#define STEP_UP_GROUP(type, slots, n)        STORE_AND_LOAD(type, slots, GROUP_BARRIER, FROM_UP)
#define STEP_DOWN_GROUP(type, slots, n)      STORE_AND_LOAD(type, slots, GROUP_BARRIER, FROM_DOWN)
#define STEP_PAIRS_GROUP(type, slots, n)     STORE_AND_LOAD(type, slots, GROUP_BARRIER, FROM_PAIR)
#define STEP_REVERSE_GROUP(type, slots, n)   STORE_AND_LOAD(type, slots, GROUP_BARRIER, FROM_REVERSED)

#define STEP_BROADCAST_OWN(type, slots, n)   STORE_AND_LOAD(type, slots, OWN_BARRIER, FROM_FIXED)
#define STEP_INDEX_OWN(type, slots, n)       STORE_AND_LOAD(type, slots, OWN_BARRIER, FROM_INDEX)
#define STEP_SHUFFLE_OWN(type, slots, n)     STORE_AND_LOAD(type, slots, OWN_BARRIER, FROM_SHUFFLED)
#define STEP_UP_OWN(type, slots, n)          STORE_AND_LOAD(type, slots, OWN_BARRIER, FROM_UP)
#define STEP_DOWN_OWN(type, slots, n)        STORE_AND_LOAD(type, slots, OWN_BARRIER, FROM_DOWN)
#define STEP_PAIRS_OWN(type, slots, n)       STORE_AND_LOAD(type, slots, OWN_BARRIER, FROM_PAIR)
#define STEP_REVERSE_OWN(type, slots, n)     STORE_AND_LOAD(type, slots, OWN_BARRIER, FROM_REVERSED)

#define STEP_BROADCAST_GLOBAL_GROUP(type, slots, n)                                                \
    STORE_AND_LOAD(type, slots, GLOBAL_GROUP_BARRIER, FROM_FIXED)
#define STEP_SHUFFLE_GLOBAL_GROUP(type, slots, n)                                                  \
    STORE_AND_LOAD(type, slots, GLOBAL_GROUP_BARRIER, FROM_SHUFFLED)
#define STEP_PAIRS_GLOBAL_GROUP(type, slots, n)                                                    \
    STORE_AND_LOAD(type, slots, GLOBAL_GROUP_BARRIER, FROM_PAIR)

#define STEP_BROADCAST_GLOBAL(type, slots, n)                                                      \
    STORE_AND_LOAD(type, slots, GLOBAL_OWN_BARRIER, FROM_FIXED)
#define STEP_SHUFFLE_GLOBAL(type, slots, n)                                                        \
    STORE_AND_LOAD(type, slots, GLOBAL_OWN_BARRIER, FROM_SHUFFLED)
#define STEP_PAIRS_GLOBAL(type, slots, n) STORE_AND_LOAD(type, slots, GLOBAL_OWN_BARRIER, FROM_PAIR)

/* Votes. Through local memory, a lane that decides the vote writes the vote's number to the
 * sub-group's slot; numbers never repeat, so the slot need not be cleared. */
#define IS_ZERO      ((x & (SUB_GROUP_SIZE - 1)) == 0)
#define CHOOSE(vote) x = (x ^ c) + ((vote) ? d : e)
#define BALLOT(n)    (4 * i + n)
#define SAY(slots, p, n)                                                                           \
    if (p)                                                                                         \
    slots[0] = BALLOT(n)

#define STEP_OWN_VOTE(type, slots, n) CHOOSE(IS_ZERO)
#define STEP_ANY(type, slots, n)      CHOOSE(sub_group_any(IS_ZERO))
#define STEP_ALL(type, slots, n)      CHOOSE(sub_group_all(!IS_ZERO))

#define VOTE(slots, n, barrier_statement, compare)                                                 \
    SAY(slots, IS_ZERO, n);                                                                        \
    barrier_statement;                                                                             \
    CHOOSE(slots[0] compare BALLOT(n))

#define STEP_ANY_GROUP(type, slots, n) VOTE(slots, n, GROUP_BARRIER, ==)
#define STEP_ALL_GROUP(type, slots, n) VOTE(slots, n, GROUP_BARRIER, !=)
#define STEP_ANY_OWN(type, slots, n)   VOTE(slots, n, OWN_BARRIER, ==)
#define STEP_ALL_OWN(type, slots, n)   VOTE(slots, n, OWN_BARRIER, !=)

#define THREE_WAYS(name, type, STEP)                                                               \
    EXCHANGE_KERNEL(name, type, STEP)                                                              \
    EXCHANGE_KERNEL(name##_slm_group, type, STEP##_GROUP)                                          \
    EXCHANGE_KERNEL(name##_slm, type, STEP##_OWN)

#define COMMON_EXCHANGES(suffix, type)                                                             \
    EXCHANGE_KERNEL(none_##suffix, type, STEP_NONE)                                                \
    THREE_WAYS(broadcast_##suffix, type, STEP_BROADCAST)                                           \
    THREE_WAYS(shuffle_##suffix, type, STEP_SHUFFLE)                                               \
    THREE_WAYS(pairs_##suffix, type, STEP_PAIRS)

COMMON_EXCHANGES(u8, uchar)
COMMON_EXCHANGES(u16, ushort)
COMMON_EXCHANGES(u32, uint)
COMMON_EXCHANGES(u64, ulong)

#define GLOBAL_WAYS(name, type, STEP)                                                              \
    EXCHANGE_KERNEL_IN(GLOBAL_SLOTS, name##_global_group, type, STEP##_GLOBAL_GROUP)               \
    EXCHANGE_KERNEL_IN(GLOBAL_SLOTS, name##_global, type, STEP##_GLOBAL)

GLOBAL_WAYS(broadcast_u32, uint, STEP_BROADCAST)
GLOBAL_WAYS(shuffle_u32, uint, STEP_SHUFFLE)
GLOBAL_WAYS(pairs_u32, uint, STEP_PAIRS)

THREE_WAYS(broadcast_index_u32, uint, STEP_INDEX)
THREE_WAYS(up_u32, uint, STEP_UP)
THREE_WAYS(down_u32, uint, STEP_DOWN)
THREE_WAYS(reverse_u32, uint, STEP_REVERSE)

EXCHANGE_KERNEL(own_vote, uint, STEP_OWN_VOTE)
THREE_WAYS(any, uint, STEP_ANY)
THREE_WAYS(all, uint, STEP_ALL)
