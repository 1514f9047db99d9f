/* Lanes as host vectors: what the fast path (fast.c) computes with, eight 32-bit lanes at a time,
 * in the compiler's vector types. fast.c is compiled twice from one source: for any processor, and
 * for those with AVX2 and FMA. */
#ifndef VESIM_LANES_H
#define VESIM_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "xe/thread.h"

enum { BLOCK_LANES = 8, MAX_BLOCKS = MAX_LANES / BLOCK_LANES };

typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef float f32x8 __attribute__((vector_size(32)));

/* Eight lanes of a register, the same bits seen as any type. */
union block {
    u32x8 u;
    i32x8 i;
    f32x8 f;
};

static inline u32x8 splat(uint32_t value)
{
    return (u32x8){value, value, value, value, value, value, value, value};
}

/* All ones in the lanes whose bit is set in the low eight of `bits`. */
static inline u32x8 mask_lanes(uint32_t bits)
{
    const u32x8 lane_bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return (u32x8)((splat(bits) & lane_bit) == lane_bit);
}

/* A bit for each lane of `mask`, which is all ones or all zeros. */
static inline uint32_t lane_bits(i32x8 mask)
{
#ifdef __AVX2__
    typedef float m256 __attribute__((vector_size(32)));
    return (uint32_t)__builtin_ia32_movmskps256((m256)mask);
#else
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        bits |= (uint32_t)(mask[lane] & 1) << lane;
    return bits;
#endif
}

static inline f32x8 multiply_add(f32x8 a, f32x8 b, f32x8 c)
{
    f32x8 result;
    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        result[lane] = fmaf(a[lane], b[lane], c[lane]);
    return result;
}

static inline void load_block(union block *block, const uint8_t *registers)
{
    memcpy(block, registers, sizeof(*block));
}

/* Writes the lanes whose bit is set in the low eight of `bits`. */
static inline void store_block(uint8_t *registers, const union block *block, uint32_t bits)
{
    if ((bits & 0xff) == 0xff) {
        memcpy(registers, block, sizeof(*block));
        return;
    }
    union block old;
    u32x8 mask = mask_lanes(bits);
    load_block(&old, registers);
    old.u = (block->u & mask) | (old.u & ~mask);
    memcpy(registers, &old, sizeof(old));
}

#endif
