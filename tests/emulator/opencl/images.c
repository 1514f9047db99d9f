/* An OpenCL program with images: of every kind, several formats and sizes that fill no tile, which
 * are written and read by the host, copied from and to buffers, filled, read and written by
 * kernels, and sampled at the nearest texel. What a kernel reads is compared with what the format
 * says of the bytes.
 *
 *     images DEVICE_NAME_PART [filter]
 *
 * With `filter`, only a sampler that filters, which the model lacks: the driver reports an error.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANGUAGE "-cl-std=CL3.0"

enum { MOST_BYTES = 16 * 70 * 40 * 5 };

/* IMAGE is the image's type, AT the coordinates. */
static const char image_kernels[] =
    "kernel void read_f(read_only IMAGE from, global float4 *to) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    to[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imagef(from, AT);\n"
    "}\n"
    "kernel void read_i(read_only IMAGE from, global int4 *to) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    to[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imagei(from, AT);\n"
    "}\n"
    "kernel void read_ui(read_only IMAGE from, global uint4 *to) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    to[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imageui(from, AT);\n"
    "}\n"
    "kernel void write_f(write_only IMAGE to, global float4 *from) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    write_imagef(to, AT, from[(z * get_global_size(1) + y) * get_global_size(0) + x]);\n"
    "}\n"
    "kernel void write_i(write_only IMAGE to, global int4 *from) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    write_imagei(to, AT, from[(z * get_global_size(1) + y) * get_global_size(0) + x]);\n"
    "}\n"
    "kernel void write_ui(write_only IMAGE to, global uint4 *from) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    write_imageui(to, AT, from[(z * get_global_size(1) + y) * get_global_size(0) + x]);\n"
    "}\n";

static const char sampler_kernels[] =
    "kernel void sample(read_only image2d_t from, sampler_t sampler, global float2 *at,\n"
    "                   global float4 *to) {\n"
    "    size_t i = get_global_id(0);\n"
    "    to[i] = read_imagef(from, sampler, at[i]);\n"
    "}\n"
    "kernel void increment(read_write image2d_t image) {\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(image, at, read_imageui(image, at) + 1);\n"
    "}\n";

struct shape {
    const char *name, *coordinates;
    cl_mem_object_type type;
    size_t size[3]; /* in texels; slices of an array come last */
};

static const struct shape shapes[] = {
    {"image1d_t", "(int)x", CL_MEM_OBJECT_IMAGE1D, {67, 1, 1}},
    {"image1d_buffer_t", "(int)x", CL_MEM_OBJECT_IMAGE1D_BUFFER, {67, 1, 1}},
    {"image1d_array_t", "(int2)(x,y)", CL_MEM_OBJECT_IMAGE1D_ARRAY, {67, 5, 1}},
    {"image2d_t", "(int2)(x,y)", CL_MEM_OBJECT_IMAGE2D, {67, 37, 1}},
    {"image2d_array_t", "(int4)(x,y,z,0)", CL_MEM_OBJECT_IMAGE2D_ARRAY, {35, 37, 3}},
    {"image3d_t", "(int4)(x,y,z,0)", CL_MEM_OBJECT_IMAGE3D, {19, 33, 5}},
};

struct format {
    cl_image_format cl;
    unsigned channels, bytes; /* in memory; of a channel */
};

static const struct format formats[] = {
    {{CL_RGBA, CL_UNORM_INT8}, 4, 1},    {{CL_RGBA, CL_FLOAT}, 4, 4},
    {{CL_RGBA, CL_SIGNED_INT16}, 4, 2},  {{CL_R, CL_UNSIGNED_INT8}, 1, 1},
    {{CL_RG, CL_UNSIGNED_INT32}, 2, 4},  {{CL_R, CL_SNORM_INT16}, 1, 2},
    {{CL_RG, CL_SNORM_INT8}, 2, 1},      {{CL_R, CL_HALF_FLOAT}, 1, 2},
    {{CL_RGBA, CL_UNSIGNED_INT8}, 4, 1}, {{CL_RG, CL_UNORM_INT16}, 2, 2},
    {{CL_BGRA, CL_UNORM_INT8}, 4, 1},    {{CL_R, CL_FLOAT}, 1, 4},
    {{CL_R, CL_SIGNED_INT32}, 1, 4},
};

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static uint8_t written[MOST_BYTES], found[MOST_BYTES];
static uint32_t channels[MOST_BYTES];

static void open_device(const char *name_part)
{
    cl_platform_id platform;
    char name[256];
    cl_int status;

    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL));
    EXPECT(strstr(name, name_part));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    CHECK(status);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    CHECK(status);
}

static cl_program build(const char *text, const char *options)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);

    CHECK(status);
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL));
    return program;
}

static cl_mem make_buffer(size_t bytes)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);

    CHECK(status);
    return buffer;
}

static cl_mem make_image(const struct shape *shape, const cl_image_format *format, cl_mem buffer)
{
    cl_image_desc desc = {.image_type = shape->type,
                          .image_width = shape->size[0],
                          .image_height = shape->size[1],
                          .image_depth = shape->size[2]};
    cl_int status;

    if (shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        desc.image_array_size = shape->size[1];
    if (shape->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        desc.image_array_size = shape->size[2];
    if (shape->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.buffer = buffer;
    cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, format, &desc, NULL, &status);
    CHECK(status);
    return image;
}

static size_t texels(const struct shape *shape)
{
    return shape->size[0] * shape->size[1] * shape->size[2];
}

static uint32_t state = 1;

static uint32_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static bool is_snorm(const struct format *format)
{
    cl_channel_type type = format->cl.image_channel_data_type;

    return type == CL_SNORM_INT8 || type == CL_SNORM_INT16;
}

/* Numbers that are finite in formats of floats, and none that stands for the same as another. */
static void make_texels(const struct format *format, size_t count)
{
    for (size_t i = 0; i < count * format->channels; i++) {
        uint32_t bits = random_bits();
        uint8_t *at = written + i * format->bytes;

        if (format->cl.image_channel_data_type == CL_FLOAT) {
            float value = (float)(int32_t)bits / 65536;
            memcpy(&bits, &value, sizeof(bits));
        } else if (format->cl.image_channel_data_type == CL_HALF_FLOAT) {
            bits = 0x3c00 | (bits & 0x83ff);
        } else if (is_snorm(format)) { /* the least two are both -1 */
            bits |= 1;
        }
        memcpy(at, &bits, format->bytes);
    }
}

static bool is_float(const struct format *format)
{
    switch (format->cl.image_channel_data_type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32:
        return false;
    default:
        return true;
    }
}

static bool is_signed(const struct format *format)
{
    cl_channel_type type = format->cl.image_channel_data_type;

    return type == CL_SIGNED_INT8 || type == CL_SIGNED_INT16 || type == CL_SIGNED_INT32;
}

/* What a kernel reads of a channel's bits. */
static double expected_value(const struct format *format, uint32_t bits)
{
    unsigned count = format->bytes * 8;
    int32_t value = (int32_t)(bits << (32 - count)) >> (32 - count);
    float single;

    switch (format->cl.image_channel_data_type) {
    case CL_UNORM_INT8:
    case CL_UNORM_INT16:
        return bits / (double)((1u << count) - 1);
    case CL_SNORM_INT8:
    case CL_SNORM_INT16:
        return fmax(value / (double)((1u << (count - 1)) - 1), -1);
    case CL_HALF_FLOAT: /* of exponent 0, see above */
        return (bits >> 15 ? -1 : 1) * (1 + (bits & 0x3ff) / 1024.0);
    case CL_FLOAT:
        memcpy(&single, &bits, sizeof(single));
        return single;
    default:
        return is_signed(format) ? (double)value : (double)bits;
    }
}

static void check_channel(const struct format *format, uint32_t got, double expected)
{
    float single;
    double value = is_signed(format) ? (double)(int32_t)got : (double)got;

    if (is_float(format)) {
        memcpy(&single, &got, sizeof(single));
        value = single;
    }
    if (fabs(value - expected) > 1e-6 * fabs(expected)) {
        fprintf(stderr, "format %x %x: read %g, not %g\n", format->cl.image_channel_order,
                format->cl.image_channel_data_type, value, expected);
        exit(1);
    }
}

static void check_channels(const struct format *format, size_t count)
{
    static const unsigned bgra[4] = {2, 1, 0, 3};

    for (size_t i = 0; i < count * 4; i++) {
        unsigned channel = i % 4;
        double expected = channel == 3; /* where the format has no such channel */
        uint32_t bits = 0;

        if (channel < format->channels) {
            if (format->cl.image_channel_order == CL_BGRA)
                channel = bgra[channel];
            memcpy(&bits, written + (i / 4 * format->channels + channel) * format->bytes,
                   format->bytes);
            expected = expected_value(format, bits);
        }
        check_channel(format, channels[i], expected);
    }
}

static void run(cl_program program, const char *name, cl_mem image, cl_mem buffer,
                const size_t *size)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    CHECK(status);
    CHECK(clSetKernelArg(kernel, 0, sizeof(image), &image));
    if (buffer)
        CHECK(clSetKernelArg(kernel, 1, sizeof(buffer), &buffer));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, size, NULL, 0, NULL, NULL));
    CHECK(clFinish(queue));
    CHECK(clReleaseKernel(kernel));
}

static void compare(const char *what, const struct shape *shape, const struct format *format,
                    size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (written[i] != found[i]) {
            fprintf(stderr, "%s, %s, format %x %x: byte %zu of %zu is 0x%x, not 0x%x\n", what,
                    shape->name, format->cl.image_channel_order, format->cl.image_channel_data_type,
                    i, bytes, found[i], written[i]);
            exit(1);
        }
}

static void read_back(const char *what, const struct shape *shape, const struct format *format,
                      cl_mem image)
{
    static const size_t origin[3];
    size_t bytes = texels(shape) * format->channels * format->bytes;

    memset(found, 0xa5, bytes);
    CHECK(
        clEnqueueReadImage(queue, image, CL_TRUE, origin, shape->size, 0, 0, found, 0, NULL, NULL));
    compare(what, shape, format, bytes);
}

/* From the host to an image, from it by a kernel to a buffer, and from there to another image. */
static void run_kernels(const struct shape *shape, const struct format *format, cl_program program,
                        cl_mem first, cl_mem second)
{
    size_t count = texels(shape);
    cl_mem buffer = make_buffer(count * 16);
    const char *letter = is_float(format) ? "f" : is_signed(format) ? "i" : "ui";
    char name[16];

    snprintf(name, sizeof(name), "read_%s", letter);
    run(program, name, first, buffer, shape->size);
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * 16, channels, 0, NULL, NULL));
    check_channels(format, count);
    snprintf(name, sizeof(name), "write_%s", letter);
    run(program, name, second, buffer, shape->size);
    read_back("kernel", shape, format, second);
    CHECK(clReleaseMemObject(buffer));
}

static void copy(const struct shape *shape, const struct format *format, cl_mem first,
                 cl_mem second)
{
    static const size_t origin[3];
    size_t bytes = texels(shape) * format->channels * format->bytes;
    cl_mem buffer = make_buffer(bytes);

    CHECK(clEnqueueCopyImageToBuffer(queue, first, buffer, origin, shape->size, 0, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, found, 0, NULL, NULL));
    compare("copy to a buffer", shape, format, bytes);
    make_texels(format, texels(shape));
    CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, written, 0, NULL, NULL));
    CHECK(clEnqueueCopyBufferToImage(queue, buffer, second, 0, origin, shape->size, 0, NULL, NULL));
    read_back("copy from a buffer", shape, format, second);
    CHECK(clEnqueueCopyImage(queue, second, first, origin, origin, shape->size, 0, NULL, NULL));
    read_back("copy of an image", shape, format, first);
    CHECK(clReleaseMemObject(buffer));
}

static void run_format(const struct shape *shape, const struct format *format, cl_program program)
{
    static const size_t origin[3];
    size_t bytes = texels(shape) * format->channels * format->bytes;
    cl_mem buffers[2] = {make_buffer(bytes), make_buffer(bytes)};
    cl_mem first = make_image(shape, &format->cl, buffers[0]),
           second = make_image(shape, &format->cl, buffers[1]);

    make_texels(format, texels(shape));
    CHECK(clEnqueueWriteImage(queue, first, CL_TRUE, origin, shape->size, 0, 0, written, 0, NULL,
                              NULL));
    read_back("host", shape, format, first);
    run_kernels(shape, format, program, first, second);
    copy(shape, format, first, second);
    CHECK(clReleaseMemObject(first));
    CHECK(clReleaseMemObject(second));
    for (unsigned i = 0; i < 2; i++)
        CHECK(clReleaseMemObject(buffers[i]));
}

static void run_shape(const struct shape *shape)
{
    char options[128];

    snprintf(options, sizeof(options), LANGUAGE " -DIMAGE=%s -DAT=%s", shape->name,
             shape->coordinates);
    cl_program program = build(image_kernels, options);
    for (unsigned i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        run_format(shape, &formats[i], program);
    CHECK(clReleaseProgram(program));
}

static cl_sampler make_sampler(cl_bool normalized, cl_addressing_mode mode, cl_filter_mode filter)
{
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                                normalized,
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                mode,
                                                CL_SAMPLER_FILTER_MODE,
                                                filter,
                                                0};
    cl_int status;
    cl_sampler sampler = clCreateSamplerWithProperties(context, properties, &status);

    CHECK(status);
    return sampler;
}

enum { SIDE = 8, POINTS = 16 };

/* The texel that a sampler chooses in one dimension; -1: the border. */
static int chosen(cl_bool normalized, cl_addressing_mode mode, float at)
{
    int texel = (int)floorf(normalized ? at * SIDE : at);

    switch (mode) {
    case CL_ADDRESS_CLAMP:
        return texel < 0 || texel >= SIDE ? -1 : texel;
    case CL_ADDRESS_REPEAT:
        return (texel % SIDE + SIDE) % SIDE;
    case CL_ADDRESS_MIRRORED_REPEAT:
        texel = (texel % (2 * SIDE) + 2 * SIDE) % (2 * SIDE);
        return texel < SIDE ? texel : 2 * SIDE - 1 - texel;
    default:
        return texel < 0 ? 0 : texel >= SIDE ? SIDE - 1 : texel;
    }
}

static cl_int run_sampler(cl_program program, cl_mem image, cl_sampler sampler, const float *at,
                          float *to)
{
    cl_mem points = make_buffer(POINTS * 8), values = make_buffer(POINTS * 16);
    const size_t count = POINTS;
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, "sample", &status);

    CHECK(status);
    CHECK(clEnqueueWriteBuffer(queue, points, CL_TRUE, 0, POINTS * 8, at, 0, NULL, NULL));
    CHECK(clSetKernelArg(kernel, 0, sizeof(image), &image));
    CHECK(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
    CHECK(clSetKernelArg(kernel, 2, sizeof(points), &points));
    CHECK(clSetKernelArg(kernel, 3, sizeof(values), &values));
    status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clFinish(queue);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(queue, values, CL_TRUE, 0, POINTS * 16, to, 0, NULL, NULL);
    if (status != CL_SUCCESS) /* driver 22.43 waits for what was lost as it releases a buffer */
        return status;
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseMemObject(points));
    CHECK(clReleaseMemObject(values));
    return status;
}

/* An image whose texels say where they are. */
static cl_mem make_map(void)
{
    static const cl_image_format format = {CL_RG, CL_FLOAT};
    static const size_t origin[3], size[3] = {SIDE, SIDE, 1};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    float map[SIDE * SIDE][2];
    cl_int status;
    cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, NULL, &status);

    CHECK(status);
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        map[i][0] = (float)(i % SIDE) + 1;
        map[i][1] = (float)(i / SIDE) + 1;
    }
    CHECK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, size, 0, 0, map, 0, NULL, NULL));
    return image;
}

static void make_points(cl_bool normalized, float *at)
{
    for (unsigned i = 0; i < POINTS; i++) {
        at[2 * i] = (float)i - 3.25f;
        at[2 * i + 1] = (float)(i * 5 % POINTS) - 2.75f;
        for (unsigned j = 0; normalized && j < 2; j++)
            at[2 * i + j] /= SIDE;
    }
}

static void check_sampler(cl_program program, cl_mem image, cl_bool normalized,
                          cl_addressing_mode mode)
{
    cl_sampler sampler = make_sampler(normalized, mode, CL_FILTER_NEAREST);
    float at[2 * POINTS], to[4 * POINTS];

    make_points(normalized, at);
    CHECK(run_sampler(program, image, sampler, at, to));
    for (unsigned i = 0; i < POINTS; i++) {
        int x = chosen(normalized, mode, at[2 * i]), y = chosen(normalized, mode, at[2 * i + 1]);
        bool border = x < 0 || y < 0;
        float expected[4] = {border ? 0 : (float)x + 1, border ? 0 : (float)y + 1, 0, 1};

        for (unsigned j = 0; j < 4; j++)
            if (to[4 * i + j] != expected[j]) {
                fprintf(stderr, "mode 0x%x at (%g, %g): channel %u is %g, not %g\n", mode,
                        at[2 * i], at[2 * i + 1], j, to[4 * i + j], expected[j]);
                exit(1);
            }
    }
    CHECK(clReleaseSampler(sampler));
}

static void sample_nearest(void)
{
    cl_program program = build(sampler_kernels, LANGUAGE);
    cl_mem image = make_map();

    check_sampler(program, image, CL_TRUE, CL_ADDRESS_REPEAT);
    check_sampler(program, image, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT);
    check_sampler(program, image, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE);
    check_sampler(program, image, CL_TRUE, CL_ADDRESS_CLAMP);
    check_sampler(program, image, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE);
    check_sampler(program, image, CL_FALSE, CL_ADDRESS_CLAMP);
    CHECK(clReleaseMemObject(image));
    CHECK(clReleaseProgram(program));
}

/* A filter stops the kernel, not the program. */
static void sample_linear(void)
{
    cl_program program = build(sampler_kernels, LANGUAGE);
    cl_sampler sampler = make_sampler(CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
    float at[2 * POINTS], to[4 * POINTS];

    make_points(CL_FALSE, at);
    EXPECT(run_sampler(program, make_map(), sampler, at, to) != CL_SUCCESS);
    printf("the driver reported an error\n");
}

static void fill_and_increment(void)
{
    static const struct format format = {{CL_RGBA, CL_UNSIGNED_INT8}, 4, 1};
    static const struct shape *shape = &shapes[3];
    static const size_t origin[3];
    const cl_uint color[4] = {1, 2, 3, 254};
    cl_program program = build(sampler_kernels, LANGUAGE);
    cl_mem image = make_image(shape, &format.cl, NULL);

    CHECK(clEnqueueFillImage(queue, image, color, origin, shape->size, 0, NULL, NULL));
    run(program, "increment", image, NULL, shape->size);
    for (size_t i = 0; i < texels(shape) * 4; i++)
        written[i] = (uint8_t)(color[i % 4] + 1);
    read_back("fill and increment", shape, &format, image);
    CHECK(clReleaseMemObject(image));
    CHECK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2 || argc == 3);
    open_device(argv[1]);
    if (argc == 3) {
        sample_linear();
        return 0;
    }
    for (unsigned i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
        run_shape(&shapes[i]);
    fill_and_increment();
    sample_nearest();
    printf("images: %zu kinds of images, %zu formats\n", sizeof(shapes) / sizeof(*shapes),
           sizeof(formats) / sizeof(*formats));
    return 0;
}
