/* An OpenCL program that copies random regions of images, larger than any tile: from and to host
 * memory and buffers, with rows and slices apart, between images of different kinds, filled and
 * mapped. The host does the same with its own arrays.
 *
 *     image-copies DEVICE_NAME_PART
 */
#include "pictures.h"

#include <stdalign.h>
#include <string.h>

enum { ROUNDS = 90, MOST_BYTES = 3 << 20, MOST_TEXEL_BYTES = 16 };

/* Rows of two bytes a texel are whole dwords: see map_image(). */
static const struct shape shapes[] = {
    {"1d", "", CL_MEM_OBJECT_IMAGE1D, {1000, 1, 1}},
    {"1d array", "", CL_MEM_OBJECT_IMAGE1D_ARRAY, {300, 7, 1}},
    {"2d", "", CL_MEM_OBJECT_IMAGE2D, {302, 203, 1}},
    {"2d array", "", CL_MEM_OBJECT_IMAGE2D_ARRAY, {134, 77, 5}},
    {"3d", "", CL_MEM_OBJECT_IMAGE3D, {66, 45, 21}},
};
enum { SHAPES = sizeof(shapes) / sizeof(*shapes) };

static const struct format formats[] = {
    {{CL_R, CL_UNSIGNED_INT8}, 1, 1},     {{CL_R, CL_UNSIGNED_INT16}, 1, 2},
    {{CL_RGBA, CL_UNSIGNED_INT8}, 4, 1},  {{CL_RG, CL_UNSIGNED_INT32}, 2, 4},
    {{CL_RGBA, CL_UNSIGNED_INT32}, 4, 4},
};
enum { FORMATS = sizeof(formats) / sizeof(*formats) };

/* An image, and what the host expects in it, texel after texel. */
struct picture {
    const struct shape *shape;
    size_t texel; /* bytes */
    cl_mem image;
    uint8_t *wanted;
};

struct region {
    size_t origin[DIMENSIONS], size[DIMENSIONS];
};

/* A region in memory: bytes from a row and a slice to the next. */
struct layout {
    size_t row, slice;
};

static alignas(16) uint8_t memory[MOST_BYTES];
static uint8_t expected[MOST_BYTES];

static size_t at_most(size_t limit)
{
    return random_bits() % (limit + 1);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* At some place of the picture, of at most this size. */
static struct region choose_region(const struct picture *picture, const size_t *limit)
{
    struct region region;

    for (unsigned i = 0; i < DIMENSIONS; i++) {
        region.size[i] = 1 + at_most(limit[i] - 1);
        region.origin[i] = at_most(picture->shape->size[i] - region.size[i]);
    }
    return region;
}

static struct region any_region(const struct picture *picture)
{
    return choose_region(picture, picture->shape->size);
}

static struct layout tight(const struct picture *picture, const struct region *region)
{
    size_t row = region->size[0] * picture->texel;

    return (struct layout){row, row * region->size[1]};
}

/* With gaps of whole texels. A 1-D image has one row, and an array of them slices for rows. */
static struct layout apart(const struct picture *picture, const struct region *region)
{
    size_t row = (region->size[0] + at_most(3)) * picture->texel;

    if (picture->shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        return (struct layout){row, row};
    return (struct layout){row, row * (region->size[1] + at_most(2))};
}

/* The slices of an array of lines take the place of rows. */
static size_t slice_pitch(const struct picture *picture, const struct layout *layout)
{
    switch (picture->shape->type) {
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    case CL_MEM_OBJECT_IMAGE3D:
        return layout->slice;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        return layout->row;
    default:
        return 0;
    }
}

static uint8_t *wanted_row(const struct picture *picture, const struct region *region, size_t y,
                           size_t z)
{
    const size_t *size = picture->shape->size, *origin = region->origin;

    return picture->wanted +
           (((z + origin[2]) * size[1] + y + origin[1]) * size[0] + origin[0]) * picture->texel;
}

enum direction { TO_PICTURE, FROM_PICTURE };

/* What a copy between memory and the picture does, by the host. */
static void copy_rows(const struct picture *picture, const struct region *region, uint8_t *at,
                      const struct layout *layout, enum direction direction)
{
    const size_t bytes = region->size[0] * picture->texel;

    for (size_t z = 0; z < region->size[2]; z++)
        for (size_t y = 0; y < region->size[1]; y++) {
            uint8_t *row = wanted_row(picture, region, y, z);
            uint8_t *there = at + z * layout->slice + y * layout->row;

            if (direction == TO_PICTURE)
                memcpy(row, there, bytes);
            else
                memcpy(there, row, bytes);
        }
}

static void make_noise(uint8_t *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(random_bits() >> 8);
}

static void expect_same(const char *what, const struct picture *picture, const uint8_t *found,
                        const uint8_t *wanted, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (found[i] != wanted[i]) {
            fprintf(stderr, "%s, %s, texels of %zu bytes: byte %zu of %zu is 0x%x, not 0x%x\n",
                    what, picture->shape->name, picture->texel, i, bytes, found[i], wanted[i]);
            exit(1);
        }
}

static size_t picture_bytes(const struct picture *picture)
{
    return texels(picture->shape) * picture->texel;
}

/* All of the picture is what the host expects. */
static void check(const char *what, const struct picture *picture)
{
    static const size_t origin[DIMENSIONS];

    CHECK(clEnqueueReadImage(queue, picture->image, CL_TRUE, origin, picture->shape->size, 0, 0,
                             memory, 0, NULL, NULL));
    expect_same(what, picture, memory, picture->wanted, picture_bytes(picture));
}

static void write_image(struct picture *picture)
{
    const struct region region = any_region(picture);
    const struct layout layout = apart(picture, &region);

    make_noise(memory, layout.slice * region.size[2]);
    CHECK(clEnqueueWriteImage(queue, picture->image, CL_TRUE, region.origin, region.size,
                              layout.row, slice_pitch(picture, &layout), memory, 0, NULL, NULL));
    copy_rows(picture, &region, memory, &layout, TO_PICTURE);
    check("write", picture);
}

/* Nothing else in memory changes. */
static void read_image(struct picture *picture)
{
    const struct region region = any_region(picture);
    const struct layout layout = apart(picture, &region);

    memset(memory, 0xa5, sizeof(memory));
    memset(expected, 0xa5, sizeof(expected));
    copy_rows(picture, &region, expected, &layout, FROM_PICTURE);
    CHECK(clEnqueueReadImage(queue, picture->image, CL_TRUE, region.origin, region.size, layout.row,
                             slice_pitch(picture, &layout), memory, 0, NULL, NULL));
    expect_same("read", picture, memory, expected, sizeof(memory));
}

static void from_buffer(struct picture *picture)
{
    const struct region region = any_region(picture);
    const struct layout layout = tight(picture, &region);
    const size_t bytes = layout.slice * region.size[2], offset = at_most(9) * picture->texel;
    cl_mem buffer = make_buffer(offset + bytes);

    make_noise(memory, offset + bytes);
    CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, offset + bytes, memory, 0, NULL, NULL));
    CHECK(clEnqueueCopyBufferToImage(queue, buffer, picture->image, offset, region.origin,
                                     region.size, 0, NULL, NULL));
    copy_rows(picture, &region, memory + offset, &layout, TO_PICTURE);
    check("copy from a buffer", picture);
    CHECK(clReleaseMemObject(buffer));
}

static void to_buffer(struct picture *picture)
{
    const struct region region = any_region(picture);
    const struct layout layout = tight(picture, &region);
    const size_t offset = at_most(9) * picture->texel;
    const size_t bytes = offset + layout.slice * region.size[2] + 64;
    cl_mem buffer = make_buffer(bytes);

    make_noise(expected, bytes);
    CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, expected, 0, NULL, NULL));
    CHECK(clEnqueueCopyImageToBuffer(queue, picture->image, buffer, region.origin, region.size,
                                     offset, 0, NULL, NULL));
    copy_rows(picture, &region, expected + offset, &layout, FROM_PICTURE);
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, memory, 0, NULL, NULL));
    expect_same("copy to a buffer", picture, memory, expected, bytes);
    CHECK(clReleaseMemObject(buffer));
}

static void fill(struct picture *picture)
{
    const struct region region = any_region(picture);
    const struct layout layout = tight(picture, &region);
    const size_t count = region.size[0] * region.size[1] * region.size[2];
    const cl_uint color[4] = {random_bits() % 256, random_bits() % 256, random_bits() % 256,
                              random_bits() % 256};
    const struct format *format = formats;
    uint8_t texel[MOST_TEXEL_BYTES];

    while (format->channels * format->bytes != picture->texel)
        format++;
    for (unsigned i = 0; i < format->channels; i++)
        memcpy(texel + (size_t)i * format->bytes, &color[i], format->bytes);
    for (size_t i = 0; i < count; i++)
        memcpy(expected + i * picture->texel, texel, picture->texel);
    CHECK(clEnqueueFillImage(queue, picture->image, color, region.origin, region.size, 0, NULL,
                             NULL));
    copy_rows(picture, &region, expected, &layout, TO_PICTURE);
    check("fill", picture);
}

/* Reads the region where the driver has mapped it, and writes it. The mapping begins at a whole
 * dword: to its copy engine, Intel's driver passes the bytes beyond one as a number of texels. */
static void map_image(struct picture *picture)
{
    struct region region = any_region(picture);
    const struct layout packed = tight(picture, &region);
    const size_t bytes = packed.slice * region.size[2];
    struct layout layout = {0};
    cl_int status;

    region.origin[0] -= region.origin[0] % 2;
    make_noise(memory, bytes);
    uint8_t *mapped =
        clEnqueueMapImage(queue, picture->image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, region.origin,
                          region.size, &layout.row, &layout.slice, 0, NULL, NULL, &status);
    CHECK(status);
    if (picture->shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        layout.row = layout.slice;
    copy_rows(picture, &region, expected, &packed, FROM_PICTURE);
    for (size_t z = 0; z < region.size[2]; z++)
        for (size_t y = 0; y < region.size[1]; y++) {
            uint8_t *row = mapped + z * layout.slice + y * layout.row;
            size_t at = z * packed.slice + y * packed.row;

            expect_same("map", picture, row, expected + at, packed.row);
            memcpy(row, memory + at, packed.row);
        }
    CHECK(clEnqueueUnmapMemObject(queue, picture->image, mapped, 0, NULL, NULL));
    copy_rows(picture, &region, memory, &packed, TO_PICTURE);
    check("unmap", picture);
}

/* Rows of a slice of 2-D images, of their arrays and of 3-D images are the same thing. */
static bool can_copy(const struct picture *from, const struct picture *to)
{
    const cl_mem_object_type line = CL_MEM_OBJECT_IMAGE1D, lines = CL_MEM_OBJECT_IMAGE1D_ARRAY;
    cl_mem_object_type a = from->shape->type, b = to->shape->type;

    return a == b || (a != line && a != lines && b != line && b != lines);
}

static void copy_image(struct picture *from, struct picture *to)
{
    size_t limit[DIMENSIONS];

    if (!can_copy(from, to))
        return;
    for (unsigned i = 0; i < DIMENSIONS; i++)
        limit[i] = smaller(from->shape->size[i], to->shape->size[i]);
    const struct region here = choose_region(from, limit);
    struct region there = choose_region(to, here.size);
    for (unsigned i = 0; i < DIMENSIONS; i++) {
        there.size[i] = here.size[i];
        there.origin[i] = at_most(to->shape->size[i] - here.size[i]);
    }
    if (from == to) /* which may not overlap */
        return;
    const struct layout layout = tight(from, &here);
    copy_rows(from, &here, expected, &layout, FROM_PICTURE);
    copy_rows(to, &there, expected, &layout, TO_PICTURE);
    CHECK(clEnqueueCopyImage(queue, from->image, to->image, here.origin, there.origin, here.size, 0,
                             NULL, NULL));
    check("copy of an image", to);
}

static struct picture make_picture(const struct shape *shape, const struct format *format)
{
    static const size_t origin[DIMENSIONS];
    struct picture picture = {.shape = shape, .texel = format->channels * format->bytes};

    EXPECT(picture_bytes(&picture) <= MOST_BYTES / 2);
    picture.wanted = malloc(picture_bytes(&picture));
    EXPECT(picture.wanted);
    picture.image = make_image(shape, &format->cl, NULL);
    make_noise(picture.wanted, picture_bytes(&picture));
    CHECK(clEnqueueWriteImage(queue, picture.image, CL_TRUE, origin, shape->size, 0, 0,
                              picture.wanted, 0, NULL, NULL));
    check("write of everything", &picture);
    return picture;
}

static void (*const operations[])(struct picture *) = {write_image, read_image, from_buffer,
                                                       to_buffer,   fill,       map_image};
enum { OPERATIONS = sizeof(operations) / sizeof(*operations) };

/* Two images of each kind, and everything that can be done with them, in random order. */
static void run_format(const struct format *format)
{
    struct picture pictures[2 * SHAPES];

    for (size_t i = 0; i < 2 * SHAPES; i++)
        pictures[i] = make_picture(&shapes[i / 2], format);
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct picture *picture = &pictures[at_most(2 * SHAPES - 1)];
        size_t operation = at_most(OPERATIONS);

        if (operation < OPERATIONS)
            operations[operation](picture);
        else
            copy_image(picture, &pictures[at_most(2 * SHAPES - 1)]);
    }
    for (size_t i = 0; i < 2 * SHAPES; i++) {
        check("in the end", &pictures[i]);
        CHECK(clReleaseMemObject(pictures[i].image));
        free(pictures[i].wanted);
    }
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    open_device(argv[1]);
    for (size_t i = 0; i < FORMATS; i++)
        run_format(&formats[i]);
    printf("image copies: %d kinds of images, %d sizes of texels, %d rounds each\n", SHAPES,
           FORMATS, ROUNDS);
    return 0;
}
