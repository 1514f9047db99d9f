/* The copy engine's commands on linear surfaces (PRM Vol 2a; the layouts are those of
 * compute-runtime's XY_BLOCK_COPY_BLT and XY_FAST_COLOR_BLT, whose first dwords are the same on
 * Gen12LP and Xe-HPG). Compression has no effect on what memory holds here. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "streamer/commands.h"
#include "streamer/context.h"

struct rectangle {
    uint64_t address; /* of its first byte */
    uint64_t pitch;   /* bytes from row to row */
    uint64_t row;     /* bytes of a row */
    uint64_t rows;
};

/* Color Depth field to bytes of a pixel; 0 if reserved. */
static uint32_t pixel_bytes(uint32_t depth)
{
    static const uint32_t bytes[8] = {1, 2, 4, 8, 12, 16};

    return bytes[depth];
}

/* Rows that follow each other without a gap are one. */
static void join_rows(struct rectangle *rectangle)
{
    if (rectangle->pitch == rectangle->row) {
        rectangle->row *= rectangle->rows;
        rectangle->rows = 1;
    }
}

/* Checks every row before the first byte moves. */
static int check_rows(struct batch *batch, const struct rectangle *rectangle, const char *what)
{
    for (uint64_t y = 0; y < rectangle->rows; y++) {
        uint64_t address = rectangle->address + y * rectangle->pitch;

        if (!address_space_host(batch->space, address, rectangle->row))
            return batch_page_fault(batch, address, "blitter %s of %" PRIu64 " bytes", what,
                                    rectangle->row);
    }
    return 0;
}

static uint8_t *row_host(struct batch *batch, const struct rectangle *rectangle, uint64_t y)
{
    return address_space_host(batch->space, rectangle->address + y * rectangle->pitch,
                              rectangle->row);
}

/* The destination of both commands: dwords 1 to 6. */
static int decode_destination(struct batch *batch, const uint32_t *d, uint32_t pixel,
                              struct rectangle *rectangle)
{
    uint32_t x1 = bits(d[2], 0, 15), y1 = bits(d[2], 16, 31);
    uint32_t x2 = bits(d[3], 0, 15), y2 = bits(d[3], 16, 31);

    if (pixel == 0)
        return batch_fault(batch, "the blitter's colour depth is reserved");
    if (bits(d[1], 30, 31))
        return batch_fault(batch, "blits to tiled surfaces are not modelled");
    if (bits(d[6], 0, 13) || bits(d[6], 16, 29))
        return batch_fault(batch, "blits with a surface offset are not modelled");
    rectangle->pitch = bits(d[1], 0, 17) + UINT64_C(1);
    rectangle->address = address48(d + 4, 1) + y1 * rectangle->pitch + (uint64_t)x1 * pixel;
    rectangle->row = x2 > x1 ? (uint64_t)(x2 - x1) * pixel : 0;
    rectangle->rows = y2 > y1 ? y2 - y1 : 0;
    return 0;
}

/* Whether the rectangle lies in the host's memory, across a card's link. */
static bool is_across(const struct batch *batch, const struct rectangle *rectangle)
{
    const struct mapping *mapping =
        address_space_find(batch->space, rectangle->address, rectangle->row);

    return batch->device->host_link_bandwidth && mapping && !mapping->local;
}

static int finish(struct batch *batch, const struct memory_traffic *traffic)
{
    struct cs *cs = batch->cs;

    clock_advance(cs, gpu_memory_transfer(cs->gpu, traffic, cs->clock));
    return 0;
}

static int block_copy(struct batch *batch, const uint32_t *d, uint32_t count)
{
    uint32_t pixel = pixel_bytes(bits(d[0], 19, 21));
    struct rectangle to, from;

    if (count < 12)
        return batch_fault(batch, "XY_BLOCK_COPY_BLT has %" PRIu32 " dwords", count);
    if (decode_destination(batch, d, pixel, &to))
        return -EFAULT;
    if (bits(d[8], 30, 31))
        return batch_fault(batch, "blits from tiled surfaces are not modelled");
    if (bits(d[11], 0, 13) || bits(d[11], 16, 29))
        return batch_fault(batch, "blits with a surface offset are not modelled");
    from = to;
    from.pitch = bits(d[8], 0, 17) + UINT64_C(1);
    from.address =
        address48(d + 9, 1) + bits(d[7], 16, 31) * from.pitch + (uint64_t)bits(d[7], 0, 15) * pixel;
    if (to.row == 0 || to.rows == 0)
        return 0;
    if (to.pitch == from.pitch) {
        join_rows(&to);
        join_rows(&from);
    }
    if (check_rows(batch, &from, "read") || check_rows(batch, &to, "write"))
        return -EFAULT;
    for (uint64_t y = 0; y < to.rows; y++)
        memmove(row_host(batch, &to, y), row_host(batch, &from, y), to.row);
    uint64_t bytes = to.row * to.rows;
    bool reads_host = is_across(batch, &from), writes_host = is_across(batch, &to);
    struct memory_traffic traffic = {
        .device = (!reads_host + !writes_host) * bytes,
        .from_host = reads_host ? bytes : 0,
        .to_host = writes_host ? bytes : 0,
    };
    return finish(batch, &traffic);
}

/* Repeats the first `pixel` bytes of a row up to its end, by runs that double in length up to what
 * a processor's cache holds. */
static void repeat_pixel(uint8_t *row, uint64_t bytes, uint32_t pixel)
{
    const uint64_t most = 4096 / pixel * pixel;
    uint64_t done = pixel;

    while (done < bytes) {
        uint64_t run = done < most ? done : most;

        if (run > bytes - done)
            run = bytes - done;
        memcpy(row + done, row, run);
        done += run;
    }
}

static int fast_color(struct batch *batch, const uint32_t *d, uint32_t count)
{
    uint32_t pixel = pixel_bytes(bits(d[0], 19, 21));
    struct rectangle to;

    if (count < 11)
        return batch_fault(batch, "XY_FAST_COLOR_BLT has %" PRIu32 " dwords", count);
    if (decode_destination(batch, d, pixel, &to))
        return -EFAULT;
    if (to.row == 0 || to.rows == 0)
        return 0;
    join_rows(&to);
    if (check_rows(batch, &to, "write"))
        return -EFAULT;
    for (uint64_t y = 0; y < to.rows; y++) {
        uint8_t *row = row_host(batch, &to, y);

        memcpy(row, d + 7, pixel); /* Fill Color */
        repeat_pixel(row, to.row, pixel);
    }
    uint64_t bytes = to.row * to.rows;
    bool writes_host = is_across(batch, &to);
    struct memory_traffic traffic = {
        .device = writes_host ? 0 : bytes,
        .to_host = writes_host ? bytes : 0,
    };
    return finish(batch, &traffic);
}

int command_blitter(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (batch->context->engine != CS_ENGINE_COPY)
        return batch_fault(batch, "command 0x%08" PRIx32 " is one of the copy engine", d[0]);
    if (batch->skip)
        return 0;
    switch (BLITTER_OPCODE(d[0])) {
    case XY_BLOCK_COPY_BLT:
        return block_copy(batch, d, count);
    case XY_FAST_COLOR_BLT:
        return fast_color(batch, d, count);
    default:
        return batch_fault(batch, "blitter command 0x%08" PRIx32 " is not modelled", d[0]);
    }
}
