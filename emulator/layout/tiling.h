/* Where bytes lie in tiled memory. Tiles follow one another in rows; within one, each bit of a
 * byte's offset is a bit of its column, of its row, or of its slice, in the order of a mask for
 * each of them (gmmlib, CpuSwizzleBlt.c). */
#ifndef VESIM_TILING_H
#define VESIM_TILING_H

#include <stdbool.h>
#include <stdint.h>

struct tiling {
    uint32_t x, y, z; /* which bits of the offset are those of the column, row and slice; 0: rows of
                         bytes without tiles */
};

#define TILING_X ((struct tiling){0x01ff, 0x0e00, 0})
#define TILING_Y ((struct tiling){0x0e0f, 0x01f0, 0}) /* Xe-LP */
#define TILING_4 ((struct tiling){0x02cf, 0x0d30, 0}) /* Xe-HPG and later */

/* Tiles of 64 KB of Xe-HPG and later, for texels of so many bytes: 1, 2, 4, 8 or 16. */
static inline struct tiling tiling_64(unsigned bytes)
{
    return bytes == 1   ? (struct tiling){0x12cf, 0xed30, 0}
           : bytes <= 4 ? (struct tiling){0x32cf, 0xcd30, 0}
                        : (struct tiling){0x72cf, 0x8d30, 0};
}

/* The same of volumes. Xe2 has others than Xe-HPG. */
static inline struct tiling tiling_64_volume(unsigned bytes, bool xe2)
{
    if (xe2)
        return bytes <= 2   ? (struct tiling){0x00cf, 0x1c30, 0xe300}
               : bytes == 4 ? (struct tiling){0x10cf, 0x2c30, 0xc300}
                            : (struct tiling){0x18cf, 0x2430, 0xc300};
    return bytes == 1   ? (struct tiling){0x104f, 0x0d30, 0xe280}
           : bytes == 2 ? (struct tiling){0x044f, 0x1930, 0xe280}
           : bytes == 4 ? (struct tiling){0x144f, 0x2930, 0xc280}
                        : (struct tiling){0x1c4f, 0x2130, 0xc280};
}

static inline bool tiling_is_linear(struct tiling tiling)
{
    return tiling.x == 0;
}

/* Spreads the low bits of `value` over the bits of `mask`. */
static inline uint32_t tiling_spread(uint64_t value, uint32_t mask)
{
    uint32_t bits = 0;

    for (; mask; mask &= mask - 1, value >>= 1)
        bits |= (value & 1 ? mask & -mask : 0);
    return bits;
}

/* Bytes from the start of a surface to byte `x` of row `y`, where rows are `pitch` bytes apart
 * (whole tiles). Bytes that share an aligned 16 follow one another in memory, too. `z` is the slice
 * within the tile. */
static inline uint64_t tiling_offset(struct tiling tiling, uint64_t pitch, uint64_t x, uint64_t y,
                                     uint32_t z)
{
    unsigned columns = (unsigned)__builtin_popcount(tiling.x),
             rows = (unsigned)__builtin_popcount(tiling.y),
             slices = (unsigned)__builtin_popcount(tiling.z);

    if (tiling_is_linear(tiling))
        return y * pitch + x;
    uint64_t tile = (y >> rows) * (pitch >> columns) + (x >> columns);
    return (tile << (columns + rows + slices)) + tiling_spread(x, tiling.x) +
           tiling_spread(y, tiling.y) + tiling_spread(z, tiling.z);
}

#endif
