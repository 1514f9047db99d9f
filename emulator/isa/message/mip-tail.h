/* Where the smallest levels of mipmaps share a tile of 64 KB. */
#ifndef VESIM_MIP_TAIL_H
#define VESIM_MIP_TAIL_H

#include <stdbool.h>
#include <stdint.h>

/* Texels from the tile's first one: columns, rows, slices. */
struct mip_slot {
    uint32_t x, y, slice;
};

/* Of the level that is the `level`th in the tail, for texels of 1, 2, 4, 8 or 16 bytes. */
struct mip_slot mip_tail_slot(bool is_volume, unsigned bytes, unsigned level);

#endif
