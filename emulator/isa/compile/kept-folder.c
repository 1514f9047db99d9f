#include "isa/compile/kept-folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_DIGITS = 16, NAME_MAX_BYTES = 32 };

/* A file, and when it was last used. */
struct kept_file {
    struct timespec used;
    uint64_t bytes;
    char name[NAME_MAX_BYTES];
};

struct kept_files {
    struct kept_file *of;
    size_t count, room;
    uint64_t bytes; /* together */
};

void kept_folder_make(const char *folder)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s", folder) >= (int)sizeof(path))
        return;
    for (char *at = path; (at = strchr(at + 1, '/'));) {
        *at = '\0';
        mkdir(path, S_IRWXU);
        *at = '/';
    }
    mkdir(path, S_IRWXU);
}

/* Code, or a draft that a process has left: sixteen hexadecimal digits, and what mkstemp() adds. */
static bool is_ours(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdef");

    return digits == NAME_DIGITS && (name[digits] == '\0' || name[digits] == '.') &&
           strlen(name) < NAME_MAX_BYTES;
}

static bool add_file(struct kept_files *files, const char *name, const struct stat *status)
{
    if (files->count == files->room) {
        size_t room = files->room ? 2 * files->room : 256;
        struct kept_file *grown = realloc(files->of, room * sizeof(*grown));

        if (!grown)
            return false;
        files->of = grown;
        files->room = room;
    }
    struct kept_file *file = &files->of[files->count++];
    file->used = status->st_mtim;
    file->bytes = (uint64_t)status->st_size;
    snprintf(file->name, sizeof(file->name), "%s", name);
    files->bytes += file->bytes;
    return true;
}

static struct kept_files list_files(DIR *folder)
{
    struct kept_files files = {.of = NULL};
    struct stat status;

    for (const struct dirent *entry; (entry = readdir(folder));)
        if (is_ours(entry->d_name) &&
            !fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
            S_ISREG(status.st_mode) && !add_file(&files, entry->d_name, &status))
            break;
    return files;
}

static int by_use(const void *left, const void *right)
{
    const struct timespec *a = &((const struct kept_file *)left)->used;
    const struct timespec *b = &((const struct kept_file *)right)->used;

    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

void kept_folder_trim(const char *folder, uint64_t limit)
{
    DIR *opened = opendir(folder);

    if (!opened)
        return;
    struct kept_files files = list_files(opened);
    if (files.bytes > limit) {
        qsort(files.of, files.count, sizeof(*files.of), by_use);
        for (size_t i = 0; i < files.count && files.bytes > limit / 4 * 3; i++) {
            unlinkat(dirfd(opened), files.of[i].name, 0);
            files.bytes -= files.of[i].bytes;
        }
    }
    free(files.of);
    closedir(opened);
}
