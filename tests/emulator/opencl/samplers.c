/* An OpenCL program with samplers of both filters and all addressing modes, passed to kernels and
 * written in them, on images of every kind that has one. What a kernel reads is compared with the
 * formulas of the OpenCL specification (OpenCL C, "Image Addressing and Filtering").
 *
 *     samplers DEVICE_NAME_PART
 *
 * Intel's samplers weigh texels by 8 bits: each weight may be off by half of a 256th, so a result
 * by that part of the difference between the texels.
 */
#include "pictures.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

enum { POINTS = 96, MOST_TEXELS = 13 * 9 * 5, MOST_TEXEL_BYTES = 16 };

#define WEIGHT_ERROR     (1.0 / 512)
#define COORDINATE_ERROR 1e-4 /* texels: of floats near the sizes below */

/* IMAGE is the image's type, AT the coordinates; INLINE the sampler that the kernel has itself. */
static const char kernels[] =
    "kernel void sample(read_only IMAGE from, sampler_t sampler, global float4 *points,\n"
    "                   global float4 *to) {\n"
    "    float4 at = points[get_global_id(0)];\n"
    "    to[get_global_id(0)] = read_imagef(from, sampler, AT);\n"
    "}\n"
    "#ifdef INLINE\n"
    "constant sampler_t own = INLINE;\n"
    "kernel void sample_own(read_only IMAGE from, global float4 *points, global float4 *to) {\n"
    "    float4 at = points[get_global_id(0)];\n"
    "    to[get_global_id(0)] = read_imagef(from, own, AT);\n"
    "}\n"
    "#endif\n";

static const struct shape shapes[] = {
    {"image1d_t", "at.x", CL_MEM_OBJECT_IMAGE1D, {13, 1, 1}},
    {"image1d_array_t", "at.xy", CL_MEM_OBJECT_IMAGE1D_ARRAY, {13, 5, 1}},
    {"image2d_t", "at.xy", CL_MEM_OBJECT_IMAGE2D, {13, 9, 1}},
    {"image2d_array_t", "at", CL_MEM_OBJECT_IMAGE2D_ARRAY, {13, 9, 3}},
    {"image3d_t", "at", CL_MEM_OBJECT_IMAGE3D, {13, 9, 5}},
};

static const struct format formats[] = {
    {{CL_RGBA, CL_UNORM_INT8}, 4, 1},  {{CL_BGRA, CL_UNORM_INT8}, 4, 1},
    {{CL_R, CL_UNORM_INT16}, 1, 2},    {{CL_RG, CL_SNORM_INT8}, 2, 1},
    {{CL_R, CL_HALF_FLOAT}, 1, 2},     {{CL_RGBA, CL_HALF_FLOAT}, 4, 2},
    {{CL_RG, CL_FLOAT}, 2, 4},         {{CL_RGBA, CL_FLOAT}, 4, 4},
    {{CL_sRGBA, CL_UNORM_INT8}, 4, 1}, {{CL_sBGRA, CL_UNORM_INT8}, 4, 1},
};

struct mode {
    const char *text; /* in OpenCL C */
    bool normalized;
    cl_addressing_mode addressing;
};

static const struct mode modes[] = {
    {"CLK_NORMALIZED_COORDS_TRUE|CLK_ADDRESS_CLAMP", true, CL_ADDRESS_CLAMP},
    {"CLK_NORMALIZED_COORDS_TRUE|CLK_ADDRESS_CLAMP_TO_EDGE", true, CL_ADDRESS_CLAMP_TO_EDGE},
    {"CLK_NORMALIZED_COORDS_TRUE|CLK_ADDRESS_REPEAT", true, CL_ADDRESS_REPEAT},
    {"CLK_NORMALIZED_COORDS_TRUE|CLK_ADDRESS_MIRRORED_REPEAT", true, CL_ADDRESS_MIRRORED_REPEAT},
    {"CLK_NORMALIZED_COORDS_FALSE|CLK_ADDRESS_CLAMP", false, CL_ADDRESS_CLAMP},
    {"CLK_NORMALIZED_COORDS_FALSE|CLK_ADDRESS_CLAMP_TO_EDGE", false, CL_ADDRESS_CLAMP_TO_EDGE},
};

/* An image, a sampler for it, and where it is sampled. */
struct test {
    const struct shape *shape;
    const struct format *format;
    const struct mode *mode;
    bool linear;
    /* To its copy engine, Intel's driver passes the bytes beyond a whole dword as a number of
     * texels. */
    alignas(16) uint8_t texels[MOST_TEXELS * MOST_TEXEL_BYTES];
    float points[POINTS][4];
};

/* The texels of one dimension, and the weight of the second one. */
struct pair {
    int texel[2];
    double weight;
};

/* Dimensions that are not layers of an array. */
static unsigned dimensions(const struct shape *shape)
{
    switch (shape->type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        return 1;
    case CL_MEM_OBJECT_IMAGE3D:
        return 3;
    default:
        return 2;
    }
}

/* The specification's u of its s. */
static double unfold(const struct mode *mode, double s, int size)
{
    if (mode->addressing == CL_ADDRESS_REPEAT)
        s -= floor(s);
    else if (mode->addressing == CL_ADDRESS_MIRRORED_REPEAT)
        s = fabs(s - 2 * rint(0.5 * s));
    return mode->normalized ? s * size : s;
}

static int address(const struct mode *mode, int texel, int size)
{
    switch (mode->addressing) {
    case CL_ADDRESS_CLAMP: /* -1 and `size` are the border */
        return texel < -1 ? -1 : texel > size ? size : texel;
    case CL_ADDRESS_REPEAT:
        return texel < 0 ? texel + size : texel > size - 1 ? texel - size : texel;
    default:
        return texel < 0 ? 0 : texel > size - 1 ? size - 1 : texel;
    }
}

static struct pair choose(const struct test *test, unsigned dimension, double s)
{
    const int size = (int)test->shape->size[dimension];

    if (dimension >= dimensions(test->shape)) { /* a layer, or none */
        int layer = (int)fmin(fmax(rint(s), 0), size - 1);
        return (struct pair){{layer, layer}, 0};
    }
    double u = unfold(test->mode, s, size) - (test->linear ? 0.5 : 0);
    int first = (int)floor(u);
    return (struct pair){
        {address(test->mode, first, size), address(test->mode, first + 1, size)},
        test->linear ? u - first : 0,
    };
}

static double read_texel(const struct test *test, const int *at, unsigned channel)
{
    const size_t *size = test->shape->size;
    size_t bytes = test->format->channels * test->format->bytes, index = 0;

    for (unsigned i = DIMENSIONS; i-- > 0;) {
        if (at[i] < 0 || at[i] >= (int)size[i]) /* the border, by the order of channels */
            return channel == 3 && test->format->channels < 4;
        index = index * size[i] + (size_t)at[i];
    }
    return texel_channel(test->format, test->texels + index * bytes, channel);
}

/* What a kernel must read of a channel, and how far off it may be. */
static double expect(const struct test *test, const struct pair *pairs, unsigned channel,
                     double *error)
{
    double sum = 0, least = INFINITY, most = -INFINITY;

    for (unsigned corner = 0; corner < 1u << DIMENSIONS; corner++) {
        int at[DIMENSIONS];
        double weight = 1;

        for (unsigned i = 0; i < DIMENSIONS; i++) {
            bool second = corner >> i & 1;

            at[i] = pairs[i].texel[second];
            weight *= second ? pairs[i].weight : 1 - pairs[i].weight;
        }
        double value = read_texel(test, at, channel);
        sum += weight * value;
        if (test->linear || corner == 0) {
            least = fmin(least, value);
            most = fmax(most, value);
        }
    }
    *error = dimensions(test->shape) * (WEIGHT_ERROR + COORDINATE_ERROR) * (most - least) +
             1e-6 * fmax(fabs(least), fabs(most));
    return sum;
}

/* Points within the image and beyond it, more than once where it repeats. The nearest texel is
 * asked for at a distance from its edges that no rounding bridges. */
static void make_points(struct test *test)
{
    for (unsigned i = 0; i < POINTS; i++)
        for (unsigned j = 0; j < DIMENSIONS; j++) {
            const double size = (double)test->shape->size[j];
            double range = test->mode->normalized ? 3.2 * size : size + 6;
            double at = range * (random_bits() % 65536 / 65536.0) - (range - size) / 2;

            if (j >= dimensions(test->shape))
                at = floor(at) + random_bits() % 8 / 8.0 + 1 / 16.0;
            else if (!test->linear)
                at = floor(at) + random_bits() % 15 / 16.0 + 1 / 16.0;
            if (j < dimensions(test->shape) && test->mode->normalized)
                at /= size;
            test->points[i][j] = (float)at;
        }
}

static cl_sampler make_sampler(const struct test *test)
{
    const cl_sampler_properties properties[] = {
        CL_SAMPLER_NORMALIZED_COORDS,
        test->mode->normalized,
        CL_SAMPLER_ADDRESSING_MODE,
        test->mode->addressing,
        CL_SAMPLER_FILTER_MODE,
        test->linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST,
        0,
    };
    cl_int status;
    cl_sampler sampler = clCreateSamplerWithProperties(context, properties, &status);

    CHECK(status);
    return sampler;
}

static void check(const struct test *test, const char *kernel, float (*found)[4])
{
    for (unsigned i = 0; i < POINTS; i++) {
        const float *at = test->points[i];
        const struct pair pairs[DIMENSIONS] = {choose(test, 0, at[0]), choose(test, 1, at[1]),
                                               choose(test, 2, at[2])};

        for (unsigned channel = 0; channel < 4; channel++) {
            double error, expected = expect(test, pairs, channel, &error);

            if (fabs(found[i][channel] - expected) <= error)
                continue;
            fprintf(stderr,
                    "%s %s, format %x %x, %s, %s, at (%g, %g, %g): channel %u is %g, not %g\n",
                    kernel, test->shape->name, test->format->cl.image_channel_order,
                    test->format->cl.image_channel_data_type, test->mode->text,
                    test->linear ? "linear" : "nearest", at[0], at[1], at[2], channel,
                    found[i][channel], expected);
            exit(1);
        }
    }
}

/* `sampler` is NULL for the kernel that has its own. */
static void sample(const struct test *test, cl_program program, cl_mem image, cl_sampler sampler)
{
    const char *name = sampler ? "sample" : "sample_own";
    cl_mem points = make_buffer(sizeof(test->points)), values = make_buffer(sizeof(test->points));
    const size_t count = POINTS;
    float found[POINTS][4];
    cl_uint argument = 0;
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    CHECK(status);
    CHECK(clEnqueueWriteBuffer(queue, points, CL_TRUE, 0, sizeof(test->points), test->points, 0,
                               NULL, NULL));
    CHECK(clSetKernelArg(kernel, argument++, sizeof(image), &image));
    if (sampler)
        CHECK(clSetKernelArg(kernel, argument++, sizeof(sampler), &sampler));
    CHECK(clSetKernelArg(kernel, argument++, sizeof(points), &points));
    CHECK(clSetKernelArg(kernel, argument, sizeof(values), &values));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, values, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL));
    check(test, name, found);
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseMemObject(points));
    CHECK(clReleaseMemObject(values));
}

static void run_sampler(struct test *test, cl_program program, cl_mem image)
{
    cl_sampler sampler = make_sampler(test);

    make_points(test);
    sample(test, program, image, sampler);
    CHECK(clReleaseSampler(sampler));
}

static cl_mem make_map(struct test *test)
{
    static const size_t origin[DIMENSIONS];
    cl_mem image = make_image(test->shape, &test->format->cl, NULL);

    make_texels(test->format, texels(test->shape), test->texels);
    CHECK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, test->shape->size, 0, 0, test->texels,
                              0, NULL, NULL));
    return image;
}

static cl_program build_for(const struct shape *shape, const char *own_sampler)
{
    char options[256];

    snprintf(options, sizeof(options), LANGUAGE " -DIMAGE=%s -DAT=%s%s%s", shape->name,
             shape->coordinates, own_sampler ? " -DINLINE=" : "", own_sampler ? own_sampler : "");
    return build(kernels, options);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void run_shape(struct test *test)
{
    cl_program program = build_for(test->shape, NULL);

    for (size_t i = 0; i < COUNT(formats); i++) {
        test->format = &formats[i];
        cl_mem image = make_map(test);
        for (size_t j = 0; j < 2 * COUNT(modes); j++) {
            test->mode = &modes[j / 2];
            test->linear = j % 2;
            run_sampler(test, program, image);
        }
        CHECK(clReleaseMemObject(image));
    }
    CHECK(clReleaseProgram(program));
}

/* Samplers that the compiler describes. */
static void run_own(struct test *test)
{
    char text[128];

    for (size_t i = 0; i < 2 * COUNT(modes); i++) {
        test->mode = &modes[i / 2];
        test->linear = i % 2;
        test->format = &formats[i % COUNT(formats)];
        snprintf(text, sizeof(text), "%s|%s", test->mode->text,
                 test->linear ? "CLK_FILTER_LINEAR" : "CLK_FILTER_NEAREST");
        cl_program program = build_for(test->shape, text);
        cl_mem image = make_map(test);
        make_points(test);
        sample(test, program, image, NULL);
        CHECK(clReleaseMemObject(image));
        CHECK(clReleaseProgram(program));
    }
}

int main(int argc, char **argv)
{
    static struct test test;

    EXPECT(argc == 2);
    open_device(argv[1]);
    for (size_t i = 0; i < COUNT(shapes); i++) {
        test.shape = &shapes[i];
        run_shape(&test);
        if (test.shape->type == CL_MEM_OBJECT_IMAGE2D || test.shape->type == CL_MEM_OBJECT_IMAGE3D)
            run_own(&test);
    }
    printf("samplers: %zu kinds of images, %zu formats, %zu modes\n", COUNT(shapes), COUNT(formats),
           COUNT(modes));
    return 0;
}
