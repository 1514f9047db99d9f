#include "streamer/tiled-copy.h"

#include <string.h>

#include "streamer/commands.h"

static uint64_t pixel_address(const struct blt_surface *surface, const struct blt_pixels *pixels,
                              uint32_t x, uint32_t y)
{
    return surface->address + tiling_offset(surface->tiling, surface->pitch,
                                            ((uint64_t)surface->x + x) * pixels->bytes,
                                            surface->y + y, surface->slice);
}

static void *pixel_host(struct batch *batch, const struct blt_surface *surface,
                        const struct blt_pixels *pixels, uint32_t x, uint32_t y)
{
    return address_space_host(batch->space, pixel_address(surface, pixels, x, y), pixels->bytes);
}

/* Checks all pixels before the first one moves. */
static int check_pixels(struct batch *batch, const struct blt_surface *surface,
                        const struct blt_pixels *pixels, const char *what)
{
    for (uint32_t y = 0; y < pixels->rows; y++)
        for (uint32_t x = 0; x < pixels->columns; x++)
            if (!pixel_host(batch, surface, pixels, x, y))
                return batch_page_fault(batch, pixel_address(surface, pixels, x, y),
                                        "blitter %s of a pixel", what);
    return 0;
}

int tiled_copy(struct batch *batch, const struct blt_surface *from, const struct blt_surface *to,
               const struct blt_pixels *pixels)
{
    int status = check_pixels(batch, from, pixels, "read");

    if (status == 0)
        status = check_pixels(batch, to, pixels, "write");
    for (uint32_t y = 0; status == 0 && y < pixels->rows; y++)
        for (uint32_t x = 0; x < pixels->columns; x++)
            memmove(pixel_host(batch, to, pixels, x, y), pixel_host(batch, from, pixels, x, y),
                    pixels->bytes);
    return status;
}
