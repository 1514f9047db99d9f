#include "api/kernel.h"

#include "image/image-error.h"

#include <stdlib.h>
#include <string.h>

static enum vesim_argument_kind kind_of(const struct payload *payload)
{
    return payload->kind == PAYLOAD_VALUE   ? VESIM_ARGUMENT_NUMBER
           : payload->kind == PAYLOAD_LOCAL ? VESIM_ARGUMENT_LOCAL
                                            : VESIM_ARGUMENT_POINTER;
}

static void describe(struct vesim_kernel_properties *properties, const struct zebin_kernel *image)
{
    *properties = (struct vesim_kernel_properties){
        .sub_group_size = image->simd_width,
        .required_sub_group_size = image->required_width,
        .registers = image->grf_count,
        .has_barrier = image->barriers > 0,
        .slm_bytes = image->slm_bytes,
        .scratch_bytes = image->scratch_bytes + image->private_bytes,
        .code = image->code,
        .code_bytes = image->code_bytes,
        .argument_count = image->argument_count,
    };
    for (size_t i = 0; i < image->payload_count; i++) {
        const struct payload *payload = &image->payload[i];

        if (payload->kind < PAYLOAD_VALUE)
            continue;
        size_t end = (size_t)payload->source + payload->size;

        properties->arguments[payload->argument].kind = kind_of(payload);
        if (end > properties->arguments[payload->argument].bytes)
            properties->arguments[payload->argument].bytes = end; /* a struct has several pieces */
    }
}

int vesim_kernel_load(struct vesim_kernel **loaded, const void *binary, size_t bytes,
                      const char *name, char *error, size_t error_size)
{
    struct zebin_kernel image;

    if (zebin_find(binary, bytes, name, &image, error, error_size))
        return -1;
    struct vesim_kernel *kernel = malloc(sizeof(*kernel) + image.code_bytes);
    if (!kernel)
        return image_error(error, error_size, "out of memory for kernel %s", name);
    memcpy(kernel->code, image.code, image.code_bytes);
    kernel->image = image;
    kernel->image.code = kernel->code;
    describe(&kernel->properties, &kernel->image);
    *loaded = kernel;
    return 0;
}

void vesim_kernel_free(struct vesim_kernel *kernel)
{
    free(kernel);
}

const struct vesim_kernel_properties *vesim_kernel_properties(const struct vesim_kernel *kernel)
{
    return &kernel->properties;
}

const char *vesim_kernel_name(const void *binary, size_t bytes, size_t index)
{
    return zebin_kernel_name(binary, bytes, index);
}
