/* Images whose channels share bytes, as kernels read and write them; the host works out what a
 * texel means.
 *
 *     packed PACKED_SPV [typed]
 *
 * `typed`: the device has typed loads of what the format's table says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../packed-format.h"
#include "l0.h"

enum { TEXELS = 64 };

static const struct packed_format formats[] = {PACKED_FORMATS};

/* What Level Zero calls them, in the same order. */
static const struct {
    ze_image_format_layout_t layout;
    ze_image_format_type_t type;
} names[] = {
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UNORM},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UINT},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_SNORM},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_SINT},
    {ZE_IMAGE_FORMAT_LAYOUT_11_11_10, ZE_IMAGE_FORMAT_TYPE_FLOAT},
    {ZE_IMAGE_FORMAT_LAYOUT_5_6_5, ZE_IMAGE_FORMAT_TYPE_UNORM},
    {ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, ZE_IMAGE_FORMAT_TYPE_UNORM},
    {ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, ZE_IMAGE_FORMAT_TYPE_UNORM},
};

static ze_module_handle_t module;
static ze_command_queue_handle_t queue;
static ze_command_list_handle_t list;
static uint8_t *texels;    /* of the host */
static uint32_t *channels; /* shared */

/* The same module of machine code: one of SPIR-V takes only images that OpenCL has the formats of.
 */
static ze_module_handle_t make_native(ze_module_handle_t spirv)
{
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                    .format = ZE_MODULE_FORMAT_NATIVE};
    ze_module_handle_t native;

    CHECK(zeModuleGetNativeBinary(spirv, &description.inputSize, NULL));
    uint8_t *code = malloc(description.inputSize);
    EXPECT(code != NULL);
    CHECK(zeModuleGetNativeBinary(spirv, &description.inputSize, code));
    description.pInputModule = code;
    CHECK(zeModuleCreate(l0_context, l0_device, &description, &native, NULL));
    CHECK(zeModuleDestroy(spirv));
    free(code);
    return native;
}

static ze_image_handle_t make_image(size_t format)
{
    const ze_image_desc_t description = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
                                         .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
                                         .type = ZE_IMAGE_TYPE_2D,
                                         .format = {.layout = names[format].layout,
                                                    .type = names[format].type,
                                                    .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
                                                    .y = ZE_IMAGE_FORMAT_SWIZZLE_G,
                                                    .z = ZE_IMAGE_FORMAT_SWIZZLE_B,
                                                    .w = ZE_IMAGE_FORMAT_SWIZZLE_A},
                                         .width = TEXELS,
                                         .height = 1,
                                         .depth = 1};
    ze_image_handle_t image;

    CHECK(zeImageCreate(l0_context, l0_device, &description, &image));
    return image;
}

static void run(const char *verb, size_t format, ze_image_handle_t image)
{
    const enum packed_kind kind = formats[format].kind;
    const ze_group_count_t groups = {TEXELS / 32, 1, 1};
    char name[16];

    snprintf(name, sizeof(name), "%s_%c", verb,
             kind == PACKED_UINT   ? 'u'
             : kind == PACKED_SINT ? 'i'
                                   : 'f');
    ze_kernel_handle_t kernel = l0_kernel(module, name, 32);
    CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(image), &image));
    CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(channels), &channels));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    l0_run(queue, list);
    CHECK(zeCommandListReset(list));
    CHECK(zeKernelDestroy(kernel));
}

static void copy(ze_image_handle_t to, ze_image_handle_t from, uint8_t *memory)
{
    if (to)
        CHECK(zeCommandListAppendImageCopyFromMemory(list, to, memory, NULL, NULL, 0, NULL));
    else
        CHECK(zeCommandListAppendImageCopyToMemory(list, memory, from, NULL, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    l0_run(queue, list);
    CHECK(zeCommandListReset(list));
}

static uint32_t texel_of(const struct packed_format *format, unsigned i)
{
    uint32_t texel = 0;

    memcpy(&texel, texels + i * format->bytes, format->bytes);
    return texel;
}

/* Floats of all ones in the exponent have no number. */
static void make_texels(const struct packed_format *format, uint32_t seed)
{
    l0_noise(texels, TEXELS * format->bytes, seed);
    for (unsigned i = 0; i < TEXELS && format->kind == PACKED_FLOAT; i++) {
        uint32_t texel = texel_of(format, i) & ~(1u << 10 | 1u << 21 | 1u << 31);

        memcpy(texels + i * 4, &texel, sizeof(texel));
    }
}

static void check_channels(const char *verb, size_t format)
{
    for (unsigned i = 0; i < TEXELS * 4; i++) {
        uint32_t texel = texel_of(&formats[format], i / 4);
        uint32_t expected = packed_channel(&formats[format], texel, i % 4);

        if (channels[i] != expected) {
            fprintf(stderr, "%s, format 0x%x: channel %u of 0x%x is 0x%x, not 0x%x\n", verb,
                    formats[format].code, i % 4, texel, channels[i], expected);
            exit(1);
        }
    }
}

static void check(size_t format, bool has_typed_loads)
{
    ze_image_handle_t first = make_image(format), second = make_image(format);

    make_texels(&formats[format], (uint32_t)format + 1);
    copy(first, NULL, texels);
    if (has_typed_loads && formats[format].is_loaded && formats[format].kind != PACKED_SINT) {
        run("typed", format, first);
        check_channels("typed load", format);
    }
    run("read", format, first);
    check_channels("sampler", format);
    run("write", format, second);
    memset(texels, 0, TEXELS * formats[format].bytes);
    copy(NULL, second, texels);
    check_channels("typed store", format);
    CHECK(zeImageDestroy(first));
    CHECK(zeImageDestroy(second));
}

int main(int argc, char **argv)
{
    EXPECT(argc >= 2);
    l0_open();
    module = make_native(l0_module(l0_context, argv[1]));
    queue = l0_queue(l0_context, 0);
    list = l0_list(l0_context, 0);
    texels = l0_allocate(l0_context, MEMORY_HOST, TEXELS * 4);
    channels = l0_allocate(l0_context, MEMORY_SHARED, TEXELS * 16);
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        check(i, argc > 2 && !strcmp(argv[2], "typed"));
    l0_free(l0_context, MEMORY_HOST, texels);
    l0_free(l0_context, MEMORY_SHARED, channels);
    CHECK(zeCommandListDestroy(list));
    CHECK(zeCommandQueueDestroy(queue));
    CHECK(zeModuleDestroy(module));
    l0_close();
    printf("packed: %zu formats\n", sizeof(formats) / sizeof(*formats));
    return 0;
}
