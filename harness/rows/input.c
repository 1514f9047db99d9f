#include "rows/input.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if VEBENCH_ZSTD
#include <zstd.h>
#endif

#define SUFFIX ".zst"

struct input {
    const char *path; /* borrowed */
    FILE *file;
#if VEBENCH_ZSTD
    ZSTD_DStream *stream; /* NULL: not compressed */
    ZSTD_inBuffer packed;
    size_t expected; /* more input that the frame needs; 0 at the end of one */
    void *bytes;     /* owned; of `packed` */
    size_t room;
#endif
};

bool input_is_compressed(const char *path)
{
    size_t length = strlen(path);

    return length > strlen(SUFFIX) && !strcmp(path + length - strlen(SUFFIX), SUFFIX);
}

static enum status cannot_read(const struct input *input, const char *why, struct error *error)
{
    return error_set(error, STATUS_FAILED, "cannot read %s: %s", input->path, why);
}

static enum status read_plain(struct input *input, void *to, size_t room, size_t *got,
                              struct error *error)
{
    *got = fread(to, 1, room, input->file);
    return *got == 0 && ferror(input->file) ? cannot_read(input, strerror(errno), error)
                                            : STATUS_OK;
}

#if VEBENCH_ZSTD

static enum status open_stream(struct input *input, struct error *error)
{
    input->stream = ZSTD_createDStream();
    input->room = ZSTD_DStreamInSize();
    input->bytes = malloc(input->room);
    input->packed.src = input->bytes;
    return input->stream && input->bytes ? STATUS_OK : cannot_read(input, "out of memory", error);
}

static enum status read_packed(struct input *input, void *to, size_t room, size_t *got,
                               struct error *error)
{
    ZSTD_outBuffer out = {to, room, 0};

    while (out.pos == 0) {
        if (input->packed.pos == input->packed.size) {
            enum status status =
                read_plain(input, input->bytes, input->room, &input->packed.size, error);

            input->packed.pos = 0;
            if (status != STATUS_OK)
                return status;
            if (input->packed.size == 0)
                return input->expected ? cannot_read(input, "it is cut off", error) : STATUS_OK;
        }
        input->expected = ZSTD_decompressStream(input->stream, &out, &input->packed);
        if (ZSTD_isError(input->expected))
            return cannot_read(input, ZSTD_getErrorName(input->expected), error);
    }
    *got = out.pos;
    return STATUS_OK;
}

static void close_stream(struct input *input)
{
    ZSTD_freeDStream(input->stream);
    free(input->bytes);
}

#else

static enum status open_stream(struct input *input, struct error *error)
{
    return cannot_read(input,
                       "this vebench was built without libzstd: decompress it, or install "
                       "libzstd-dev and build anew",
                       error);
}

static enum status read_packed(struct input *input, void *to, size_t room, size_t *got,
                               struct error *error)
{
    return read_plain(input, to, room, got, error);
}

static void close_stream(struct input *input)
{
    (void)input;
}

#endif

enum status input_open(struct input **opened, const char *path, struct error *error)
{
    struct input *input = calloc(1, sizeof(*input));
    enum status status = STATUS_OK;

    *opened = NULL;
    if (!input)
        return error_out_of_memory(error);
    input->path = path;
    input->file = fopen(path, "rb");
    if (!input->file)
        status = cannot_read(input, strerror(errno), error);
    else if (input_is_compressed(path))
        status = open_stream(input, error);
    if (status != STATUS_OK) {
        input_close(input);
        return status;
    }
    *opened = input;
    return STATUS_OK;
}

enum status input_read(struct input *input, void *to, size_t room, size_t *got, struct error *error)
{
    *got = 0;
    return input_is_compressed(input->path) ? read_packed(input, to, room, got, error)
                                            : read_plain(input, to, room, got, error);
}

void input_close(struct input *input)
{
    if (!input)
        return;
    close_stream(input);
    if (input->file)
        fclose(input->file);
    free(input);
}
