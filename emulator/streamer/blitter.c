/* The copy engine's commands (PRM Vol 2a; the layouts are those of
 * compute-runtime's XY_BLOCK_COPY_BLT and XY_FAST_COLOR_BLT, whose first dwords are the same on
 * Gen12LP and Xe-HPG), and on plain memory. Compression has no effect on what memory holds here. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "streamer/commands.h"
#include "streamer/context.h"
#include "streamer/tiled-copy.h"

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

/* Rows without a gap between them are one row. */
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
        uint64_t start = rectangle->address + y * rectangle->pitch, run;

        for (uint64_t done = 0; done < rectangle->row; done += run) {
            run = address_space_run(batch->space, start + done, rectangle->row - done);
            if (run == 0)
                return batch_page_fault(batch, start + done, "blitter %s of %" PRIu64 " bytes",
                                        what, rectangle->row - done);
        }
    }
    return 0;
}

static int find_destination(struct batch *batch, const struct blt_destination *to, uint32_t pixel,
                            struct rectangle *rectangle)
{
    if (pixel == 0)
        return batch_fault(batch, "the blitter's colour depth is reserved");
    if (to->tiling)
        return batch_fault(batch, "fills of tiled surfaces are not modelled");
    if (to->x_offset || to->y_offset)
        return batch_fault(batch, "blits with a surface offset are not modelled");
    rectangle->pitch = to->pitch + UINT64_C(1);
    rectangle->address = to->address + to->y1 * rectangle->pitch + (uint64_t)to->x1 * pixel;
    rectangle->row = to->x2 > to->x1 ? (uint64_t)(to->x2 - to->x1) * pixel : 0;
    rectangle->rows = to->y2 > to->y1 ? to->y2 - to->y1 : 0;
    return 0;
}

/* Where memory is, as the stack sees it. */
enum place { NEAR, ACROSS_TO_HOST, ACROSS_TO_PEER };

static enum place place_of(const struct batch *batch, uint64_t address)
{
    const struct vesim_device *device = batch->device;
    const struct mapping *mapping = address_space_find(batch->space, address, 1);

    if (!mapping)
        return NEAR;
    if (!mapping->local)
        return device->host_link_bandwidth ? ACROSS_TO_HOST : NEAR;
    return physical_stack(mapping->physical) != stack_number(batch->stack) &&
                   device->stack_link_bandwidth
               ? ACROSS_TO_PEER
               : NEAR;
}

static int finish(struct batch *batch, const struct memory_traffic *traffic)
{
    struct cs_stack *stack = batch->stack;

    clock_advance(stack, gpu_memory_transfer(stack->gpu, traffic, stack->clock));
    return 0;
}

static void add_read(struct memory_traffic *traffic, enum place from, uint64_t bytes)
{
    *(from == NEAR             ? &traffic->from_device
      : from == ACROSS_TO_HOST ? &traffic->from_host
                               : &traffic->from_peer) += bytes;
}

static void add_write(struct memory_traffic *traffic, enum place to, uint64_t bytes)
{
    *(to == NEAR             ? &traffic->to_device
      : to == ACROSS_TO_HOST ? &traffic->to_host
                             : &traffic->to_peer) += bytes;
}

static void copy_row(struct batch *batch, uint64_t from, uint64_t to, uint64_t bytes,
                     struct memory_traffic *traffic)
{
    for (uint64_t done = 0, run; done < bytes; done += run) {
        run = address_space_run(batch->space, to + done,
                                address_space_run(batch->space, from + done, bytes - done));
        memmove(address_space_host(batch->space, to + done, run),
                address_space_host(batch->space, from + done, run), run);
        add_read(traffic, place_of(batch, from + done), run);
        add_write(traffic, place_of(batch, to + done), run);
    }
}

/* Both have rows of the same length, and as many. */
static int copy_rows(struct batch *batch, struct rectangle from, struct rectangle to)
{
    struct memory_traffic traffic = {0};

    if (to.row == 0 || to.rows == 0)
        return 0;
    if (to.pitch == from.pitch) {
        join_rows(&to);
        join_rows(&from);
    }
    if (check_rows(batch, &from, "read") || check_rows(batch, &to, "write"))
        return -EFAULT;
    for (uint64_t y = 0; y < to.rows; y++)
        copy_row(batch, from.address + y * from.pitch, to.address + y * to.pitch, to.row, &traffic);
    return finish(batch, &traffic);
}

/* Tiling fields of the copy engine (genxml XY_TILE), and their types of surfaces. */
enum { BLT_LINEAR, BLT_TILE_X, BLT_TILE_4, BLT_TILE_64 };
enum { BLT_SURFACE_3D = 2 };

/* The first dword of blt_slices. */
enum { BLT_SLICES = 16 };

static struct tiling find_tiling(const struct batch *batch, uint32_t field, uint32_t type,
                                 uint32_t bytes)
{
    switch (field) {
    case BLT_TILE_X:
        return TILING_X;
    case BLT_TILE_4:
        return TILING_4;
    case BLT_TILE_64:
        return type == BLT_SURFACE_3D
                   ? tiling_64_volume(bytes, batch->device->architecture >= VESIM_XE2)
                   : tiling_64(bytes);
    default:
        return (struct tiling){0};
    }
}

/* Goes to a slice of a surface whose pitch is, as in the command, in dwords and less one. */
static void find_slice(struct blt_surface *surface, uint32_t slice, uint32_t slice_pitch)
{
    if (tiling_is_linear(surface->tiling)) {
        surface->pitch++;
        return;
    }
    surface->pitch = (surface->pitch + 1) * 4;
    surface->y += (uint64_t)(slice >> __builtin_popcount(surface->tiling.z)) * slice_pitch * 4;
    surface->slice = slice;
}

/* Rows are whole tiles, and do not overlap. */
static int check_pitch(struct batch *batch, const struct blt_surface *surface,
                       const struct blt_pixels *pixels)
{
    uint64_t row = (uint64_t)pixels->columns * pixels->bytes;
    uint64_t tile = UINT64_C(1) << __builtin_popcount(surface->tiling.x);

    if (surface->pitch % tile)
        return batch_fault(batch,
                           "the blitter's rows of tiles of %" PRIu64 " bytes are %" PRIu64 " apart",
                           tile, surface->pitch);
    if (pixels->rows > 1 && surface->pitch < row)
        return batch_fault(batch,
                           "the blitter's rows of %" PRIu64 " bytes are only %" PRIu64 " apart",
                           row, surface->pitch);
    return 0;
}

static int tiled_block_copy(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct xy_block_copy_blt command = xy_block_copy_blt_unpack(d);
    const struct blt_destination *destination = &command.destination;

    if (batch->device->architecture < VESIM_XE_HPG)
        return batch_fault(batch, "blits of tiled surfaces are not modelled on this device");
    if (count < BLT_SLICES + blt_slices_dwords)
        return batch_fault(batch, "XY_BLOCK_COPY_BLT of tiles has %" PRIu32 " dwords", count);
    const struct blt_slices slices = blt_slices_unpack(d + BLT_SLICES);
    const struct blt_pixels pixels = {
        .columns = destination->x2 > destination->x1 ? destination->x2 - destination->x1 : 0,
        .rows = destination->y2 > destination->y1 ? destination->y2 - destination->y1 : 0,
        .bytes = pixel_bytes(command.color_depth),
    };
    struct blt_surface from = {
        .address = command.source_address,
        .pitch = command.source_pitch,
        .x = command.source_x1,
        .y = command.source_y1,
        .tiling = find_tiling(batch, command.source_tiling, slices.source_type, pixels.bytes),
    };
    struct blt_surface to = {
        .address = destination->address,
        .pitch = destination->pitch,
        .x = destination->x1,
        .y = destination->y1,
        .tiling = find_tiling(batch, destination->tiling, slices.destination_type, pixels.bytes),
    };
    if (pixels.bytes == 0 || pixels.bytes == 12)
        return batch_fault(batch, "blits of tiles with this colour depth are not modelled");
    if (destination->x_offset || destination->y_offset || command.source_x_offset ||
        command.source_y_offset)
        return batch_fault(batch, "blits with a surface offset are not modelled");
    find_slice(&from, slices.source, slices.source_pitch);
    find_slice(&to, slices.destination, slices.destination_pitch);
    if (check_pitch(batch, &from, &pixels) || check_pitch(batch, &to, &pixels) ||
        tiled_copy(batch, &from, &to, &pixels))
        return -EFAULT;
    const uint64_t bytes = (uint64_t)pixels.columns * pixels.rows * pixels.bytes;
    struct memory_traffic traffic = {0};
    add_read(&traffic, place_of(batch, from.address), bytes);
    add_write(&traffic, place_of(batch, to.address), bytes);
    return finish(batch, &traffic);
}

static int block_copy(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct xy_block_copy_blt command = xy_block_copy_blt_unpack(d);
    uint32_t pixel = pixel_bytes(command.color_depth);
    struct rectangle to;

    if (count < xy_block_copy_blt_dwords)
        return batch_fault(batch, "XY_BLOCK_COPY_BLT has %" PRIu32 " dwords", count);
    if (command.source_tiling || command.destination.tiling)
        return tiled_block_copy(batch, d, count);
    if (find_destination(batch, &command.destination, pixel, &to))
        return -EFAULT;
    if (command.source_x_offset || command.source_y_offset)
        return batch_fault(batch, "blits with a surface offset are not modelled");
    struct rectangle from = to;
    from.pitch = command.source_pitch + UINT64_C(1);
    from.address = command.source_address + command.source_y1 * from.pitch +
                   (uint64_t)command.source_x1 * pixel;
    return copy_rows(batch, from, to);
}

/* Fills a row by repeating its first `pixel` bytes, in runs that double in length up to a size that
 * stays cached. */
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

/* Fills a run with the pixel, of which it begins with byte `phase`. */
static void fill_run(uint8_t *run, uint64_t bytes, const uint8_t *colour, uint32_t pixel,
                     uint64_t phase)
{
    for (uint32_t i = 0; i < pixel && i < bytes; i++)
        run[i] = colour[(phase + i) % pixel];
    if (bytes > pixel)
        repeat_pixel(run, bytes, pixel);
}

static int fill_rows(struct batch *batch, struct rectangle to, const void *colour, uint32_t pixel)
{
    struct memory_traffic traffic = {0};

    if (to.row == 0 || to.rows == 0)
        return 0;
    join_rows(&to);
    if (check_rows(batch, &to, "write"))
        return -EFAULT;
    for (uint64_t y = 0; y < to.rows; y++) {
        const uint64_t start = to.address + y * to.pitch;

        for (uint64_t done = 0, run; done < to.row; done += run) {
            run = address_space_run(batch->space, start + done, to.row - done);
            fill_run(address_space_host(batch->space, start + done, run), run, colour, pixel,
                     done % pixel);
            add_write(&traffic, place_of(batch, start + done), run);
        }
    }
    return finish(batch, &traffic);
}

static int fast_color(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct xy_fast_color_blt command = xy_fast_color_blt_unpack(d);
    uint32_t pixel = pixel_bytes(command.color_depth);
    struct rectangle to;

    if (count < xy_fast_color_blt_dwords)
        return batch_fault(batch, "XY_FAST_COLOR_BLT has %" PRIu32 " dwords", count);
    if (find_destination(batch, &command.destination, pixel, &to))
        return -EFAULT;
    return fill_rows(batch, to, command.fill_color, pixel);
}

enum { MEM_LINEAR, MEM_MATRIX }; /* a run of bytes, or rows of them */

/* The rectangle of a MEM_ command of that type, whose sizes and pitch are stored less one. */
static struct rectangle mem_rectangle(uint32_t type, uint64_t address, uint64_t pitch,
                                      uint64_t width, uint64_t height)
{
    bool matrix = type == MEM_MATRIX;

    return (struct rectangle){.address = address,
                              .pitch = matrix ? pitch + 1 : width + 1,
                              .row = width + 1,
                              .rows = matrix ? height + 1 : 1};
}

static int mem_copy(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mem_copy command = mem_copy_unpack(d);

    if (count != mem_copy_dwords)
        return batch_fault(batch, "MEM_COPY has %" PRIu32 " dwords", count);
    if (command.copy_type > MEM_MATRIX || command.mode)
        return batch_fault(batch, "MEM_COPY of pages, or of a type that is reserved");
    return copy_rows(batch,
                     mem_rectangle(command.copy_type, command.source_address, command.source_pitch,
                                   command.width, command.height),
                     mem_rectangle(command.copy_type, command.destination_address,
                                   command.destination_pitch, command.width, command.height));
}

static int mem_set(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mem_set command = mem_set_unpack(d);
    const uint8_t value = (uint8_t)command.value;

    if (count != mem_set_dwords)
        return batch_fault(batch, "MEM_SET has %" PRIu32 " dwords", count);
    if (command.fill_type > MEM_MATRIX)
        return batch_fault(batch, "MEM_SET of a type that is reserved");
    return fill_rows(batch,
                     mem_rectangle(command.fill_type, command.address, command.pitch, command.width,
                                   command.height),
                     &value, sizeof(value));
}

int command_blitter(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (batch->context->engine != CS_ENGINE_COPY)
        return batch_fault(batch, "command 0x%08" PRIx32 " is one of the copy engine", d[0]);
    if (batch->skip)
        return 0;
    switch (blitter_header_unpack(d).opcode) {
    case XY_BLOCK_COPY_BLT:
        return block_copy(batch, d, count);
    case XY_FAST_COLOR_BLT:
        return fast_color(batch, d, count);
    case MEM_COPY:
    case MEM_SET:
        if (batch->device->architecture < VESIM_XE_HPC)
            break;
        return blitter_header_unpack(d).opcode == MEM_COPY ? mem_copy(batch, d, count)
                                                           : mem_set(batch, d, count);
    default:
        break;
    }
    return batch_fault(batch, "blitter command 0x%08" PRIx32 " is not modelled", d[0]);
}
