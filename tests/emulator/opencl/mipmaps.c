/* An OpenCL program with mipmaps: of every kind of image that has them, and sizes that are no
 * powers of two. Each level is written and read back by the host, and read by a kernel at levels
 * that are whole numbers, between them, below the first and beyond the last; the nearest one is
 * what the extension cl_khr_mipmap_image promises. Where kernels may write levels, one does.
 *
 *     mipmaps DEVICE_NAME_PART
 */
#include "pictures.h"

#include <string.h>

enum { LEVELS = 4, MOST_TEXELS = 67 * 37 * 11 };

/* IMAGE is the image's type, AT and TEXEL the coordinates of a texel: its centre, normalised, and
 * whole. */
static const char kernels[] =
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
    "constant sampler_t nearest =\n"
    "    CLK_NORMALIZED_COORDS_TRUE|CLK_ADDRESS_CLAMP_TO_EDGE|CLK_FILTER_NEAREST;\n"
    "kernel void read_level(read_only IMAGE from, float level, global uint4 *to) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    float u = (x + 0.5f) / get_global_size(0), v = (y + 0.5f) / get_global_size(1);\n"
    "    float w = (z + 0.5f) / get_global_size(2);\n"
    "    to[(z * get_global_size(1) + y) * get_global_size(0) + x] =\n"
    "        read_imageui(from, nearest, AT, level);\n"
    "}\n"
    "#ifdef cl_khr_mipmap_image_writes\n"
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
    "kernel void write_level(write_only IMAGE to, int level, uint first) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    uint i = (z * get_global_size(1) + y) * get_global_size(0) + x;\n"
    "    write_imageui(to, TEXEL, level, (uint4)(first + i, i, level, 7));\n"
    "}\n"
    "#endif\n";

struct kind {
    struct shape shape;
    const char *texel; /* as shape.coordinates, of whole numbers */
    unsigned halved;   /* dimensions that levels halve; those behind them are layers */
};

static const struct kind kinds[] = {
    {{"image1d_t", "u", CL_MEM_OBJECT_IMAGE1D, {67, 1, 1}}, "(int)x", 1},
    {{"image1d_array_t", "(float2)(u,y)", CL_MEM_OBJECT_IMAGE1D_ARRAY, {67, 5, 1}},
     "(int2)(x,y)",
     1},
    {{"image2d_t", "(float2)(u,v)", CL_MEM_OBJECT_IMAGE2D, {67, 37, 1}}, "(int2)(x,y)", 2},
    {{"image2d_array_t", "(float4)(u,v,z,0)", CL_MEM_OBJECT_IMAGE2D_ARRAY, {67, 37, 3}},
     "(int4)(x,y,z,0)",
     2},
    {{"image3d_t", "(float4)(u,v,w,0)", CL_MEM_OBJECT_IMAGE3D, {67, 37, 11}}, "(int4)(x,y,z,0)", 3},
};

static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT16};

static uint16_t texel_of_level[LEVELS][MOST_TEXELS][4];

static size_t count_texels(const struct kind *kind, unsigned level)
{
    size_t size[DIMENSIONS];

    level_size(&kind->shape, kind->halved, level, size);
    return size[0] * size[1] * size[2];
}

static void compare(const char *what, const struct kind *kind, unsigned level,
                    const uint16_t (*found)[4], const uint16_t (*expected)[4])
{
    for (size_t i = 0; i < count_texels(kind, level); i++)
        if (memcmp(found[i], expected[i], sizeof(found[i])) != 0) {
            fprintf(stderr, "%s: %s, level %u: texel %zu is %u, %u, not %u, %u\n", kind->shape.name,
                    what, level, i, found[i][0], found[i][1], expected[i][0], expected[i][1]);
            exit(1);
        }
}

static void read_back(const char *what, const struct kind *kind, cl_mem image, unsigned level,
                      const uint16_t (*expected)[4])
{
    static uint16_t found[MOST_TEXELS][4];
    size_t origin[DIMENSIONS + 1], size[DIMENSIONS];

    level_origin(&kind->shape, kind->halved, level, origin);
    level_size(&kind->shape, kind->halved, level, size);
    CHECK(clEnqueueReadImage(queue, image, CL_TRUE, origin, size, 0, 0, found, 0, NULL, NULL));
    compare(what, kind, level, (const uint16_t(*)[4])found, expected);
}

static void write_levels(const struct kind *kind, cl_mem image)
{
    size_t origin[DIMENSIONS + 1], size[DIMENSIONS];

    for (unsigned level = 0; level < LEVELS; level++) {
        for (size_t i = 0; i < count_texels(kind, level); i++)
            for (unsigned channel = 0; channel < 4; channel++)
                texel_of_level[level][i][channel] = (uint16_t)random_bits();
        level_origin(&kind->shape, kind->halved, level, origin);
        level_size(&kind->shape, kind->halved, level, size);
        CHECK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, size, 0, 0, texel_of_level[level],
                                  0, NULL, NULL));
    }
    for (unsigned level = 0; level < LEVELS; level++)
        read_back("host", kind, image, level, (const uint16_t(*)[4])texel_of_level[level]);
}

static void sample_level(const struct kind *kind, cl_kernel kernel, cl_mem buffer, float asked,
                         unsigned level)
{
    static uint32_t channels[MOST_TEXELS][4];
    static uint16_t found[MOST_TEXELS][4];
    size_t size[DIMENSIONS], count = count_texels(kind, level);

    level_size(&kind->shape, kind->halved, level, size);
    CHECK(clSetKernelArg(kernel, 1, sizeof(asked), &asked));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, DIMENSIONS, NULL, size, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(*channels), channels, 0,
                              NULL, NULL));
    for (size_t i = 0; i < count; i++)
        for (unsigned channel = 0; channel < 4; channel++)
            found[i][channel] = (uint16_t)channels[i][channel];
    compare("kernel", kind, level, (const uint16_t(*)[4])found,
            (const uint16_t(*)[4])texel_of_level[level]);
}

static void sample_levels(const struct kind *kind, cl_program program, cl_mem image)
{
    static const struct {
        float asked;
        unsigned level;
    } samples[] = {{0, 0},    {1, 1},    {2, 2},  {3, 3},         {0.4f, 0},
                   {0.6f, 1}, {1.7f, 2}, {-2, 0}, {9, LEVELS - 1}};
    cl_mem buffer = make_buffer(MOST_TEXELS * 4 * sizeof(uint32_t));
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, "read_level", &status);

    CHECK(status);
    CHECK(clSetKernelArg(kernel, 0, sizeof(image), &image));
    CHECK(clSetKernelArg(kernel, 2, sizeof(buffer), &buffer));
    for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
        sample_level(kind, kernel, buffer, samples[i].asked, samples[i].level);
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseMemObject(buffer));
}

static void store_level(const struct kind *kind, cl_kernel kernel, cl_mem image, unsigned level)
{
    static uint16_t expected[MOST_TEXELS][4];
    const cl_int number = (cl_int)level;
    const cl_uint first = 100 * level;
    size_t size[DIMENSIONS];

    level_size(&kind->shape, kind->halved, level, size);
    CHECK(clSetKernelArg(kernel, 0, sizeof(image), &image));
    CHECK(clSetKernelArg(kernel, 1, sizeof(number), &number));
    CHECK(clSetKernelArg(kernel, 2, sizeof(first), &first));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, DIMENSIONS, NULL, size, NULL, 0, NULL, NULL));
    for (size_t i = 0; i < count_texels(kind, level); i++) {
        const uint16_t texel[4] = {(uint16_t)(first + i), (uint16_t)i, (uint16_t)level, 7};
        memcpy(expected[i], texel, sizeof(texel));
    }
    read_back("written by a kernel", kind, image, level, (const uint16_t(*)[4])expected);
}

/* From the last level on: none may spill into one that was written before. */
static void store_levels(const struct kind *kind, cl_program program, cl_mem image)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, "write_level", &status);

    if (status == CL_INVALID_KERNEL_NAME)
        return;
    CHECK(status);
    for (unsigned level = LEVELS; level-- > 0;)
        store_level(kind, kernel, image, level);
    CHECK(clReleaseKernel(kernel));
}

static void run_kind(const struct kind *kind)
{
    char options[256];

    snprintf(options, sizeof(options), LANGUAGE " -DIMAGE=%s -DAT=%s -DTEXEL=%s", kind->shape.name,
             kind->shape.coordinates, kind->texel);
    cl_program program = build(kernels, options);
    cl_mem image = make_mipmaps(&kind->shape, &format, LEVELS);
    write_levels(kind, image);
    sample_levels(kind, program, image);
    store_levels(kind, program, image);
    CHECK(clReleaseMemObject(image));
    CHECK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    open_device(argv[1]);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        run_kind(&kinds[i]);
    printf("mipmaps: %zu kinds of images, %d levels\n", sizeof(kinds) / sizeof(*kinds), LEVELS);
    return 0;
}
