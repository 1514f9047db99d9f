#include "pictures.h"

#include <math.h>
#include <string.h>

cl_context context;
cl_device_id device;
cl_command_queue queue;

void open_device(const char *name_part)
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

cl_program build(const char *text, const char *options)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);

    CHECK(status);
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL));
    return program;
}

cl_mem make_buffer(size_t bytes)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);

    CHECK(status);
    return buffer;
}

static bool is_srgb(const cl_image_format *format)
{
    return format->image_channel_order == CL_sRGBA || format->image_channel_order == CL_sBGRA;
}

static cl_mem make(const struct shape *shape, const cl_image_format *format, cl_mem buffer,
                   unsigned levels)
{
    cl_image_desc desc = {.image_type = shape->type,
                          .image_width = shape->size[0],
                          .image_height = shape->size[1],
                          .image_depth = shape->size[2],
                          .num_mip_levels = levels};
    cl_int status;

    if (shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        desc.image_array_size = shape->size[1];
    if (shape->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        desc.image_array_size = shape->size[2];
    if (shape->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.buffer = buffer;
    const cl_mem_flags access = is_srgb(format) ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
    cl_mem image = clCreateImage(context, access, format, &desc, NULL, &status);
    CHECK(status);
    return image;
}

cl_mem make_image(const struct shape *shape, const cl_image_format *format, cl_mem buffer)
{
    return make(shape, format, buffer, 0);
}

cl_mem make_mipmaps(const struct shape *shape, const cl_image_format *format, unsigned levels)
{
    return make(shape, format, NULL, levels);
}

void level_size(const struct shape *shape, unsigned halved, unsigned level, size_t *size)
{
    for (unsigned i = 0; i < DIMENSIONS; i++) {
        size[i] = shape->size[i];
        if (i < halved)
            size[i] = size[i] >> level ? size[i] >> level : 1;
    }
}

void level_origin(const struct shape *shape, unsigned halved, unsigned level, size_t *origin)
{
    bool has_layers = halved < DIMENSIONS && shape->size[halved] > 1;

    memset(origin, 0, (DIMENSIONS + 1) * sizeof(*origin));
    origin[halved + (has_layers ? 1 : 0)] = level;
}

size_t texels(const struct shape *shape)
{
    return shape->size[0] * shape->size[1] * shape->size[2];
}

static uint32_t state = 1;

uint32_t random_bits(void)
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

void make_texels(const struct format *format, size_t count, uint8_t *to)
{
    for (size_t i = 0; i < count * format->channels; i++) {
        uint32_t bits = random_bits();
        uint8_t *at = to + i * format->bytes;

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

bool is_float(const struct format *format)
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

bool is_signed(const struct format *format)
{
    cl_channel_type type = format->cl.image_channel_data_type;

    return type == CL_SIGNED_INT8 || type == CL_SIGNED_INT16 || type == CL_SIGNED_INT32;
}

static double channel_value(const struct format *format, uint32_t bits)
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

/* The OpenCL C specification, "Conversion Rules for sRGBA and sBGRA Images". */
static double srgb_to_linear(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

double texel_channel(const struct format *format, const uint8_t *texel, unsigned channel)
{
    static const unsigned bgra[4] = {2, 1, 0, 3};
    uint32_t bits = 0;

    if (channel >= format->channels)
        return channel == 3;
    const bool curved = is_srgb(&format->cl) && channel != 3;
    if (format->cl.image_channel_order == CL_BGRA || format->cl.image_channel_order == CL_sBGRA)
        channel = bgra[channel];
    memcpy(&bits, texel + (size_t)channel * format->bytes, format->bytes);
    const double value = channel_value(format, bits);
    return curved ? srgb_to_linear(value) : value;
}
