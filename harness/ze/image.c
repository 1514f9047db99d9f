#include "ze/image.h"

#include <string.h>

#define FORMAT(prefix, layouts, channels, suffix, bits, kind, is_float)                            \
    {                                                                                              \
        prefix #bits suffix, ZE_IMAGE_FORMAT_LAYOUT_##layouts, ZE_IMAGE_FORMAT_TYPE_##kind,        \
            channels, (bits) / 8, is_float                                                         \
    }

#define FORMATS(prefix, layout_8, layout_16, layout_32, channels)                                  \
    FORMAT(prefix, layout_8, channels, "", 8, UNORM, false),                                       \
        FORMAT(prefix, layout_16, channels, "", 16, UNORM, false),                                 \
        FORMAT(prefix, layout_8, channels, "u", 8, UINT, false),                                   \
        FORMAT(prefix, layout_16, channels, "u", 16, UINT, false),                                 \
        FORMAT(prefix, layout_32, channels, "u", 32, UINT, false),                                 \
        FORMAT(prefix, layout_8, channels, "i", 8, SINT, false),                                   \
        FORMAT(prefix, layout_16, channels, "i", 16, SINT, false),                                 \
        FORMAT(prefix, layout_32, channels, "i", 32, SINT, false),                                 \
        FORMAT(prefix, layout_16, channels, "f", 16, FLOAT, true),                                 \
        FORMAT(prefix, layout_32, channels, "f", 32, FLOAT, true)

static const struct image_format formats[] = {
    FORMATS("r", 8, 16, 32, 1),
    FORMATS("rg", 8_8, 16_16, 32_32, 2),
    FORMATS("rgba", 8_8_8_8, 16_16_16_16, 32_32_32_32, 4),
};

const struct image_format *image_format_find(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strlen(formats[i].name) == bytes && !strncmp(formats[i].name, name, bytes))
            return &formats[i];
    }
    return NULL;
}

size_t image_bytes(const struct image_plan *plan)
{
    return (size_t)plan->size[0] * plan->size[1] * plan->size[2] * plan->format->channels *
           plan->format->channel_bytes;
}

/* Channels that an element lacks are 0, opacity is 1. */
static ze_image_format_t describe_format(const struct image_format *format)
{
    return (ze_image_format_t){
        .layout = format->layout,
        .type = format->type,
        .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
        .y = format->channels > 1 ? ZE_IMAGE_FORMAT_SWIZZLE_G : ZE_IMAGE_FORMAT_SWIZZLE_0,
        .z = format->channels > 2 ? ZE_IMAGE_FORMAT_SWIZZLE_B : ZE_IMAGE_FORMAT_SWIZZLE_0,
        .w = format->channels > 3 ? ZE_IMAGE_FORMAT_SWIZZLE_A : ZE_IMAGE_FORMAT_SWIZZLE_1,
    };
}

enum status image_create(struct session *session, const struct image_plan *plan,
                         ze_image_handle_t *image, struct error *error)
{
    static const ze_image_type_t types[] = {ZE_IMAGE_TYPE_1D, ZE_IMAGE_TYPE_2D, ZE_IMAGE_TYPE_3D};
    const ze_image_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
        .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
        .type = types[plan->dimensions - 1],
        .format = describe_format(plan->format),
        .width = plan->size[0],
        .height = plan->size[1],
        .depth = plan->size[2],
    };

    if (!session->ze.zeImageCreate || !session->ze.zeImageDestroy ||
        !session->ze.zeCommandListAppendImageCopyFromMemory ||
        !session->ze.zeCommandListAppendImageCopyToMemory)
        return error_set(error, STATUS_UNSUPPORTED, "the loader has no images");
    return ZE_CALL(&session->ze, error, zeImageCreate, session->context, session->device->handle,
                   &desc, image);
}

void image_destroy(struct session *session, ze_image_handle_t image)
{
    if (image && !session->lost)
        session->ze.zeImageDestroy(image);
}

enum status image_append_fill(struct session *session, ze_image_handle_t image, const void *from,
                              struct error *error)
{
    return ZE_CALL(&session->ze, error, zeCommandListAppendImageCopyFromMemory,
                   session_list(session), image, from, NULL, NULL, 0, NULL);
}

enum status image_append_read(struct session *session, void *to, ze_image_handle_t image,
                              struct error *error)
{
    return ZE_CALL(&session->ze, error, zeCommandListAppendImageCopyToMemory, session_list(session),
                   to, image, NULL, NULL, 0, NULL);
}
