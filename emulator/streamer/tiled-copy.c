#include "streamer/tiled-copy.h"

#include <string.h>

#include "streamer/commands.h"

/* Bytes of a tile that follow one another in memory as in their row (layout/tiling.h). */
#define TILE_RUN_BYTES 16u

static uint64_t pixel_address(const struct blt_surface *surface, const struct blt_pixels *pixels,
                              uint32_t x, uint64_t y)
{
    return surface->address + tiling_offset(surface->tiling, surface->pitch,
                                            ((uint64_t)surface->x + x) * pixels->bytes,
                                            surface->y + y, surface->slice);
}

/* How many pixels from `x` on follow one another in memory. */
static uint32_t run_length(const struct blt_surface *surface, const struct blt_pixels *pixels,
                           uint32_t x)
{
    uint32_t left = pixels->columns - x;

    if (tiling_is_linear(surface->tiling))
        return left;
    uint64_t byte = ((uint64_t)surface->x + x) * pixels->bytes;
    uint32_t run = (uint32_t)(TILE_RUN_BYTES - byte % TILE_RUN_BYTES) / pixels->bytes;
    return run < left ? run : left;
}

static void *pixels_host(struct batch *batch, const struct blt_surface *surface,
                         const struct blt_pixels *pixels, uint32_t x, uint32_t y, uint32_t count)
{
    return address_space_host(batch->space, pixel_address(surface, pixels, x, y),
                              (uint64_t)count * pixels->bytes);
}

/* Checks all pixels before the first one moves. */
static int check_pixels(struct batch *batch, const struct blt_surface *surface,
                        const struct blt_pixels *pixels, const char *what)
{
    uint32_t count;

    for (uint32_t y = 0; y < pixels->rows; y++)
        for (uint32_t x = 0; x < pixels->columns; x += count) {
            count = run_length(surface, pixels, x);
            if (!pixels_host(batch, surface, pixels, x, y, count))
                count = 1; /* of several mappings, or none */
            if (!pixels_host(batch, surface, pixels, x, y, count))
                return batch_page_fault(batch, pixel_address(surface, pixels, x, y),
                                        "blitter %s of a pixel", what);
        }
    return 0;
}

/* Copies the pixels from `x` on that follow one another on either side, within mappings. Returns
 * how many. */
static uint32_t copy_run(struct batch *batch, const struct blt_surface *from,
                         const struct blt_surface *to, const struct blt_pixels *pixels, uint32_t x,
                         uint32_t y)
{
    uint32_t read = run_length(from, pixels, x), written = run_length(to, pixels, x);
    uint32_t count = read < written ? read : written;
    const void *source = pixels_host(batch, from, pixels, x, y, count);
    void *target = pixels_host(batch, to, pixels, x, y, count);

    if (!source || !target) {
        count = 1;
        source = pixels_host(batch, from, pixels, x, y, count);
        target = pixels_host(batch, to, pixels, x, y, count);
    }
    memmove(target, source, (size_t)count * pixels->bytes);
    return count;
}

int tiled_copy(struct batch *batch, const struct blt_surface *from, const struct blt_surface *to,
               const struct blt_pixels *pixels)
{
    int status = check_pixels(batch, from, pixels, "read");

    if (status == 0)
        status = check_pixels(batch, to, pixels, "write");
    for (uint32_t y = 0; status == 0 && y < pixels->rows; y++)
        for (uint32_t x = 0; x < pixels->columns;)
            x += copy_run(batch, from, to, pixels, x, y);
    return status;
}
