/*
 * registers: the cost of values that no longer fit into the register file.
 *
 * Each kernel makes N updates per iteration, each of them one multiply-add. In registers_live_N
 * they go to N values in a ring, each updated by its neighbour, and all N are alive from one
 * iteration to the next. In registers_same_N the ring has 8 or 16 values, which always fit, and is
 * gone round as often as makes N updates. In registers_vectors_N the values are the elements of
 * vectors of 16, and the neighbour is in the adjacent vector. (A chain of plain additions would not
 * do: the compiler merges two of them into one instruction where there is one.)
 *
 * N is a constant of the kernel, because registers are allocated at compile time. The values are an
 * array indexed only by constants, which the compiler splits into registers.
 *
 *   out      one element per work-item: all values folded into one
 *   witness  the sub-group size each work-item was run with
 */

#define REPEAT4(M, n, from)   M(n, from) M(n, from + 1) M(n, from + 2) M(n, from + 3)
#define REPEAT8(M, n, from)   REPEAT4(M, n, from) REPEAT4(M, n, from + 4)
#define REPEAT12(M, n, from)  REPEAT8(M, n, from) REPEAT4(M, n, from + 8)
#define REPEAT16(M, n, from)  REPEAT8(M, n, from) REPEAT8(M, n, from + 8)
#define REPEAT32(M, n, from)  REPEAT16(M, n, from) REPEAT16(M, n, from + 16)
#define REPEAT64(M, n, from)  REPEAT32(M, n, from) REPEAT32(M, n, from + 32)
#define REPEAT128(M, n, from) REPEAT64(M, n, from) REPEAT64(M, n, from + 64)
#define REPEAT192(M, n, from) REPEAT128(M, n, from) REPEAT64(M, n, from + 128)

#define START(n, k)           v[k] = seed * (k + 1) + gid;
#define UPDATE(n, k)          v[k] = v[k] * 3 + v[(k + 1) % n];
#define FOLD(n, k)            folded = folded * 3 + v[k];

/* At 32 lanes the compiler spreads a ring of 16 values over more registers than there are. */
#if SUB_GROUP_SIZE == 32
#define RING       8
#define RING_OF(M) REPEAT8(M, 8, 0)
#define PASS16     REPEAT8(UPDATE, 8, 0) REPEAT8(UPDATE, 8, 0)
#else
#define RING       16
#define RING_OF(M) REPEAT16(M, 16, 0)
#define PASS16     REPEAT16(UPDATE, 16, 0)
#endif
#define PASS32  PASS16 PASS16
#define PASS64  PASS32 PASS32
#define PASS128 PASS64 PASS64
#define PASS192 PASS128 PASS64

#define KERNEL(name, declarations, start, pass, fold)                                              \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void name(                   \
        global uint *out, global uint *witness, uint iterations, uint seed)                        \
    {                                                                                              \
        uint gid = get_global_id(0);                                                               \
        uint folded = 0;                                                                           \
        declarations;                                                                              \
                                                                                                   \
        start for (uint i = 0; i < iterations; i++){pass} fold out[gid] = folded;                  \
        witness[gid] = get_sub_group_size();                                                       \
    }

#define LIVE(n)                                                                                    \
    KERNEL(registers_live_##n, uint v[n], REPEAT##n(START, n, 0), REPEAT##n(UPDATE, n, 0),         \
           REPEAT##n(FOLD, n, 0))
#define SAME(n) KERNEL(registers_same_##n, uint v[RING], RING_OF(START), PASS##n, RING_OF(FOLD))

/* The values of vector k are those that live_N has from index 16 k on. */
#define VECTOR_START(n, k)                                                                         \
    v[k] =                                                                                         \
        seed * ((uint16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) + 16 * (k)) + gid;
#define VECTOR_FOLD(n, k) folds = folds * 3 + v[k];
#define ELEMENT(s)        folded = folded * 3 + folds.s;
#define ELEMENTS                                                                                   \
    ELEMENT(s0)                                                                                    \
    ELEMENT(s1)                                                                                    \
    ELEMENT(s2)                                                                                    \
    ELEMENT(s3)                                                                                    \
    ELEMENT(s4)                                                                                    \
    ELEMENT(s5)                                                                                    \
    ELEMENT(s6)                                                                                    \
    ELEMENT(s7)                                                                                    \
    ELEMENT(s8)                                                                                    \
    ELEMENT(s9)                                                                                    \
    ELEMENT(sa)                                                                                    \
    ELEMENT(sb)                                                                                    \
    ELEMENT(sc)                                                                                    \
    ELEMENT(sd)                                                                                    \
    ELEMENT(se)                                                                                    \
    ELEMENT(sf)
#define VECTORS(n, vectors)                                                                        \
    KERNEL(registers_vectors_##n, uint16 v[vectors];                                               \
           uint16 folds = 0, REPEAT##vectors(VECTOR_START, vectors, 0),                            \
           REPEAT##vectors(UPDATE, vectors, 0), REPEAT##vectors(VECTOR_FOLD, vectors, 0) ELEMENTS)

LIVE(16)
LIVE(32)
LIVE(64)
LIVE(128)
LIVE(192)
SAME(16)
SAME(32)
SAME(64)
SAME(128)
SAME(192)
VECTORS(64, 4)
VECTORS(192, 12)
