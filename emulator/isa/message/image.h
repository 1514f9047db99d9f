/* Images: what a surface state says of one, and where its texels are. */
#ifndef VESIM_IMAGE_H
#define VESIM_IMAGE_H

#include "isa/thread/thread.h"
#include "layout/tiling.h"

enum { IMAGE_DIMENSIONS = 3 };

struct image {
    uint64_t address; /* GPU virtual address */
    struct tiling tiling;
    uint8_t format;  /* texel_format(); 0: a null surface, which has no texels */
    uint16_t select; /* Shader Channel Select */
    /* Texels in each dimension. Slices are the last one, `slices`: 1 or 2; IMAGE_DIMENSIONS: there
     * are none. */
    uint32_t size[IMAGE_DIMENSIONS];
    unsigned slices;
    bool is_volume;       /* a 3-D image, whose slices are a dimension of its own */
    unsigned addressed;   /* dimensions that coordinates choose in: without layers, none of them */
    uint64_t pitch;       /* bytes from a row to the next */
    uint64_t slice_pitch; /* rows from a slice to the next; texels if slices are lines */
    uint32_t x, y, slice; /* of the first texel */
    /* Mipmaps: the level that messages call 0, the last one that there is, the first of those that
     * share a tile, and what the columns and rows of each begin at a multiple of. */
    uint8_t first_level, last_level, tail_level;
    uint32_t align_x, align_y;
};

/* Reads the state of the image that a message names. Returns 0, or -1 with the thread's fault set:
 * also for what the model does not have, which the fault names. */
int image_open(struct thread *thread, const struct inst *inst, const struct message *message,
               uint32_t extended_descriptor, struct image *image);

static inline bool image_has_levels(const struct image *image)
{
    return image->last_level || image->first_level;
}

/* Makes it the image that level `level` from its first one is; none, if there is no such level. */
void image_go_to_level(struct image *image, uint32_t level);

/* Whether the image has a texel there. */
bool image_has(const struct image *image, const int32_t *texel);

/* The GPU address of a texel that it has. */
uint64_t image_address(const struct image *image, const int32_t *texel);

#endif
