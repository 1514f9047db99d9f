#include "isa/message/sampler.h"

#include <math.h>

/* Texture Coordinate Mode (genxml). */
enum address_mode { MODE_WRAP = 0, MODE_MIRROR = 1, MODE_CLAMP = 2, MODE_CLAMP_BORDER = 4 };

enum { FILTER_NEAREST = 0 };

static bool is_mode_known(uint32_t mode)
{
    return mode <= MODE_CLAMP || mode == MODE_CLAMP_BORDER;
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

int sampler_open(struct thread *thread, const struct inst *inst, const struct message *message,
                 struct sampler_state *sampler)
{
    uint32_t dwords[sampler_state_dwords];
    uint64_t at = find_states(thread, inst, message) + message->sampler * sizeof(dwords);

    if (message->has_header && !is_header_plain(thread, inst, message))
        return thread_fault(
            thread, inst, "sampler message with offsets or channels that the model does not have");
    const void *host = address_space_host(thread->space, at, sizeof(dwords));

    if (!host)
        return thread_page_fault(thread, inst, at, "sampler state at");
    memcpy(dwords, host, sizeof(dwords));
    *sampler = sampler_state_unpack(dwords);
    if (sampler->minify != FILTER_NEAREST || sampler->magnify != FILTER_NEAREST)
        return thread_fault(thread, inst, "sampler with a filter, which the model does not have");
    if (!is_mode_known(sampler->address_x) || !is_mode_known(sampler->address_y) ||
        !is_mode_known(sampler->address_z))
        return thread_fault(thread, inst,
                            "sampler with an address mode that the model does not have");
    return 0;
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

static int32_t choose_texel(uint32_t mode, bool normalized, float value, uint32_t size)
{
    if (normalized && (mode == MODE_WRAP || mode == MODE_MIRROR))
        return clamp_texel(to_texel(within(value, mode) * (float)size), size);
    int32_t texel = to_texel(normalized ? value * (float)size : value);
    return mode == MODE_CLAMP_BORDER ? texel : clamp_texel(texel, size);
}

void sampler_choose(const struct sampler_state *sampler, const struct image *image,
                    const float *coordinates, int32_t *texel)
{
    const uint32_t modes[IMAGE_DIMENSIONS] = {sampler->address_x, sampler->address_y,
                                              sampler->address_z};

    for (unsigned i = 0; i < IMAGE_DIMENSIONS; i++)
        texel[i] =
            i == image->slices && !image->is_volume
                ? clamp_texel(to_texel(rintf(coordinates[i])), image->size[i])
                : choose_texel(modes[i], !sampler->not_normalized, coordinates[i], image->size[i]);
}
