/* What a SPIR-V module says of a kernel: its arguments and the sub-group size it requires; and how
 * that size is changed. Modules are those that spirv_file_read() has taken: host-endian words whose
 * parts can be read. */
#ifndef VEBENCH_SPIRV_KERNEL_H
#define VEBENCH_SPIRV_KERNEL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPIRV_ARGUMENTS_MAX 64
#define SPIRV_NAME_BYTES    64

enum spirv_argument_kind {
    SPIRV_BUFFER, /* a pointer to global or constant memory */
    SPIRV_LOCAL,  /* a pointer to shared local memory */
    SPIRV_NUMBER, /* a whole number or a floating-point one */
    SPIRV_VALUE,  /* a structure or a vector, by value */
    SPIRV_IMAGE,  /* of one to three dimensions */
    SPIRV_OTHER,  /* an array of images, a sampler, a pipe, ... */
};

struct spirv_argument {
    char name[SPIRV_NAME_BYTES]; /* "" if the module does not say */
    enum spirv_argument_kind kind;
    unsigned bytes; /* of the number, or of an element of the memory; 0 if neither is a number */
    bool is_float;  /* the number, or the element */
    bool is_const;  /* the memory, or the image, is only read */
    unsigned dimensions; /* of the image */
};

struct spirv_kernel {
    char name[SPIRV_NAME_BYTES];
    unsigned subgroup_size; /* that it requires; 0: none */
    struct spirv_argument argument[SPIRV_ARGUMENTS_MAX];
    size_t argument_count;
};

/* Reads about the kernel called `name` of a module, `size` bytes; NULL: the only one. STATUS_USAGE,
 * naming those that there are, if there is none of the name, or no name and several. */
enum status spirv_kernel_read(struct spirv_kernel *kernel, const void *bytes, size_t size,
                              const char *name, struct error *error);

/* A copy of the module in which the kernel requires sub-groups of `lanes` in the place of any other
 * that it requires. The caller frees it; NULL: out of memory. `*copy_bytes` is its size. */
void *spirv_kernel_resized(const void *bytes, size_t size, const char *name, unsigned lanes,
                           size_t *copy_bytes);

#endif
