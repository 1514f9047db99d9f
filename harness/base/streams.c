#include "base/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int streams_open_all(void)
{
    int descriptor;

    do {
        descriptor = open("/dev/null", O_RDWR);
    } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    return descriptor < 0 ? -1 : close(descriptor);
}

enum status stream_close(FILE *stream, const char *name, struct error *error)
{
    int failed = ferror(stream);

    errno = 0;
    if (fclose(stream) == 0 && !failed)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "cannot write to %s%s%s", name, errno ? ": " : "",
                     errno ? strerror(errno) : "");
}

/* What is written to a stream that becomes a text. */
struct text_sink {
    char **text;
    size_t *bytes, room;
};

static ssize_t put_into_text(void *cookie, const char *data, size_t bytes)
{
    struct text_sink *sink = cookie;
    size_t used = *sink->bytes;

    if (sink->room - used <= bytes) {
        size_t room = 2 * (used + bytes) + 256;
        char *more = realloc(*sink->text, room);

        if (!more)
            return 0; /* an error of the stream */
        *sink->text = more;
        sink->room = room;
    }
    memcpy(*sink->text + used, data, bytes);
    *sink->bytes = used + bytes;
    (*sink->text)[used + bytes] = '\0';
    return (ssize_t)bytes;
}

static int close_sink(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *stream_open_text(char **text, size_t *bytes)
{
    struct text_sink *sink = malloc(sizeof(*sink));
    char *empty = calloc(1, 1);
    FILE *stream =
        sink && empty
            ? fopencookie(sink, "w",
                          (cookie_io_functions_t){.write = put_into_text, .close = close_sink})
            : NULL;

    if (!stream) {
        free(sink);
        free(empty);
        return NULL;
    }
    *sink = (struct text_sink){text, bytes, 1};
    *text = empty;
    *bytes = 0;
    return stream;
}

enum status stream_close_text(FILE *stream, char **text, struct error *error)
{
    int failed = ferror(stream);

    if (fclose(stream) == 0 && !failed)
        return STATUS_OK;
    free(*text);
    *text = NULL;
    return error_out_of_memory(error);
}
