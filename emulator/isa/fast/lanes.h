/* Lanes as host vectors: the fast path computes eight 32-bit lanes at a time in the compiler's
 * vector types. Files that include this are compiled twice: for any processor, and for those with
 * AVX2 and FMA, which all have F16C as well. */
#ifndef VESIM_LANES_H
#define VESIM_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* For functions specialised for constant arguments. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { BLOCK_LANES = 8, BLOCK_BYTES = 32, MAX_BLOCKS = 4 };

typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef float f32x8 __attribute__((vector_size(32)));
typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef int16_t i16x8 __attribute__((vector_size(16)));

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
    return (uint32_t)__builtin_ia32_movmskps256((f32x8)mask);
#else
    uint32_t bits = 0;

    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        bits |= (uint32_t)(mask[lane] & 1) << lane;
    return bits;
#endif
}

/* The lanes of `a` where `mask` is all ones, of `b` where it is all zeros. */
static inline u32x8 choose(u32x8 mask, u32x8 a, u32x8 b)
{
    return (a & mask) | (b & ~mask);
}

static inline f32x8 multiply_add(f32x8 a, f32x8 b, f32x8 c)
{
    f32x8 result;

    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        result[lane] = fmaf(a[lane], b[lane], c[lane]);
    return result;
}

/* A block that lies anywhere. Not by memcpy(): GCC 12 copies 32 bytes as two halves, and whoever
 * reads them as one right after waits until both have reached the cache. */
typedef u32x8 stray_block __attribute__((aligned(1), may_alias));

static inline u32x8 load_block(const void *from)
{
    return *(const stray_block *)from;
}

static inline void write_block(void *to, u32x8 block)
{
    *(stray_block *)to = block;
}

/* Writes the lanes whose bit is set in the low eight of `bits`. */
static inline void store_lanes(uint8_t *to, u32x8 block, uint32_t bits)
{
    write_block(to, choose(mask_lanes(bits), block, load_block(to)));
}

#endif
