#include "base/replace-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum status cannot_write(const char *path, struct error *error)
{
    return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
}

/* Creates a file in the folder under an unused name; -1 on failure. */
static int create_beside(int folder, char *name, size_t bytes, const char *final)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        snprintf(name, bytes, "%s.%ld.%u", final, (long)getpid(), attempt);
        int descriptor =
            openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

/* Opens the folder of a path, so that later changes to its name do not matter. */
static int open_folder(const char *path, const char *name)
{
    char *folder = strndup(path, (size_t)(name - path));
    int descriptor = folder ? open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    free(folder);
    return descriptor;
}

enum status replace_file(const char *path, void (*print)(FILE *out, const void *context),
                         const void *context, struct error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int folder = open_folder(path, name), descriptor = -1;
    char temporary[PATH_MAX];
    enum status status = STATUS_OK;
    FILE *file = NULL;

    if (folder >= 0)
        descriptor = create_beside(folder, temporary, sizeof(temporary), name);
    if (descriptor >= 0)
        file = fdopen(descriptor, "w");
    if (!file) {
        status = cannot_write(path, error);
        if (descriptor >= 0)
            close(descriptor);
    } else {
        print(file, context);
        bool failed = ferror(file) != 0;
        failed |= fclose(file) != 0;
        if (failed || renameat(folder, temporary, folder, name) != 0)
            status = cannot_write(path, error);
    }
    if (status != STATUS_OK && descriptor >= 0)
        unlinkat(folder, temporary, 0);
    if (folder >= 0)
        close(folder);
    return status;
}
