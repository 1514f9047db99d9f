/* An OpenCL program with images: of every kind, several formats and sizes that fill no tile, which
 * are written and read by the host, copied from and to buffers, filled, and read and written by
 * kernels. What a kernel reads is compared with what the format says of the bytes.
 *
 *     images DEVICE_NAME_PART
 */
#include "pictures.h"

#include <math.h>
#include <string.h>

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

static const char increment_kernel[] =
    "kernel void increment(read_write image2d_t image) {\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(image, at, read_imageui(image, at) + 1);\n"
    "}\n";

static const struct shape shapes[] = {
    {"image1d_t", "(int)x", CL_MEM_OBJECT_IMAGE1D, {67, 1, 1}},
    {"image1d_buffer_t", "(int)x", CL_MEM_OBJECT_IMAGE1D_BUFFER, {67, 1, 1}},
    {"image1d_array_t", "(int2)(x,y)", CL_MEM_OBJECT_IMAGE1D_ARRAY, {67, 5, 1}},
    {"image2d_t", "(int2)(x,y)", CL_MEM_OBJECT_IMAGE2D, {67, 37, 1}},
    {"image2d_array_t", "(int4)(x,y,z,0)", CL_MEM_OBJECT_IMAGE2D_ARRAY, {35, 37, 3}},
    {"image3d_t", "(int4)(x,y,z,0)", CL_MEM_OBJECT_IMAGE3D, {19, 33, 5}},
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

static uint8_t written[MOST_BYTES], found[MOST_BYTES];
static uint32_t channels[MOST_BYTES];

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
    for (size_t i = 0; i < count * 4; i++) {
        const uint8_t *texel = written + i / 4 * format->channels * format->bytes;

        check_channel(format, channels[i], texel_channel(format, texel, i % 4));
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
    make_texels(format, texels(shape), written);
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

    make_texels(format, texels(shape), written);
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

static void fill_and_increment(void)
{
    static const struct format format = {{CL_RGBA, CL_UNSIGNED_INT8}, 4, 1};
    static const struct shape *shape = &shapes[3];
    static const size_t origin[3];
    const cl_uint color[4] = {1, 2, 3, 254};
    cl_program program = build(increment_kernel, LANGUAGE);
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
    EXPECT(argc == 2);
    open_device(argv[1]);
    for (unsigned i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
        run_shape(&shapes[i]);
    fill_and_increment();
    printf("images: %zu kinds of images, %zu formats\n", sizeof(shapes) / sizeof(*shapes),
           sizeof(formats) / sizeof(*formats));
    return 0;
}
