/* What OpenCL programs with images share: a device, images of every kind, and texels whose values
 * the host knows by what the format says of their bytes. An OpenCL error ends the program. */
#ifndef TESTS_OPENCL_PICTURES_H
#define TESTS_OPENCL_PICTURES_H

#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANGUAGE "-cl-std=CL3.0"

enum { DIMENSIONS = 3 };

struct shape {
    const char *name, *coordinates; /* in OpenCL C: its type, and how kernels address it */
    cl_mem_object_type type;
    size_t size[DIMENSIONS]; /* in texels; slices of an array come last */
};

struct format {
    cl_image_format cl;
    unsigned channels, bytes; /* in memory; of a channel */
};

extern cl_context context;
extern cl_device_id device;
extern cl_command_queue queue;

/* Opens the first GPU, whose name has to contain the part. */
void open_device(const char *name_part);

cl_program build(const char *text, const char *options);
cl_mem make_buffer(size_t bytes);

/* `buffer`: its memory, for an image of that type. Kernels may write it, but for sRGB. */
cl_mem make_image(const struct shape *shape, const cl_image_format *format, cl_mem buffer);
size_t texels(const struct shape *shape);

/* The same with levels, each half of the one before in its first `halved` dimensions; those behind
 * them are layers. */
cl_mem make_mipmaps(const struct shape *shape, const cl_image_format *format, unsigned levels);
void level_size(const struct shape *shape, unsigned halved, unsigned level, size_t *size);

/* Of copies to and from a level, [DIMENSIONS + 1]: the level is the coordinate behind the image's
 * own (cl_khr_mipmap_image, clEnqueueReadImage). */
void level_origin(const struct shape *shape, unsigned halved, unsigned level, size_t *origin);

/* The same sequence in each run. */
uint32_t random_bits(void);

/* Fills texels with numbers that are finite in formats of floats, and of which none stands for the
 * same as another. Halves have the exponent 0. */
void make_texels(const struct format *format, size_t count, uint8_t *to);

/* Whether kernels read floats, or signed integers, of such texels. */
bool is_float(const struct format *format);
bool is_signed(const struct format *format);

/* What kernels read of a texel's red, green, blue or alpha (0 to 3). */
double texel_channel(const struct format *format, const uint8_t *texel, unsigned channel);

#endif
