#include "base/file-guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What a path refers to or, if nothing exists there, the folder and the name it would get. */
struct identity {
    dev_t device;
    ino_t inode;
    char name[NAME_MAX + 1]; /* "" if it exists */
    bool is_known;
};

static struct identity identify(const char *path)
{
    struct identity identity = {0};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char folder[PATH_MAX];
    struct stat status;

    if (stat(path, &status) == 0) {
        identity.is_known = true;
    } else if (strlen(name) <= NAME_MAX && strlen(path) < sizeof(folder)) {
        snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash + 1 - path) : 1,
                 slash ? path : ".");
        identity.is_known = stat(folder, &status) == 0;
        strcpy(identity.name, name);
    }
    identity.device = status.st_dev;
    identity.inode = status.st_ino;
    return identity;
}

static bool are_same(const char *one, const char *other)
{
    struct identity a = identify(one), b = identify(other);

    return a.is_known && b.is_known && a.device == b.device && a.inode == b.inode &&
           !strcmp(a.name, b.name);
}

static bool is_input(const struct stat *inside, const struct guarded_file *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct stat input;

        if (stat(inputs[i].path, &input) == 0 && input.st_dev == inside->st_dev &&
            input.st_ino == inside->st_ino)
            return true;
    }
    return false;
}

/* Everything in the folder must be a file that may be replaced. */
static enum status check_folder(const struct guarded_file *file, const struct guarded_file *inputs,
                                size_t input_count, bool force, struct error *error)
{
    DIR *folder = opendir(file->path);
    enum status status = STATUS_OK;
    const struct dirent *entry;

    if (!folder && errno == ENOMEM)
        return error_out_of_memory(error);
    if (!folder)
        return error_set(error, STATUS_FAILED, "%s %s is not a readable folder", file->option,
                         file->path);
    while (status == STATUS_OK && (entry = readdir(folder))) {
        struct stat inside;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (!force)
            status = error_set(error, STATUS_FAILED,
                               "%s %s exists already and is not empty: name another folder, or add "
                               "--force to replace files in it",
                               file->option, file->path);
        else if (fstatat(dirfd(folder), entry->d_name, &inside, AT_SYMLINK_NOFOLLOW) != 0 ||
                 (!S_ISREG(inside.st_mode) && !S_ISDIR(inside.st_mode)) ||
                 (S_ISREG(inside.st_mode) && inside.st_nlink > 1))
            status = error_set(error, STATUS_FAILED,
                               "%s %s contains %s, which is a link or not a regular file: writing "
                               "there could change files elsewhere; name another folder",
                               file->option, file->path, entry->d_name);
        else if (is_input(&inside, inputs, input_count))
            status = error_set(error, STATUS_FAILED,
                               "%s %s contains %s, which is an input and never replaced: name "
                               "another folder",
                               file->option, file->path, entry->d_name);
    }
    closedir(folder);
    return status;
}

static enum status check_existing(const struct guarded_file *file,
                                  const struct guarded_file *inputs, size_t input_count, bool force,
                                  struct error *error)
{
    struct stat status;

    if (lstat(file->path, &status) != 0)
        return STATUS_OK; /* whether it can be made turns out when it is */
    if (file->is_folder && S_ISDIR(status.st_mode))
        return check_folder(file, inputs, input_count, force, error);
    if (file->is_folder || !S_ISREG(status.st_mode))
        return error_set(error, STATUS_FAILED, "%s %s exists already and is not a %s: name another",
                         file->option, file->path,
                         file->is_folder ? "folder" : "regular file, so it is not replaced");
    if (!force)
        return error_set(error, STATUS_FAILED,
                         "%s %s exists already: name another file, or add --force to replace it",
                         file->option, file->path);
    return STATUS_OK;
}

enum status file_guard(const struct guarded_file *outputs, size_t output_count,
                       const struct guarded_file *inputs, size_t input_count, bool force,
                       struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < output_count; i++) {
        for (size_t j = 0; j < input_count; j++) {
            if (are_same(outputs[i].path, inputs[j].path))
                return error_set(error, STATUS_FAILED,
                                 "%s %s is the same file as %s, which is an input and never "
                                 "replaced: name another",
                                 outputs[i].option, outputs[i].path, inputs[j].path);
        }
        for (size_t j = 0; j < i; j++) {
            if (are_same(outputs[i].path, outputs[j].path))
                return error_set(error, STATUS_USAGE, "%s %s and %s %s name the same file",
                                 outputs[j].option, outputs[j].path, outputs[i].option,
                                 outputs[i].path);
        }
        status = check_existing(&outputs[i], inputs, input_count, force, error);
    }
    return status;
}
