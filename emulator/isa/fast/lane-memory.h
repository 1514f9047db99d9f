/* Moves eight lanes of host vectors from and to memory. Memory of inactive lanes is neither read
 * nor written: others may be writing to it, or it may not exist. */
#ifndef VESIM_LANE_MEMORY_H
#define VESIM_LANE_MEMORY_H

#include "isa/fast/lanes.h"

/* An element of 1, 2 or 4 bytes. */
static inline uint32_t read_element(const uint8_t *at, unsigned bytes)
{
    uint32_t dword;
    uint16_t word;

    if (bytes == 1)
        return *at;
    if (bytes == 2) {
        memcpy(&word, at, sizeof(word));
        return word;
    }
    memcpy(&dword, at, sizeof(dword));
    return dword;
}

/* Dwords side by side, of the lanes whose bit is set in the low eight of `bits`. */
static inline u32x8 read_lanes(const uint8_t *at, uint32_t bits)
{
    if ((bits & 0xff) == 0xff)
        return load_block(at);
#ifdef __AVX2__
    const void *from = at;
    return (u32x8)__builtin_ia32_maskloadd256((const i32x8 *)from, (i32x8)mask_lanes(bits));
#else
    u32x8 lanes = splat(0);
    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        if (bits >> lane & 1)
            lanes[lane] = read_element(at + lane * 4, 4);
    return lanes;
#endif
}

static inline void write_lanes(uint8_t *at, u32x8 lanes, uint32_t bits)
{
    if ((bits & 0xff) == 0xff) {
        write_block(at, lanes);
        return;
    }
#ifdef __AVX2__
    void *to = at;
    __builtin_ia32_maskstored256((i32x8 *)to, (i32x8)mask_lanes(bits), (i32x8)lanes);
#else
    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        if (bits >> lane & 1)
            memcpy(at + lane * 4, (const uint8_t *)&lanes + lane * 4, 4);
#endif
}

/* An element from each lane's own offset; all of them have to be readable. */
static inline u32x8 gather_lanes(const uint8_t *base, u32x8 offsets, unsigned bytes)
{
    u32x8 lanes = splat(0);

    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        lanes[lane] = read_element(base + offsets[lane], bytes);
    return lanes;
}

#endif
