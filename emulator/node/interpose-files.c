/* The functions by which a program looks at files: the streams, status, links and folders of
 * node/sysfs.h's table. */
#include "node/interpose.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static FILE *open_stream(const struct sysfs_entry *entry, const char *mode)
{
    FILE *stream;
    int fd;

    if (!entry)
        return NULL;
    fd = interpose_open_entry(entry, *mode == 'r' && !strchr(mode, '+') ? O_RDONLY : O_RDWR);
    if (fd < 0)
        return NULL;
    stream = fdopen(fd, "r");
    if (!stream)
        close(fd);
    return stream;
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
    NEXT(fopen, FILE *, const char *, const char *)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);

    return ours ? open_stream(entry, mode) : next(path, mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
    NEXT(fopen64, FILE *, const char *, const char *)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);

    return ours ? open_stream(entry, mode) : next(path, mode);
}

EXPORT int access(const char *path, int mode)
{
    NEXT(access, int, const char *, int)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);

    if (!ours)
        return next(path, mode);
    return entry ? 0 : -1;
}

static void fill_status(const struct sysfs_entry *entry, struct stat *status)
{
    *status = (struct stat){.st_nlink = 1, .st_blksize = 4096};
    if (entry->kind == SYSFS_NODE) {
        status->st_mode = S_IFCHR | 0666;
        status->st_rdev = makedev(SYSFS_DRM_MAJOR, entry->minor);
    } else if (entry->kind == SYSFS_FOLDER) {
        status->st_mode = S_IFDIR | 0755;
    } else {
        status->st_mode = S_IFREG | 0444;
        status->st_size = 4096; /* as sysfs says of every file */
    }
}

static int our_stat(const struct sysfs_entry *entry, const char *path, struct stat *status,
                    bool follow)
{
    if (!entry)
        return -1;
    fill_status(entry, status);
    if (!follow && sysfs_link(path))
        status->st_mode = S_IFLNK | 0777;
    return 0;
}

/* struct stat and struct stat64 are the same on 64-bit systems. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "needs a 64-bit system");

#define STAT(name, type, follow)                                                                   \
    EXPORT int name(const char *path, struct type *status)                                         \
    {                                                                                              \
        NEXT(name, int, const char *, struct type *)                                               \
        bool ours;                                                                                 \
        const struct sysfs_entry *entry = interpose_find(path, &ours);                             \
                                                                                                   \
        return ours ? our_stat(entry, path, (struct stat *)status, follow) : next(path, status);   \
    }

STAT(stat, stat, true)
STAT(stat64, stat64, true)
STAT(lstat, stat, false)
STAT(lstat64, stat64, false)

#define FSTAT(name, type)                                                                          \
    EXPORT int name(int fd, struct type *status)                                                   \
    {                                                                                              \
        NEXT(name, int, int, struct type *)                                                        \
                                                                                                   \
        if (!interpose_file(fd))                                                                   \
            return next(fd, status);                                                               \
        fill_status(sysfs_find("/dev/dri/renderD128"), (struct stat *)status);                     \
        return 0;                                                                                  \
    }

FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

EXPORT ssize_t readlink(const char *path, char *buffer, size_t size)
{
    NEXT(readlink, ssize_t, const char *, char *, size_t)
    bool ours;
    const char *target;

    interpose_find(path, &ours);
    if (!ours)
        return next(path, buffer, size);
    target = sysfs_link(path);
    if (!target) {
        errno = sysfs_find(path) ? EINVAL : ENOENT;
        return -1;
    }
    if (size > strlen(target))
        size = strlen(target);
    memcpy(buffer, target, size);
    return (ssize_t)size;
}

static char *our_realpath(const struct sysfs_entry *entry, char *resolved)
{
    if (!entry)
        return NULL;
    if (!resolved)
        return strdup(entry->path);
    return strcpy(resolved, entry->path); /* PATH_MAX bytes by contract */
}

EXPORT char *realpath(const char *path, char *resolved)
{
    NEXT(realpath, char *, const char *, char *)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);

    return ours ? our_realpath(entry, resolved) : next(path, resolved);
}

/* What programs built with _FORTIFY_SOURCE call. */
char *__realpath_chk(const char *path, char *resolved, size_t size);

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t size)
{
    NEXT(__realpath_chk, char *, const char *, char *, size_t)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);

    return ours ? our_realpath(entry, resolved) : next(path, resolved, size);
}

/* An open folder of ours, which the program takes for a DIR. */
struct folder {
    struct folder *next;
    char path[SYSFS_PATH_MAX];
    size_t index;
    struct dirent entry;
};

static struct folder *folders;
static pthread_mutex_t folders_lock = PTHREAD_MUTEX_INITIALIZER;

/* `directory` as one of ours, or NULL. */
static struct folder *our_folder(const DIR *directory)
{
    struct folder *folder;

    pthread_mutex_lock(&folders_lock);
    for (folder = folders; folder; folder = folder->next) {
        if ((const void *)folder == (const void *)directory)
            break;
    }
    pthread_mutex_unlock(&folders_lock);
    return folder;
}

EXPORT DIR *opendir(const char *path)
{
    NEXT(opendir, DIR *, const char *)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);
    struct folder *folder;

    if (!ours)
        return next(path);
    if (!entry)
        return NULL;
    if (entry->kind != SYSFS_FOLDER) {
        errno = ENOTDIR;
        return NULL;
    }
    folder = calloc(1, sizeof(*folder));
    if (!folder)
        return NULL;
    strcpy(folder->path, entry->path);
    pthread_mutex_lock(&folders_lock);
    folder->next = folders;
    folders = folder;
    pthread_mutex_unlock(&folders_lock);
    return (DIR *)folder;
}

static struct dirent *read_folder(struct folder *folder)
{
    enum sysfs_kind kind;
    const char *name = sysfs_name(folder->path, folder->index, &kind);

    if (!name)
        return NULL;
    folder->index++;
    folder->entry = (struct dirent){.d_ino = folder->index,
                                    .d_reclen = sizeof(folder->entry),
                                    .d_type = kind == SYSFS_NODE ? DT_CHR : DT_UNKNOWN};
    snprintf(folder->entry.d_name, sizeof(folder->entry.d_name), "%s", name);
    return &folder->entry;
}

EXPORT struct dirent *readdir(DIR *directory)
{
    NEXT(readdir, struct dirent *, DIR *)
    struct folder *folder = our_folder(directory);

    return folder ? read_folder(folder) : next(directory);
}

EXPORT struct dirent64 *readdir64(DIR *directory)
{
    NEXT(readdir64, struct dirent64 *, DIR *)
    struct folder *folder = our_folder(directory);

    return folder ? (struct dirent64 *)read_folder(folder) : next(directory);
}

EXPORT int closedir(DIR *directory)
{
    NEXT(closedir, int, DIR *)
    struct folder *folder = our_folder(directory);

    if (!folder)
        return next(directory);
    pthread_mutex_lock(&folders_lock);
    for (struct folder **link = &folders; *link; link = &(*link)->next) {
        if (*link == folder) {
            *link = folder->next;
            break;
        }
    }
    pthread_mutex_unlock(&folders_lock);
    free(folder);
    return 0;
}
