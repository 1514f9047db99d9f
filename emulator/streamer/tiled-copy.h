/* Copies of pixels between surfaces in tiles, or from and to those. */
#ifndef VESIM_TILED_COPY_H
#define VESIM_TILED_COPY_H

#include "layout/tiling.h"
#include "streamer/context.h"

struct blt_surface {
    uint64_t address; /* GPU virtual address */
    uint64_t pitch;   /* bytes from a row to the next */
    uint32_t x;       /* of the first pixel */
    uint64_t y;
    uint32_t slice; /* within a tile */
    struct tiling tiling;
};

struct blt_pixels {
    uint32_t columns, rows;
    uint32_t bytes; /* of a pixel, a power of 2 */
};

/* 0, or -EFAULT with the batch's fault set. */
int tiled_copy(struct batch *batch, const struct blt_surface *from, const struct blt_surface *to,
               const struct blt_pixels *pixels);

#endif
