/* The functions by which a program looks at files: the streams, access and links of
 * preload/sysfs.h's table. */
#include "preload/interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *open_stream(const struct sysfs_entry *entry, const char *mode)
{
    if (!entry)
        return NULL;
    int fd = interpose_open_entry(entry, *mode == 'r' && !strchr(mode, '+') ? O_RDONLY : O_RDWR);
    if (fd < 0)
        return NULL;
    FILE *stream = fdopen(fd, "r");
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

/* The table's paths are absolute: the folder does not matter. */
EXPORT int faccessat(int folder, const char *path, int mode, int flags)
{
    NEXT(faccessat, int, int, const char *, int, int)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);

    if (!ours)
        return next(folder, path, mode, flags);
    return entry ? 0 : -1;
}

static ssize_t give_target(const char *target, char *buffer, size_t size)
{
    if (size > strlen(target))
        size = strlen(target);
    memcpy(buffer, target, size);
    return (ssize_t)size;
}

static ssize_t our_readlink(const char *path, char *buffer, size_t size)
{
    const char *target = sysfs_link(path);

    if (target)
        return give_target(target, buffer, size);
    errno = sysfs_find(path) ? EINVAL : ENOENT;
    return -1;
}

/* Whether the path is the link of one of this process's descriptors, and that one is the GPU. The
 * driver's system management asks this way, and would be shown a file in memory. */
static bool is_our_descriptor(const char *path)
{
    int pid = 0, fd = -1, end = 0;

    if (sscanf(path, "/proc/self/fd/%d%n", &fd, &end) == 1 && !path[end])
        return interpose_file(fd) != NULL;
    return sscanf(path, "/proc/%d/fd/%d%n", &pid, &fd, &end) == 2 && !path[end] &&
           pid == (int)getpid() && interpose_file(fd) != NULL;
}

EXPORT ssize_t readlink(const char *path, char *buffer, size_t size)
{
    NEXT(readlink, ssize_t, const char *, char *, size_t)
    bool ours;

    if (is_our_descriptor(path))
        return give_target(SYSFS_RENDER_NODE, buffer, size);
    interpose_find(path, &ours);
    return ours ? our_readlink(path, buffer, size) : next(path, buffer, size);
}

EXPORT ssize_t readlinkat(int folder, const char *path, char *buffer, size_t size)
{
    NEXT(readlinkat, ssize_t, int, const char *, char *, size_t)
    bool ours;

    interpose_find(path, &ours);
    return ours ? our_readlink(path, buffer, size) : next(folder, path, buffer, size);
}

/* What programs built with _FORTIFY_SOURCE call. */
ssize_t __readlink_chk(const char *path, char *buffer, size_t size, size_t capacity);

EXPORT ssize_t __readlink_chk(const char *path, char *buffer, size_t size, size_t capacity)
{
    NEXT(__readlink_chk, ssize_t, const char *, char *, size_t, size_t)
    bool ours;

    if (is_our_descriptor(path))
        return give_target(SYSFS_RENDER_NODE, buffer, size);
    interpose_find(path, &ours);
    return ours ? our_readlink(path, buffer, size) : next(path, buffer, size, capacity);
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

char *__realpath_chk(const char *path, char *resolved, size_t size);

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t size)
{
    NEXT(__realpath_chk, char *, const char *, char *, size_t)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);

    return ours ? our_realpath(entry, resolved) : next(path, resolved, size);
}
