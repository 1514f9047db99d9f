#include "base/streams.h"

#include <errno.h>
#include <fcntl.h>
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
