#include "base/replace-file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status cannot_write(const char *path, struct error *error)
{
    return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
}

/* Readable as any new file of the user's, not just to him as temporary ones are. */
static void set_mode(int descriptor)
{
    mode_t mask = umask(0);

    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
}

/* Creates PATH.XXXXXX, so that the rename stays within one file system. */
enum status replace_file(const char *path, void (*print)(FILE *out, const void *context),
                         const void *context, struct error *error)
{
    size_t bytes = strlen(path) + 8;
    char *temporary = malloc(bytes);
    enum status status = STATUS_OK;
    FILE *file = NULL;
    int descriptor;

    if (!temporary)
        return error_set(error, STATUS_FAILED, "out of memory");
    snprintf(temporary, bytes, "%s.XXXXXX", path);
    descriptor = mkstemp(temporary);
    if (descriptor >= 0)
        file = fdopen(descriptor, "w");
    if (!file) {
        status = cannot_write(path, error);
        if (descriptor >= 0)
            close(descriptor);
    } else {
        bool failed;

        set_mode(descriptor);
        print(file, context);
        failed = ferror(file) != 0;
        failed |= fclose(file) != 0;
        if (failed || rename(temporary, path) != 0)
            status = cannot_write(path, error);
    }
    if (status != STATUS_OK && descriptor >= 0)
        unlink(temporary);
    free(temporary);
    return status;
}
