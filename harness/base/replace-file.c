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

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

enum status replacement_open(struct replacement *replacement, const char *path, struct error *error)
{
    const char *name = name_in(path);
    int descriptor = -1;

    *replacement = (struct replacement){.path = path, .folder = open_folder(path, name)};
    if (replacement->folder >= 0)
        descriptor =
            create_beside(replacement->folder, replacement->name, sizeof(replacement->name), name);
    if (descriptor >= 0)
        replacement->out = fdopen(descriptor, "w");
    if (replacement->out)
        return STATUS_OK;
    enum status status = cannot_write(path, error);
    if (descriptor >= 0) {
        close(descriptor);
        unlinkat(replacement->folder, replacement->name, 0);
    }
    if (replacement->folder >= 0)
        close(replacement->folder);
    return status;
}

/* Gives the finished file its name. False with errno set. */
typedef bool publish(int folder, const char *name, const char *final);

static bool publish_over(int folder, const char *name, const char *final)
{
    return renameat(folder, name, folder, final) == 0;
}

/* Where the file system has no links, somebody else's file of that instant would be replaced. */
static bool publish_new(int folder, const char *name, const char *final)
{
    if (linkat(folder, name, folder, final, 0) == 0)
        return unlinkat(folder, name, 0) == 0;
    if (errno == EEXIST || faccessat(folder, final, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return false;
    return publish_over(folder, name, final);
}

static enum status close_and(publish *give_name, struct replacement *replacement,
                             enum status status, struct error *error)
{
    int folder = replacement->folder;
    bool failed = ferror(replacement->out) != 0;

    failed |= fclose(replacement->out) != 0;
    if (status == STATUS_OK &&
        (failed || !give_name(folder, replacement->name, name_in(replacement->path))))
        status = cannot_write(replacement->path, error);
    if (status != STATUS_OK)
        unlinkat(folder, replacement->name, 0);
    close(folder);
    return status;
}

enum status replacement_close(struct replacement *replacement, enum status status,
                              struct error *error)
{
    return close_and(publish_over, replacement, status, error);
}

enum status replacement_close_new(struct replacement *replacement, enum status status,
                                  struct error *error)
{
    return close_and(publish_new, replacement, status, error);
}

enum status replacement_check(const char *path, struct error *error)
{
    struct replacement replacement;

    if (!path)
        return STATUS_OK;
    if (replacement_open(&replacement, path, error) != STATUS_OK)
        return STATUS_FAILED;
    replacement_close(&replacement, STATUS_EXCLUDED, error);
    return STATUS_OK;
}

enum status replace_file(const char *path, void (*print)(FILE *out, const void *context),
                         const void *context, struct error *error)
{
    struct replacement replacement;

    if (replacement_open(&replacement, path, error) != STATUS_OK)
        return STATUS_FAILED;
    print(replacement.out, context);
    return replacement_close(&replacement, STATUS_OK, error);
}
