/* Copies of images: from and to memory, whole and by regions, with rows and slices apart, and from
 * image to image, on every queue group; the host works out what each has to contain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "l0.h"

enum { MOST_BYTES = 1 << 18 };

struct shape {
    const char *name;
    ze_image_type_t type;
    uint32_t size[3]; /* in texels; an array's layers come last */
};

/* Sizes that fill no tile. */
static const struct shape shapes[] = {
    {"1d", ZE_IMAGE_TYPE_1D, {67, 1, 1}},  {"1d array", ZE_IMAGE_TYPE_1DARRAY, {67, 5, 1}},
    {"2d", ZE_IMAGE_TYPE_2D, {67, 37, 1}}, {"2d array", ZE_IMAGE_TYPE_2DARRAY, {35, 37, 3}},
    {"3d", ZE_IMAGE_TYPE_3D, {19, 33, 5}},
};

static const struct {
    ze_image_format_layout_t layout;
    uint32_t bytes;
} formats[] = {
    {ZE_IMAGE_FORMAT_LAYOUT_8, 1},
    {ZE_IMAGE_FORMAT_LAYOUT_16, 2},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, 4},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, 8},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, 16},
};

/* An image and the bytes that the host expects in it, texel after texel. */
struct picture {
    const struct shape *shape;
    uint32_t bytes; /* of a texel */
    ze_image_handle_t image;
    uint8_t *wanted;
};

/* Where a copy is carried out, and memory that the device reaches. */
struct bench {
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
    uint8_t *memory;
    bool rows_apart; /* the driver has the functions that copy these */
};

static size_t picture_bytes(const struct picture *p)
{
    return (size_t)p->shape->size[0] * p->shape->size[1] * p->shape->size[2] * p->bytes;
}

static struct picture make_picture(const struct shape *shape, size_t format, uint32_t seed)
{
    const ze_image_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
        .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
        .type = shape->type,
        .format = {.layout = formats[format].layout,
                   .type = ZE_IMAGE_FORMAT_TYPE_UINT,
                   .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
                   .y = ZE_IMAGE_FORMAT_SWIZZLE_G,
                   .z = ZE_IMAGE_FORMAT_SWIZZLE_B,
                   .w = ZE_IMAGE_FORMAT_SWIZZLE_A},
        .width = shape->size[0],
        .height = shape->type == ZE_IMAGE_TYPE_1DARRAY ? 1 : shape->size[1],
        .depth = shape->type == ZE_IMAGE_TYPE_3D ? shape->size[2] : 1,
        .arraylevels = shape->type == ZE_IMAGE_TYPE_1DARRAY   ? shape->size[1]
                       : shape->type == ZE_IMAGE_TYPE_2DARRAY ? shape->size[2]
                                                              : 0,
    };
    struct picture picture = {.shape = shape, .bytes = formats[format].bytes};

    EXPECT(picture_bytes(&picture) <= MOST_BYTES / 2);
    picture.wanted = malloc(picture_bytes(&picture));
    EXPECT(picture.wanted != NULL);
    l0_noise(picture.wanted, picture_bytes(&picture), seed);
    CHECK(zeImageCreate(l0_context, l0_device, &description, &picture.image));
    return picture;
}

static void free_picture(struct picture *picture)
{
    CHECK(zeImageDestroy(picture->image));
    free(picture->wanted);
}

/* Whether the region, or the whole where there is none, has the texel. */
static bool covers(const ze_image_region_t *r, uint32_t x, uint32_t y, uint32_t z)
{
    return x >= r->originX && x - r->originX < r->width && y >= r->originY &&
           y - r->originY < r->height && z >= r->originZ && z - r->originZ < r->depth;
}

static ze_image_region_t whole(const struct picture *p)
{
    return (ze_image_region_t){
        .width = p->shape->size[0], .height = p->shape->size[1], .depth = p->shape->size[2]};
}

/* A part that begins `from` texels after the first in each dimension that has so many, and ends one
 * before the last. */
static ze_image_region_t part(const struct picture *p, uint32_t from)
{
    const uint32_t *size = p->shape->size;
    ze_image_region_t r = whole(p);

    r.originX = from;
    r.width = size[0] - 4;
    r.originY = size[1] > 4 ? from : 0;
    r.height = size[1] > 4 ? size[1] - 4 : size[1];
    r.originZ = size[2] > 4 ? from : 0;
    r.depth = size[2] > 4 ? size[2] - 4 : size[2];
    return r;
}

static uint8_t *wanted_texel(const struct picture *p, uint32_t x, uint32_t y, uint32_t z)
{
    return p->wanted + (((size_t)z * p->shape->size[1] + y) * p->shape->size[0] + x) * p->bytes;
}

/* Calls back with the place of each texel of the region: in the picture, and in memory with rows
 * and slices that far apart. */
static void each_texel(const struct picture *p, const ze_image_region_t *region, uint32_t row,
                       uint32_t slice, uint8_t *memory, bool to_memory)
{
    for (uint32_t z = 0; z < p->shape->size[2]; z++)
        for (uint32_t y = 0; y < p->shape->size[1]; y++)
            for (uint32_t x = 0; x < p->shape->size[0]; x++) {
                uint8_t *texel = wanted_texel(p, x, y, z);

                if (!covers(region, x, y, z))
                    continue;
                uint8_t *there = memory + (size_t)(z - region->originZ) * slice +
                                 (size_t)(y - region->originY) * row +
                                 (size_t)(x - region->originX) * p->bytes;
                memcpy(to_memory ? there : texel, to_memory ? texel : there, p->bytes);
            }
}

/* The region of a copy of everything: none. Intel's driver takes that for an array's first layer.
 */
static const ze_image_region_t *everything(const struct picture *p, ze_image_region_t *region)
{
    bool is_array =
        p->shape->type == ZE_IMAGE_TYPE_1DARRAY || p->shape->type == ZE_IMAGE_TYPE_2DARRAY;

    *region = whole(p);
    return is_array ? region : NULL;
}

static void finish(struct bench *bench)
{
    CHECK(zeCommandListClose(bench->list));
    l0_run(bench->queue, bench->list);
    CHECK(zeCommandListReset(bench->list));
}

static void expect_memory(const struct bench *bench, const uint8_t *wanted, const char *what,
                          const struct picture *p)
{
    if (memcmp(bench->memory, wanted, MOST_BYTES) == 0)
        return;
    fprintf(stderr, "%s of an image %s, %u bytes a texel: other bytes than expected\n", what,
            p->shape->name, p->bytes);
    EXPECT_BYTES(bench->memory, wanted, MOST_BYTES);
}

static void upload(struct bench *bench, struct picture *p)
{
    ze_image_region_t region;

    memcpy(bench->memory, p->wanted, picture_bytes(p));
    CHECK(zeCommandListAppendImageCopyFromMemory(bench->list, p->image, bench->memory,
                                                 everything(p, &region), NULL, 0, NULL));
    finish(bench);
}

/* The image contains what it should, and a copy writes nothing else. */
static void check(struct bench *bench, const struct picture *p, const char *what)
{
    static uint8_t wanted[MOST_BYTES];
    ze_image_region_t region;

    memset(wanted, 0xa5, sizeof(wanted));
    memset(bench->memory, 0xa5, MOST_BYTES);
    memcpy(wanted, p->wanted, picture_bytes(p));
    CHECK(zeCommandListAppendImageCopyToMemory(bench->list, bench->memory, p->image,
                                               everything(p, &region), NULL, 0, NULL));
    finish(bench);
    expect_memory(bench, wanted, what, p);
}

static void copy_parts(struct bench *bench, struct picture *p)
{
    static uint8_t wanted[MOST_BYTES];
    const ze_image_region_t region = part(p, 3);
    const uint32_t row = region.width * p->bytes, slice = row * region.height;

    l0_noise(bench->memory, (size_t)slice * region.depth, 3);
    each_texel(p, &region, row, slice, bench->memory, false);
    CHECK(zeCommandListAppendImageCopyFromMemory(bench->list, p->image, bench->memory, &region,
                                                 NULL, 0, NULL));
    finish(bench);
    check(bench, p, "copy from memory");
    memset(wanted, 0xa5, sizeof(wanted));
    memset(bench->memory, 0xa5, MOST_BYTES);
    each_texel(p, &region, row, slice, wanted, true);
    CHECK(zeCommandListAppendImageCopyToMemory(bench->list, bench->memory, p->image, &region, NULL,
                                               0, NULL));
    finish(bench);
    expect_memory(bench, wanted, "copy to memory", p);
}

/* Rows and slices in memory that do not follow one another. */
static void copy_apart(struct bench *bench, struct picture *p)
{
    static uint8_t wanted[MOST_BYTES];
    const ze_image_region_t region = part(p, 1);
    const uint32_t row = (region.width + 5) * p->bytes, slice = row * (region.height + 2);

    EXPECT((size_t)slice * region.depth <= MOST_BYTES);
    l0_noise(bench->memory, (size_t)slice * region.depth, 4);
    ze_result_t result = zeCommandListAppendImageCopyFromMemoryExt(
        bench->list, p->image, bench->memory, &region, row, slice, NULL, 0, NULL);
    bench->rows_apart = result != ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    if (!bench->rows_apart)
        return;
    CHECK(result);
    each_texel(p, &region, row, slice, bench->memory, false);
    finish(bench);
    check(bench, p, "copy from rows apart");
    memset(wanted, 0xa5, sizeof(wanted));
    memset(bench->memory, 0xa5, MOST_BYTES);
    each_texel(p, &region, row, slice, wanted, true);
    CHECK(zeCommandListAppendImageCopyToMemoryExt(bench->list, bench->memory, p->image, &region,
                                                  row, slice, NULL, 0, NULL));
    finish(bench);
    expect_memory(bench, wanted, "copy to rows apart", p);
}

static void copy_between(struct bench *bench, struct picture *to, const struct picture *from)
{
    static uint8_t texels[MOST_BYTES];
    const ze_image_region_t there = part(to, 3), here = part(from, 1);
    const uint32_t row = here.width * from->bytes, slice = row * here.height;

    each_texel(from, &here, row, slice, texels, true);
    each_texel(to, &there, row, slice, texels, false);
    CHECK(zeCommandListAppendImageCopyRegion(bench->list, to->image, from->image, &there, &here,
                                             NULL, 0, NULL));
    finish(bench);
    check(bench, to, "copy of a region");
    memcpy(to->wanted, from->wanted, picture_bytes(from));
    ze_image_region_t region;
    const ze_image_region_t *all = everything(to, &region);
    if (all)
        CHECK(zeCommandListAppendImageCopyRegion(bench->list, to->image, from->image, all, all,
                                                 NULL, 0, NULL));
    else
        CHECK(zeCommandListAppendImageCopy(bench->list, to->image, from->image, NULL, 0, NULL));
    finish(bench);
    check(bench, to, "copy");
}

static void copy_shape(struct bench *bench, const struct shape *shape, size_t format)
{
    struct picture first = make_picture(shape, format, 1), second = make_picture(shape, format, 2);

    upload(bench, &first);
    upload(bench, &second);
    check(bench, &first, "copy from and to memory");
    copy_parts(bench, &first);
    copy_apart(bench, &first);
    copy_between(bench, &second, &first);
    free_picture(&first);
    free_picture(&second);
}

/* On its copy engine Intel's driver of 2022, which has no copies of rows apart, takes the length of
 * a region's row for the distance between the layers of a line. */
static bool is_misplaced(const struct bench *bench, uint32_t ordinal, const struct shape *shape)
{
    return shape->type == ZE_IMAGE_TYPE_1DARRAY && !l0_computes(ordinal) && !bench->rows_apart;
}

static void copy_on_group(uint32_t ordinal)
{
    struct bench bench = {.queue = l0_queue(l0_context, ordinal),
                          .list = l0_list(l0_context, ordinal),
                          .memory = l0_allocate(l0_context, MEMORY_HOST, MOST_BYTES)};

    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++)
        for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++)
            if (!is_misplaced(&bench, ordinal, &shapes[s]))
                copy_shape(&bench, &shapes[s], f);
    printf("group %u: %zu kinds of images, %zu sizes of texels%s\n", ordinal,
           sizeof(shapes) / sizeof(shapes[0]), sizeof(formats) / sizeof(formats[0]),
           bench.rows_apart ? ", rows apart" : "");
    CHECK(zeCommandListDestroy(bench.list));
    CHECK(zeCommandQueueDestroy(bench.queue));
    l0_free(l0_context, MEMORY_HOST, bench.memory);
}

int main(void)
{
    l0_open();
    for (uint32_t group = 0; group < l0_groups(); group++)
        if (l0_group(group).flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY)
            copy_on_group(group);
    l0_close();
    return 0;
}
