#include "isa/message/image.h"

#include "isa/message/memory-access.h"
#include "isa/message/mip-tail.h"
#include "isa/message/surface.h"
#include "isa/message/texel.h"
#include "layout/surface-state.h"
#include "memory/round-up.h"

static int find_image_state(struct thread *thread, const struct inst *inst,
                            const struct message *message, uint32_t extended_descriptor,
                            uint64_t *at)
{
    const struct walker *walker = thread->walker;

    if (message->base == BASE_IMAGE_SCALAR) {
        *at = memory_scalar(thread, message) + message->surface * (uint64_t)SURFACE_STATE_BYTES;
        return 0;
    }
    if (message->base == BASE_IMAGE)
        return surface_state_by_index(thread, inst, message->surface, at);
    *at = surface_state_offset(inst, extended_descriptor) + (message->base == BASE_IMAGE_BINDLESS
                                                                 ? walker->bindless_surface_base
                                                                 : walker->surface_state_base);
    return 0;
}

static struct tiling find_tiling(const struct thread *thread, const struct image *image,
                                 uint32_t mode)
{
    enum vesim_architecture architecture = thread->program->device->architecture;
    unsigned bytes = texel_bytes(image->format);

    switch (mode) {
    case TILE_64:
        return image->is_volume ? tiling_64_volume(bytes, architecture >= VESIM_XE2)
                                : tiling_64(bytes);
    case TILE_X:
        return TILING_X;
    case TILE_Y_OR_4:
        return architecture >= VESIM_XE_HPG ? TILING_4 : TILING_Y;
    default:
        return (struct tiling){0};
    }
}

/* What is not an array has one layer for all coordinates (PRM, "Surface Array"); Intel's driver
 * hands its copies the level there. */
static unsigned count_addressed(const struct image *image, const struct render_surface_state *state)
{
    if (state->type == SURFACE_TYPE_BUFFER)
        return 1;
    return image->slices + (image->is_volume || state->is_array);
}

static void set_size(struct image *image, const struct render_surface_state *state)
{
    image->size[0] = state->width + 1;
    image->size[1] = state->height + 1;
    image->size[2] = state->depth + 1;
    image->slices = 2;
    image->is_volume = state->type == SURFACE_TYPE_3D;
    if (state->type == SURFACE_TYPE_1D) {
        image->size[1] = state->depth + 1;
        image->size[2] = 1;
        image->slices = 1;
    }
    if (state->type == SURFACE_TYPE_BUFFER) {
        uint64_t elements = surface_state_elements(state);

        image->size[0] = elements > INT32_MAX ? INT32_MAX : (uint32_t)elements;
        image->size[1] = image->size[2] = 1;
        image->slices = IMAGE_DIMENSIONS;
    }
    image->addressed = count_addressed(image, state);
}

/* Xe-LP counts the columns in texels, later ones in bytes; rows are texels on all. Tiles of 64 KB
 * are aligned to themselves. */
static void set_levels(const struct thread *thread, struct image *image,
                       const struct render_surface_state *state)
{
    image->first_level = (uint8_t)state->first_level;
    image->last_level = (uint8_t)state->levels;
    image->tail_level = UINT8_MAX;
    if (state->tile_mode == TILE_64) {
        image->tail_level = (uint8_t)state->tail_level;
        image->align_x =
            (UINT32_C(1) << __builtin_popcount(image->tiling.x)) / texel_bytes(image->format);
        image->align_y = UINT32_C(1) << __builtin_popcount(image->tiling.y);
        return;
    }
    image->align_x = thread->program->device->architecture >= VESIM_XE_HPG
                         ? (UINT32_C(16) << state->align_x) / texel_bytes(image->format)
                         : UINT32_C(2) << state->align_x;
    image->align_y = UINT32_C(2) << state->align_y;
}

static int read_image_state(struct thread *thread, const struct inst *inst,
                            const struct render_surface_state *state, struct image *image)
{
    *image = (struct image){
        .address = state->address,
        .select = (uint16_t)state->select,
        .pitch = state->pitch + 1,
        .slice_pitch = (uint64_t)state->slice_pitch * 4,
        .x = state->x_offset * 4,
        .y = state->y_offset * 4,
        .slice = state->first_slice,
    };
    if (state->type == SURFACE_TYPE_NULL)
        return 0;
    if (state->type > SURFACE_TYPE_3D && state->type != SURFACE_TYPE_BUFFER)
        return thread_fault(thread, inst, "surface of type %u, which is not an image", state->type);
    image->format = (uint8_t)texel_format(state->format);
    if (!image->format)
        return thread_fault(thread, inst,
                            "image in surface format 0x%x, which the model does not "
                            "have",
                            state->format);
    set_size(image, state);
    image->tiling = find_tiling(thread, image, state->tile_mode);
    if (state->type == SURFACE_TYPE_BUFFER || !(state->levels || state->first_level))
        return 0;
    set_levels(thread, image, state);
    return 0;
}

int image_open(struct thread *thread, const struct inst *inst, const struct message *message,
               uint32_t extended_descriptor, struct image *image)
{
    uint32_t dwords[render_surface_state_dwords];
    uint64_t at;

    if (find_image_state(thread, inst, message, extended_descriptor, &at))
        return -1;
    const void *host = address_space_host(thread->space, at, SURFACE_STATE_BYTES);
    if (!host)
        return thread_page_fault(thread, inst, at, "surface state at");
    memcpy(dwords, host, sizeof(dwords));
    const struct render_surface_state state = render_surface_state_unpack(dwords);
    return read_image_state(thread, inst, &state, image);
}

static uint32_t level_size(uint32_t size, unsigned level)
{
    return size >> level ? size >> level : 1;
}

/* Levels of lines follow one another. Otherwise the second lies below the first, the third right of
 * the second, and the others below the third (gmmlib, "2D mip layout"). Slices have all of them. */
static void move_to_level(struct image *image, unsigned level)
{
    const bool is_line = image->slices == 1;

    if (!is_line && level > 1)
        image->x += (uint32_t)round_up(level_size(image->size[0], 1), image->align_x);
    for (unsigned i = 0; i < level; i++) {
        if (is_line)
            image->x += (uint32_t)round_up(level_size(image->size[0], i), image->align_x);
        else if (i != 1)
            image->y += (uint32_t)round_up(level_size(image->size[1], i), image->align_y);
    }
}

static void move_in_tail(struct image *image, unsigned level)
{
    const struct mip_slot slot =
        mip_tail_slot(image->is_volume, texel_bytes(image->format), level - image->tail_level);

    image->x += slot.x;
    image->y += slot.y;
    image->slice += slot.slice;
}

void image_go_to_level(struct image *image, uint32_t level)
{
    if (level > image->last_level || level + image->first_level > image->last_level) {
        image->format = 0;
        return;
    }
    level += image->first_level;
    move_to_level(image, level < image->tail_level ? level : image->tail_level);
    if (level >= image->tail_level)
        move_in_tail(image, level);
    image->size[0] = level_size(image->size[0], level);
    if (image->slices != 1)
        image->size[1] = level_size(image->size[1], level);
    if (image->is_volume)
        image->size[2] = level_size(image->size[2], level);
}

bool image_has(const struct image *image, const int32_t *texel)
{
    for (unsigned i = 0; i < IMAGE_DIMENSIONS; i++)
        if (texel[i] < 0 || (uint32_t)texel[i] >= image->size[i])
            return false;
    return image->format != 0;
}

/* The slices of a line are texels apart, those of others rows. Tiles of volumes hold several. */
uint64_t image_address(const struct image *image, const int32_t *texel)
{
    unsigned depth = (unsigned)__builtin_popcount(image->tiling.z);
    uint64_t x = (uint32_t)texel[0] + image->x, row = image->y, slice = image->slice;

    if (image->slices < IMAGE_DIMENSIONS)
        slice += (uint32_t)texel[image->slices];
    if (image->slices == 1) {
        x += slice * image->slice_pitch;
    } else {
        row += (uint32_t)texel[1] + (slice >> depth) * image->slice_pitch;
    }
    return image->address + tiling_offset(image->tiling, image->pitch,
                                          x * texel_bytes(image->format), row, (uint32_t)slice);
}
