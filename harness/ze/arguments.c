#include "ze/arguments.h"

#include <string.h>

static void add(struct arguments *arguments, const void *value, size_t bytes, bool is_local)
{
    if (arguments->count++ >= ARGUMENTS_MAX)
        return;
    struct argument *argument = &arguments->argument[arguments->count - 1];
    argument->bytes = bytes;
    argument->is_local = is_local;
    argument->value = 0;
    argument->data = NULL;
    if (value)
        memcpy(&argument->value, value, bytes);
}

void argument_buffer(struct arguments *arguments, const struct workspace *workspace, size_t index)
{
    add(arguments, &workspace->buffers[index].device, sizeof(workspace->buffers[index].device),
        false);
}

void argument_local(struct arguments *arguments, size_t bytes)
{
    add(arguments, NULL, bytes, true);
}

void argument_uint(struct arguments *arguments, uint32_t value)
{
    add(arguments, &value, sizeof(value), false);
}

void argument_ulong(struct arguments *arguments, uint64_t value)
{
    add(arguments, &value, sizeof(value), false);
}

void argument_data(struct arguments *arguments, const void *data, size_t bytes)
{
    add(arguments, NULL, bytes, false);
    if (arguments->count <= ARGUMENTS_MAX)
        arguments->argument[arguments->count - 1].data = data;
}

void argument_float(struct arguments *arguments, float value)
{
    add(arguments, &value, sizeof(value), false);
}

enum status arguments_set(const struct arguments *arguments, struct session *session,
                          const struct kernel *kernel, struct error *error)
{
    if (arguments->count > ARGUMENTS_MAX)
        return error_set(error, STATUS_FAILED, "a kernel with more than %d arguments",
                         ARGUMENTS_MAX);
    for (uint32_t i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->argument[i];
        enum status status = kernel_set_argument(session, kernel, i, argument->bytes,
                                                 argument->is_local ? NULL
                                                 : argument->data   ? argument->data
                                                                    : &argument->value,
                                                 error);

        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
