/* The arguments of a kernel, listed by the family and set by the launching code. */
#ifndef VEBENCH_ARGUMENTS_H
#define VEBENCH_ARGUMENTS_H

#include "ze/kernel.h"
#include "ze/workspace.h"

#define ARGUMENTS_MAX 64

struct argument {
    size_t bytes;
    bool is_local;    /* `bytes` of shared local memory */
    uint64_t value;   /* its first `bytes` bytes, unless there is */
    const void *data; /* of a structure; borrowed, or NULL */
};

struct arguments {
    struct argument argument[ARGUMENTS_MAX];
    uint32_t count; /* more than ARGUMENTS_MAX if they did not all fit */
};

/* Each adds the next argument: the device side of a buffer, local memory, a number, or what is
 * passed by value. */
void argument_buffer(struct arguments *arguments, const struct workspace *workspace, size_t index);
void argument_local(struct arguments *arguments, size_t bytes);
void argument_uint(struct arguments *arguments, uint32_t value);
void argument_ulong(struct arguments *arguments, uint64_t value);
void argument_data(struct arguments *arguments, const void *data, size_t bytes);
void argument_float(struct arguments *arguments, float value);

/* Sets them all on the kernel. */
enum status arguments_set(const struct arguments *arguments, struct session *session,
                          const struct kernel *kernel, struct error *error);

#endif
