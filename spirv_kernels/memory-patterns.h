/*
 * The kernels of families memory_8, memory_16, memory_32 and memory_64: load, store and copy in
 * twelve patterns. A family's file defines BITS, the width of an element, and includes this one.
 *
 * Each work-item moves ITEMS elements a turn of the loop, and all turns of all patterns have the
 * same frame: a position that all work-items share goes through the working set in steps of `total`
 * elements, what the launch covers in a turn, and begins anew at its end. In a turn, a sub-group
 * has ITEMS * SUB_GROUP_SIZE elements of its own (times the stride), and a pattern says in which
 * order its lanes go through them:
 *
 *   item      lane l from ITEMS * l on, one element after the other, by plain loads
 *   subgroup  element by element side by side: lane l has l, SUB_GROUP_SIZE + l, ...
 *   vec2..16  vectors side by side
 *   block1..8 Intel's block reads and writes of so many elements a lane, laid out as `subgroup`
 *   strided   as `subgroup`, with `stride` elements from lane to lane
 *   gather    anywhere in the working set, at `offsets` (a scatter where it writes)
 *
 * What is loaded is summed up, in words of 32 bits: smaller elements of a vector share a word as
 * they do in memory. What is stored is the work-item's own number plus the number of the turn. A
 * copy writes to a buffer one step longer than the one it reads, so that what is where at the end
 * tells which turn was the last.
 *
 *   src       in, the working set, or half of it for a copy
 *   dst       out
 *   sums      out, one per work-item
 *   witness   out, the sub-group size each work-item was run with
 *   offsets   in, [sub-group][ITEMS][lane]: an element of the working set
 *   turns     of the loop
 *   total     elements that the launch covers in a turn, gaps between strides included
 *   span      elements of the working set, a multiple of `total`
 *   dst_span  the same of the buffer that is written to
 *   stride    elements
 */

#define ITEMS          16 /* as in harness/families/memory/memory-patterns.c */

#define JOIN_(a, b)    a##b
#define JOIN(a, b)     JOIN_(a, b)
#define JOIN3(a, b, c) JOIN(JOIN(a, b), c)

#if BITS == 8
#define ELEMENT   uchar
#define BLOCK_TAG _uc
#elif BITS == 16
#define ELEMENT   ushort
#define BLOCK_TAG _us
#elif BITS == 32
#define ELEMENT uint
#define BLOCK_TAG
#else
#define ELEMENT   ulong
#define BLOCK_TAG _ul
#endif

#define VECTOR(n) JOIN(ELEMENT, n)

#define KERNEL    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void

/* A kernel of this family. */
#define NAME(rest)   JOIN3(memory_, BITS, rest)

#define OVERLOADABLE __attribute__((overloadable))

/* Block accesses that the compiler's header leaves out. */
#if BITS == 8 || BITS == 64
#define BLOCK_READ(n)  JOIN3(intel_sub_group_block_read, BLOCK_TAG, n)
#define BLOCK_WRITE(n) JOIN3(intel_sub_group_block_write, BLOCK_TAG, n)
ELEMENT OVERLOADABLE __attribute__((convergent)) BLOCK_READ()(const global ELEMENT *);
VECTOR(2) OVERLOADABLE __attribute__((convergent)) BLOCK_READ(2)(const global ELEMENT *);
VECTOR(4) OVERLOADABLE __attribute__((convergent)) BLOCK_READ(4)(const global ELEMENT *);
VECTOR(8) OVERLOADABLE __attribute__((convergent)) BLOCK_READ(8)(const global ELEMENT *);
void OVERLOADABLE __attribute__((convergent)) BLOCK_WRITE()(global ELEMENT *, ELEMENT);
void OVERLOADABLE __attribute__((convergent)) BLOCK_WRITE(2)(global ELEMENT *, VECTOR(2));
void OVERLOADABLE __attribute__((convergent)) BLOCK_WRITE(4)(global ELEMENT *, VECTOR(4));
void OVERLOADABLE __attribute__((convergent)) BLOCK_WRITE(8)(global ELEMENT *, VECTOR(8));
#else
#define BLOCK_READ(n)  JOIN3(intel_sub_group_block_read, BLOCK_TAG, n)
#define BLOCK_WRITE(n) JOIN3(intel_sub_group_block_write, BLOCK_TAG, n)
#endif

/* The words of 32 bits that a vector takes, summed up as a tree; less than a word counts as one. */
static inline uint OVERLOADABLE words(uint2 x)
{
    return x.x + x.y;
}
static inline uint OVERLOADABLE words(uint4 x)
{
    return words(x.lo + x.hi);
}
static inline uint OVERLOADABLE words(uint8 x)
{
    return words(x.lo + x.hi);
}
static inline uint OVERLOADABLE words(uint16 x)
{
    return words(x.lo + x.hi);
}

#if BITS == 8
#define WORDS_1(x)  ((uint)(x))
#define WORDS_2(x)  ((uint)as_ushort(x))
#define WORDS_4(x)  as_uint(x)
#define WORDS_8(x)  words(as_uint2(x))
#define WORDS_16(x) words(as_uint4(x))
#elif BITS == 16
#define WORDS_1(x)  ((uint)(x))
#define WORDS_2(x)  as_uint(x)
#define WORDS_4(x)  words(as_uint2(x))
#define WORDS_8(x)  words(as_uint4(x))
#define WORDS_16(x) words(as_uint8(x))
#elif BITS == 32
#define WORDS_1(x)  (x)
#define WORDS_2(x)  words(x)
#define WORDS_4(x)  words(x)
#define WORDS_8(x)  words(x)
#define WORDS_16(x) words(x)
#else
#define WORDS_1(x)  words(as_uint2(x))
#define WORDS_2(x)  words(as_uint4(x))
#define WORDS_4(x)  words(as_uint8(x))
#define WORDS_8(x)  words(as_uint16(x))
#define WORDS_16(x) words(as_uint16((x).lo) + as_uint16((x).hi))
#endif

/* So many times as there are vectors in ITEMS elements. */
#define EACH_16(M) M(0)
#define EACH_8(M)                                                                                  \
    EACH_16(M);                                                                                    \
    M(1)
#define EACH_4(M)                                                                                  \
    EACH_8(M);                                                                                     \
    M(2);                                                                                          \
    M(3)
#define EACH_2(M)                                                                                  \
    EACH_4(M);                                                                                     \
    M(4);                                                                                          \
    M(5);                                                                                          \
    M(6);                                                                                          \
    M(7)
#define EACH_1(M)                                                                                  \
    EACH_2(M);                                                                                     \
    M(8);                                                                                          \
    M(9);                                                                                          \
    M(10);                                                                                         \
    M(11);                                                                                         \
    M(12);                                                                                         \
    M(13);                                                                                         \
    M(14);                                                                                         \
    M(15)

#define PARAMETERS                                                                                 \
    global const ELEMENT *restrict src, global ELEMENT *restrict dst, global uint *restrict sums,  \
        global uint *restrict witness, global const uint *restrict offsets, uint turns,            \
        uint total, uint span, uint dst_span, uint stride

/* `first` is where the sub-group's elements begin, and one value for all lanes. */
#define FRAME                                                                                      \
    uint item = (uint)get_global_id(0);                                                            \
    uint lane = get_sub_group_local_id();                                                          \
    uint first = sub_group_broadcast(item - lane, 0) * ITEMS;                                      \
    uint at = 0;                                                                                   \
    uint to = 0;                                                                                   \
                                                                                                   \
    (void)src, (void)dst, (void)sums, (void)offsets, (void)dst_span, (void)stride;                 \
    (void)first, (void)to;                                                                         \
    witness[item] = get_sub_group_size()

/* Positions below twice the limit, and those at it, begin anew. */
static uint wrapped(uint position, uint limit)
{
    return min(position, position - limit);
}

/* The frame alone. */
KERNEL NAME(_none)(PARAMETERS)
{
    FRAME;
    uint sum = 0;

    for (uint turn = 0; turn < turns; turn++) {
        sum += at;
        at = wrapped(at + total, span);
    }
    sums[item] = sum;
}

#define READ(p, i)     (*(global const VALUE *)((p) + (i)))
#define WRITE(p, i, x) (*(global VALUE *)((p) + (i)) = (x))
#define PREPARE

/* A copy holds all its elements at a time. */
#define HAS_LOAD            1
#define HAS_COPY            (BITS < 64 || SUB_GROUP_SIZE < 32)

#define PATTERN             item
#define N                   1
#define INDEX(at, limit, k) (at + first + lane * ITEMS + (k))
#include "memory-pattern.h"

#define PATTERN             vec2
#define N                   2
#define INDEX(at, limit, k) (at + first + ((k)*SUB_GROUP_SIZE + lane) * N)
#include "memory-pattern.h"

#define PATTERN             vec4
#define N                   4
#define INDEX(at, limit, k) (at + first + ((k)*SUB_GROUP_SIZE + lane) * N)
#include "memory-pattern.h"

#define PATTERN             vec8
#define N                   8
#define INDEX(at, limit, k) (at + first + ((k)*SUB_GROUP_SIZE + lane) * N)
#include "memory-pattern.h"

#define PATTERN             vec16
#define N                   16
#define INDEX(at, limit, k) (at + first + ((k)*SUB_GROUP_SIZE + lane) * N)
#include "memory-pattern.h"

/* These take a message for each element, whose results are all on their way at a time. */
#undef HAS_LOAD
#define HAS_LOAD            (BITS < 64 || SUB_GROUP_SIZE < 32)

#define PATTERN             subgroup
#define N                   1
#define INDEX(at, limit, k) (at + first + (k)*SUB_GROUP_SIZE + lane)
#include "memory-pattern.h"

/* And an index for each. */
#undef HAS_COPY
#define HAS_COPY            (SUB_GROUP_SIZE < 32)

#define PATTERN             strided
#define N                   1
#define INDEX(at, limit, k) (at + (first + (k)*SUB_GROUP_SIZE + lane) * stride)
#include "memory-pattern.h"

#undef PREPARE
#define FETCH(k) offset[k] = offsets[first + (k)*SUB_GROUP_SIZE + lane]
#define PREPARE                                                                                    \
    uint offset[ITEMS];                                                                            \
    EACH_1(FETCH)

#define PATTERN             gather
#define N                   1
#define INDEX(at, limit, k) wrapped(at + offset[k], limit)
#include "memory-pattern.h"

/* The compiler has no block reads and writes for sub-groups of 32. */
#if SUB_GROUP_SIZE < 32

#undef PREPARE
#undef READ
#undef WRITE
#define PREPARE
#define READ(p, i)          BLOCK_READ_N((p) + (i))
#define WRITE(p, i, x)      BLOCK_WRITE_N((p) + (i), x)

#define PATTERN             block1
#define N                   1
#define BLOCK_READ_N        BLOCK_READ()
#define BLOCK_WRITE_N       BLOCK_WRITE()
#define INDEX(at, limit, k) (at + first + (k)*SUB_GROUP_SIZE * N)
#include "memory-pattern.h"

#undef BLOCK_READ_N
#undef BLOCK_WRITE_N
#define BLOCK_READ_N        BLOCK_READ(N)
#define BLOCK_WRITE_N       BLOCK_WRITE(N)

#define PATTERN             block2
#define N                   2
#define INDEX(at, limit, k) (at + first + (k)*SUB_GROUP_SIZE * N)
#include "memory-pattern.h"

#define PATTERN             block4
#define N                   4
#define INDEX(at, limit, k) (at + first + (k)*SUB_GROUP_SIZE * N)
#include "memory-pattern.h"

#define PATTERN             block8
#define N                   8
#define INDEX(at, limit, k) (at + first + (k)*SUB_GROUP_SIZE * N)
#include "memory-pattern.h"

#endif
