#include "isa/message/sampler.h"

#include <math.h>

#include "isa/message/memory-access.h"
#include "isa/message/texel.h"

/* Texture Coordinate Mode (genxml). */
enum address_mode { MODE_WRAP = 0, MODE_MIRROR = 1, MODE_CLAMP = 2, MODE_CLAMP_BORDER = 4 };

/* Mag Mode Filter (genxml). */
enum { FILTER_NEAREST = 0, FILTER_LINEAR = 1 };

static bool is_mode_known(uint32_t mode)
{
    return mode <= MODE_CLAMP || mode == MODE_CLAMP_BORDER;
}

static bool has_border(const struct sampler_state *state)
{
    return state->address_x == MODE_CLAMP_BORDER || state->address_y == MODE_CLAMP_BORDER ||
           state->address_z == MODE_CLAMP_BORDER;
}

/* Dwords of a message's header, and their bits (PRM, "Sampler message header"). */
enum { HEADER_CONTROL = 2 * 4, HEADER_POINTER = 3 * 4 };
enum { POINTER_BINDLESS = 1, POINTER_BITS = ~31 };

/* The kernel's sampler states, or those that the header points to. */
static uint64_t find_states(const struct thread *thread, const struct inst *inst,
                            const struct message *message)
{
    const struct walker *walker = thread->walker;

    if (!message->has_header)
        return walker->dynamic_state_base + walker->sampler_state_offset;
    uint32_t pointer = thread_read32(thread, inst->source[0].offset + HEADER_POINTER);
    uint64_t base =
        pointer & POINTER_BINDLESS ? walker->bindless_sampler_base : walker->dynamic_state_base;
    return base + (pointer & POINTER_BITS);
}

/* Whether a header asks for no more than another sampler: it may move texels, and choose channels.
 */
static bool is_header_plain(const struct thread *thread, const struct inst *inst,
                            const struct message *message)
{
    uint32_t control = thread_read32(thread, inst->source[0].offset + HEADER_CONTROL);
    uint32_t skipped = control >> 12 & 15;

    return (control & 0xfff) == 0 &&
           (skipped == 0 || skipped == (~(uint32_t)message->component_mask & 15));
}

/* Xe3P has the border's colour in the sampler's state, behind what others have there
 * (compute-runtime, SAMPLER_STATE of Xe3P). */
enum { SAMPLER_BYTES_XE3P = 32 };

/* Mip Mode Filter (genxml): the first level, the nearest, or two weighed. */
enum { LEVEL_FIRST = 0, LEVEL_NEAREST = 1, LEVEL_LINEAR = 3 };

/* What the model has of samplers, and the hardware of formats. */
static int check_state(struct thread *thread, const struct inst *inst,
                       const struct sampler_state *state, const struct image *image)
{
    if (state->minify != state->magnify || state->magnify > FILTER_LINEAR)
        return thread_fault(thread, inst,
                            "sampler with filters %u and %u, which the model does not have",
                            state->minify, state->magnify);
    if (image_has_levels(image) && state->between_levels > LEVEL_NEAREST &&
        state->between_levels != LEVEL_LINEAR)
        return thread_fault(thread, inst,
                            "sampler with filter %u between levels, which is reserved",
                            state->between_levels);
    if (!is_mode_known(state->address_x) || !is_mode_known(state->address_y) ||
        !is_mode_known(state->address_z))
        return thread_fault(thread, inst,
                            "sampler with an address mode that the model does not have");
    return 0;
}

static int read_border(struct thread *thread, const struct inst *inst, uint64_t at,
                       struct sampler *sampler)
{
    const void *host = address_space_host(thread->space, at, sizeof(sampler->border));

    if (!host)
        return thread_page_fault(thread, inst, at, "border colour at");
    memcpy(sampler->border, host, sizeof(sampler->border));
    return 0;
}

/* Slices of an array are not filtered. */
static unsigned image_dimensions(const struct image *image)
{
    if (image->is_volume)
        return IMAGE_DIMENSIONS;
    return image->slices < IMAGE_DIMENSIONS ? image->slices : 1;
}

/* Where s0 says, without the bit that marks it as bindless. */
static uint64_t scalar_states(const struct thread *thread, const struct message *message)
{
    return scalar_qword(thread, message->sampler_byte) & ~(uint64_t)(SAMPLER_BYTES_XE3P - 1);
}

int sampler_open(struct thread *thread, const struct inst *inst, const struct message *message,
                 const struct image *image, struct sampler *sampler)
{
    uint32_t dwords[sampler_state_dwords];
    const bool by_scalar = message->base == BASE_IMAGE_SCALAR;
    uint64_t at = by_scalar ? scalar_states(thread, message) : find_states(thread, inst, message);

    if (message->has_header && !is_header_plain(thread, inst, message))
        return thread_fault(
            thread, inst, "sampler message with offsets or channels that the model does not have");
    at += message->sampler * (by_scalar ? SAMPLER_BYTES_XE3P : sizeof(dwords));
    const void *host = address_space_host(thread->space, at, sizeof(dwords));

    if (!host)
        return thread_page_fault(thread, inst, at, "sampler state at");
    memcpy(dwords, host, sizeof(dwords));
    *sampler = (struct sampler){.state = sampler_state_unpack(dwords)};
    if (check_state(thread, inst, &sampler->state, image))
        return -1;
    /* What filters make of integers is undefined (OpenCL C, read_imagei): here the nearest texel.
     */
    const bool filters = image->format && texel_filters(image->format);
    if (filters && sampler->state.magnify == FILTER_LINEAR)
        sampler->filtered = image_dimensions(image);
    sampler->levels =
        filters && image_has_levels(image) && sampler->state.between_levels == LEVEL_LINEAR ? 2 : 1;
    if (!has_border(&sampler->state))
        return 0;
    return read_border(thread, inst,
                       by_scalar ? at + sizeof(dwords)
                                 : thread->walker->dynamic_state_base + sampler->state.border,
                       sampler);
}

/* Texels beyond any image, either way. */
#define FAR_TEXELS 0x1p24f

static int32_t to_texel(float value)
{
    if (isnan(value))
        return 0;
    return (int32_t)floorf(fminf(fmaxf(value, -FAR_TEXELS), FAR_TEXELS));
}

static int32_t clamp_texel(int32_t texel, uint32_t size)
{
    return texel < 0 ? 0 : (uint32_t)texel >= size ? (int32_t)size - 1 : texel;
}

/* Repeated images: the part of the coordinate within one of them. */
static float within(float value, uint32_t mode)
{
    if (mode == MODE_WRAP)
        return value - floorf(value);
    return fabsf(value - 2 * rintf(0.5f * value));
}

/* What an image and a sampler say of one dimension. */
struct axis {
    uint32_t mode; /* enum address_mode */
    uint32_t size; /* in texels */
    bool normalized, rounds;
};

static bool repeats(const struct axis *axis)
{
    return axis->normalized && (axis->mode == MODE_WRAP || axis->mode == MODE_MIRROR);
}

/* The coordinate, in texels; within the image, if that is repeated. */
static float scale(const struct axis *axis, float value)
{
    if (repeats(axis))
        value = within(value, axis->mode);
    return axis->normalized ? value * (float)axis->size : value;
}

static int32_t choose_texel(const struct axis *axis, float value)
{
    int32_t texel = to_texel(scale(axis, value));

    return axis->mode == MODE_CLAMP_BORDER ? texel : clamp_texel(texel, axis->size);
}

/* One that is at most a texel beyond those of the image, if it is repeated. */
static int32_t address_neighbour(const struct axis *axis, int32_t texel)
{
    const int32_t size = (int32_t)axis->size;

    if (axis->mode == MODE_CLAMP_BORDER)
        return texel;
    if (repeats(axis) && axis->mode == MODE_WRAP)
        return texel < 0 ? texel + size : texel >= size ? texel - size : texel;
    return clamp_texel(texel, axis->size);
}

/* Coordinates of filters have 8 bits behind the point (PRM, "Linear Filtering"); a texel's centre
 * is half a texel behind its edge. */
enum { WEIGHT_BITS = 8, WEIGHT_ONE = 1 << WEIGHT_BITS };

static void choose_pair(const struct axis *axis, float value, int32_t *texel, uint8_t *weight)
{
    double at = (double)scale(axis, value);
    double parts = isnan(at) ? 0 : fmin(fmax(at, -FAR_TEXELS), FAR_TEXELS) * WEIGHT_ONE;
    int64_t fixed = (int64_t)floor(parts + (axis->rounds ? 0.5 : 0)) - WEIGHT_ONE / 2;
    int32_t first = (int32_t)(fixed >> WEIGHT_BITS);

    *weight = (uint8_t)(fixed & (WEIGHT_ONE - 1));
    texel[0] = address_neighbour(axis, first);
    texel[1] = address_neighbour(axis, first + 1);
}

/* Between levels there are 8 bits, as of coordinates (Mesa's driver for these GPUs announces both:
 * mipmapPrecisionBits); the nearest is rounded, halves up (PRM, "Mip Mode Filter"). */
uint8_t sampler_choose_levels(const struct sampler *sampler, const struct image *image,
                              uint32_t bits, uint32_t *levels)
{
    const uint32_t last = (uint32_t)(image->last_level - image->first_level);
    float level;

    memcpy(&level, &bits, sizeof(level));
    levels[0] = levels[1] = 0;
    if (sampler->state.between_levels == LEVEL_FIRST || isnan(level))
        return 0;
    level = fminf(fmaxf(level, (float)sampler->state.least_level / WEIGHT_ONE),
                  (float)sampler->state.most_level / WEIGHT_ONE);
    level = fminf(fmaxf(level, 0), (float)last);
    if (sampler->levels == 1) {
        levels[0] = (uint32_t)floorf(level + 0.5f);
        return 0;
    }
    const uint32_t fixed = (uint32_t)floorf(level * WEIGHT_ONE + 0.5f);
    levels[0] = fixed >> WEIGHT_BITS;
    levels[1] = levels[0] < last ? levels[0] + 1 : last;
    return (uint8_t)(fixed & (WEIGHT_ONE - 1));
}

void sampler_choose(const struct sampler *sampler, const struct image *image,
                    const float *coordinates, struct sample *sample)
{
    const struct sampler_state *state = &sampler->state;
    const bool normalized = !state->not_normalized;
    const struct axis axes[IMAGE_DIMENSIONS] = {
        {state->address_x, image->size[0], normalized, state->round_x},
        {state->address_y, image->size[1], normalized, state->round_y},
        {state->address_z, image->size[2], normalized, state->round_z},
    };

    for (unsigned i = 0; i < IMAGE_DIMENSIONS; i++) {
        int32_t *texel = sample->texel[i];

        if (i < sampler->filtered) {
            choose_pair(&axes[i], coordinates[i], texel, &sample->weight[i]);
            continue;
        }
        sample->weight[i] = 0;
        texel[0] = texel[1] = i == image->slices && !image->is_volume
                                  ? clamp_texel(to_texel(rintf(coordinates[i])), image->size[i])
                                  : choose_texel(&axes[i], coordinates[i]);
    }
}
