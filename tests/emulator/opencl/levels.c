/* An OpenCL program whose samplers filter between levels of mipmaps, with each filter within a
 * level, on images of every kind that has levels. What a kernel reads is compared with the formula
 * of cl_khr_mipmap_image: (1 - frac(lod)) times what the level floor(lod) has there, and frac(lod)
 * times what the next one has, each by the formulas of the OpenCL specification. And a linear
 * filter on texels of integers, whose result the specification leaves open: no kernel stops, and no
 * channel is beyond those of the texels that a filter would weigh.
 *
 *     levels DEVICE_NAME_PART
 *
 * Intel's samplers have 8 bits for each weight, that of levels as well: each may be off by half of
 * a 256th, so a result by that part of the difference between the texels.
 */
#include "pictures.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 4, POINTS = 128, MOST_TEXELS = 37 * 21 * 11 };

#define WEIGHT_ERROR     (1.0 / 512)
#define COORDINATE_ERROR 1e-4 /* texels: of floats near the sizes below */

/* IMAGE is the image's type, AT the coordinates; the level comes last. */
static const char kernels[] =
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
    "kernel void blend(read_only IMAGE from, sampler_t sampler, global float4 *points,\n"
    "                  global float4 *to) {\n"
    "    float4 at = points[get_global_id(0)];\n"
    "    to[get_global_id(0)] = read_imagef(from, sampler, AT, at.w);\n"
    "}\n"
    "kernel void integers(read_only image2d_t from, sampler_t sampler, global float4 *points,\n"
    "                     global uint4 *to) {\n"
    "    float4 at = points[get_global_id(0)];\n"
    "    to[get_global_id(0)] = read_imageui(from, sampler, at.xy);\n"
    "}\n";

struct kind {
    struct shape shape;
    unsigned halved; /* dimensions that levels halve and filters weigh; those behind are layers */
};

static const struct kind kinds[] = {
    {{"image1d_t", "at.x", CL_MEM_OBJECT_IMAGE1D, {37, 1, 1}}, 1},
    {{"image1d_array_t", "at.xy", CL_MEM_OBJECT_IMAGE1D_ARRAY, {37, 5, 1}}, 1},
    {{"image2d_t", "at.xy", CL_MEM_OBJECT_IMAGE2D, {37, 21, 1}}, 2},
    {{"image2d_array_t", "(float4)(at.xyz,0)", CL_MEM_OBJECT_IMAGE2D_ARRAY, {37, 21, 3}}, 2},
    {{"image3d_t", "(float4)(at.xyz,0)", CL_MEM_OBJECT_IMAGE3D, {37, 21, 11}}, 3},
};

static const cl_image_format format = {CL_RGBA, CL_FLOAT};

/* Mipmaps, a sampler for them, and where it is sampled: coordinates, and the level. */
struct test {
    const struct kind *kind;
    cl_addressing_mode addressing;
    bool linear; /* within a level */
    float texels[LEVELS][MOST_TEXELS][4];
    float points[POINTS][4];
};

static size_t size_of(const struct kind *kind, unsigned level, unsigned dimension)
{
    size_t size[DIMENSIONS];

    level_size(&kind->shape, kind->halved, level, size);
    return size[dimension];
}

static void write_levels(struct test *test, cl_mem image)
{
    const struct kind *kind = test->kind;

    for (unsigned level = 0; level < LEVELS; level++) {
        size_t origin[DIMENSIONS + 1], size[DIMENSIONS];

        level_size(&kind->shape, kind->halved, level, size);
        level_origin(&kind->shape, kind->halved, level, origin);
        for (size_t i = 0; i < size[0] * size[1] * size[2]; i++)
            for (unsigned channel = 0; channel < 4; channel++)
                test->texels[level][i][channel] =
                    (float)(random_bits() % 4096) / 512 - 4 + (float)(level * 16);
        CHECK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, size, 0, 0, test->texels[level], 0,
                                  NULL, NULL));
    }
}

/* Within the image and beyond it; levels from below the first to beyond the last. The nearest texel
 * is asked for at a distance from its edges, on each level, that no rounding bridges. */
static bool is_far_from_edges(const struct kind *kind, unsigned dimension, double at)
{
    for (unsigned level = 0; level < LEVELS; level++) {
        double texel = at * (double)size_of(kind, level, dimension);

        if (fabs(texel - rint(texel)) < 0.01)
            return false;
    }
    return true;
}

static void make_points(struct test *test)
{
    const struct kind *kind = test->kind;

    for (unsigned i = 0; i < POINTS; i++) {
        for (unsigned j = 0; j < DIMENSIONS; j++) {
            double at;

            do
                at = random_bits() % 65536 / 65536.0 * 2.4 - 0.7;
            while (j < kind->halved && !is_far_from_edges(kind, j, at));
            test->points[i][j] =
                j < kind->halved ? (float)at : (float)(random_bits() % kind->shape.size[j]);
        }
        test->points[i][3] = (float)(random_bits() % 5120) / 1024 - 0.7f;
    }
}

static int address(const struct test *test, int texel, int size)
{
    if (test->addressing == CL_ADDRESS_REPEAT)
        return texel < 0 ? texel + size : texel > size - 1 ? texel - size : texel;
    return texel < 0 ? 0 : texel > size - 1 ? size - 1 : texel;
}

/* What a level has there, and the least and the most that is weighed for it. */
static double read_level(const struct test *test, unsigned level, const float *at, unsigned channel,
                         double *least, double *most)
{
    int texel[DIMENSIONS][2], sizes[DIMENSIONS];
    double weight[DIMENSIONS], sum = 0;

    for (unsigned i = 0; i < DIMENSIONS; i++) {
        int size = sizes[i] = (int)size_of(test->kind, level, i);

        if (i >= test->kind->halved) { /* a layer, or none */
            texel[i][0] = texel[i][1] = (int)fmin(fmax(rint((double)at[i]), 0), size - 1);
            weight[i] = 0;
            continue;
        }
        double s = (double)at[i];
        double u = (test->addressing == CL_ADDRESS_REPEAT ? s - floor(s) : s) * size;
        u -= test->linear ? 0.5 : 0;
        int first = (int)floor(u);
        texel[i][0] = address(test, first, size);
        texel[i][1] = address(test, first + 1, size);
        weight[i] = test->linear ? u - first : 0;
    }
    for (unsigned corner = 0; corner < 1u << DIMENSIONS; corner++) {
        double part = 1;
        size_t index = 0;

        for (unsigned i = DIMENSIONS; i-- > 0;) {
            part *= corner >> i & 1 ? weight[i] : 1 - weight[i];
            index = index * (size_t)sizes[i] + (size_t)texel[i][corner >> i & 1];
        }
        double value = (double)test->texels[level][index][channel];
        sum += part * value;
        if (test->linear || corner == 0) {
            *least = fmin(*least, value);
            *most = fmax(*most, value);
        }
    }
    return sum;
}

static void check(const struct test *test, float (*found)[4])
{
    for (unsigned i = 0; i < POINTS; i++) {
        const float *at = test->points[i];
        const double lod = fmin(fmax((double)at[3], 0), LEVELS - 1);
        const unsigned first = (unsigned)floor(lod);
        const unsigned second = first + 1 < LEVELS ? first + 1 : first;
        const double part = lod - first;

        for (unsigned channel = 0; channel < 4; channel++) {
            double least = INFINITY, most = -INFINITY;
            double expected = (1 - part) * read_level(test, first, at, channel, &least, &most) +
                              part * read_level(test, second, at, channel, &least, &most);
            double error = ((test->linear ? test->kind->halved : 0) + 1) *
                               (WEIGHT_ERROR + COORDINATE_ERROR) * (most - least) +
                           1e-5 * fmax(fabs(least), fabs(most));

            if (fabs((double)found[i][channel] - expected) <= error)
                continue;
            fprintf(stderr,
                    "%s, %s, addressing %x, at (%g, %g, %g), level %g: channel %u is %g, not %g\n",
                    test->kind->shape.name, test->linear ? "linear" : "nearest", test->addressing,
                    (double)at[0], (double)at[1], (double)at[2], (double)at[3], channel,
                    (double)found[i][channel], expected);
            exit(1);
        }
    }
}

static cl_sampler make_sampler(cl_addressing_mode addressing, cl_filter_mode filter,
                               cl_filter_mode between)
{
    const cl_sampler_properties properties[] = {
        CL_SAMPLER_NORMALIZED_COORDS,
        CL_TRUE,
        CL_SAMPLER_ADDRESSING_MODE,
        addressing,
        CL_SAMPLER_FILTER_MODE,
        filter,
        CL_SAMPLER_MIP_FILTER_MODE,
        between,
        0,
    };
    cl_int status;
    cl_sampler sampler = clCreateSamplerWithProperties(context, properties, &status);

    CHECK(status);
    return sampler;
}

/* Runs a kernel at points, which reads vectors of four dwords. */
static void sample(cl_program program, const char *name, cl_mem image, cl_sampler sampler,
                   float (*at)[4], void *found)
{
    const size_t count = POINTS, bytes = POINTS * 4 * sizeof(float);
    cl_mem points = make_buffer(bytes), values = make_buffer(bytes);
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    CHECK(status);
    CHECK(clEnqueueWriteBuffer(queue, points, CL_TRUE, 0, bytes, at, 0, NULL, NULL));
    CHECK(clSetKernelArg(kernel, 0, sizeof(image), &image));
    CHECK(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
    CHECK(clSetKernelArg(kernel, 2, sizeof(points), &points));
    CHECK(clSetKernelArg(kernel, 3, sizeof(values), &values));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, values, CL_TRUE, 0, bytes, found, 0, NULL, NULL));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseMemObject(points));
    CHECK(clReleaseMemObject(values));
}

static cl_program build_for(const struct shape *shape)
{
    char options[256];

    snprintf(options, sizeof(options), LANGUAGE " -DIMAGE=%s -DAT=%s", shape->name,
             shape->coordinates);
    return build(kernels, options);
}

static void run_kind(struct test *test)
{
    static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_REPEAT};
    cl_program program = build_for(&test->kind->shape);
    cl_mem image = make_mipmaps(&test->kind->shape, &format, LEVELS);
    float found[POINTS][4];

    write_levels(test, image);
    for (unsigned i = 0; i < 4; i++) {
        test->addressing = modes[i / 2];
        test->linear = i % 2;
        cl_sampler sampler =
            make_sampler(test->addressing, test->linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST,
                         CL_FILTER_LINEAR);
        make_points(test);
        sample(program, "blend", image, sampler, test->points, found);
        check(test, found);
        CHECK(clReleaseSampler(sampler));
    }
    CHECK(clReleaseMemObject(image));
    CHECK(clReleaseProgram(program));
}

/* Texels that rise from column to column and from row to row. */
static void filter_integers(struct test *test)
{
    enum { WIDTH = 16, HEIGHT = 8 };
    static const struct shape shape = {
        "image2d_t", "at.xy", CL_MEM_OBJECT_IMAGE2D, {WIDTH, HEIGHT, 1}};
    static const cl_image_format integers = {CL_RGBA, CL_UNSIGNED_INT8};
    static const size_t origin[DIMENSIONS];
    uint8_t texels[HEIGHT][WIDTH][4];
    uint32_t found[POINTS][4];
    cl_program program = build_for(&shape);
    cl_mem image = make_image(&shape, &integers, NULL);
    cl_sampler sampler =
        make_sampler(CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, CL_FILTER_NEAREST);

    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            for (unsigned channel = 0; channel < 4; channel++)
                texels[y][x][channel] = (uint8_t)(WIDTH * y + x + channel);
    CHECK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, shape.size, 0, 0, texels, 0, NULL,
                              NULL));
    for (unsigned i = 0; i < POINTS; i++)
        for (unsigned j = 0; j < 4; j++)
            test->points[i][j] = (float)(random_bits() % 4096) / 4096;
    sample(program, "integers", image, sampler, test->points, found);
    for (unsigned i = 0; i < POINTS; i++) {
        const double x = (double)test->points[i][0] * WIDTH - 0.5;
        const double y = (double)test->points[i][1] * HEIGHT - 0.5;
        const double least = WIDTH * fmax(floor(y), 0) + fmax(floor(x), 0);
        const double most = WIDTH * fmin(floor(y) + 1, HEIGHT - 1) + fmin(floor(x) + 1, WIDTH - 1);

        for (unsigned channel = 0; channel < 4; channel++)
            EXPECT(found[i][channel] >= least + channel && found[i][channel] <= most + channel);
    }
    CHECK(clReleaseSampler(sampler));
    CHECK(clReleaseMemObject(image));
    CHECK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    static struct test test;

    EXPECT(argc == 2);
    open_device(argv[1]);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        test.kind = &kinds[i];
        run_kind(&test);
    }
    filter_integers(&test);
    printf("levels: %zu kinds of images\n", sizeof(kinds) / sizeof(*kinds));
    return 0;
}
