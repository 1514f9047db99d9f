/* stat() and its kin for the paths of preload/sysfs.h's table and the node's descriptors. */
#include "preload/interpose.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

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

/* The table's paths are absolute: the folder does not matter. With an empty path it is the
 * descriptor that is asked for. */
static bool means_descriptor(int fd, const char *path, int flags)
{
    return flags & AT_EMPTY_PATH && path && !*path && interpose_file(fd);
}

#define FSTATAT(name, type)                                                                        \
    EXPORT int name(int folder, const char *path, struct type *status, int flags)                  \
    {                                                                                              \
        NEXT(name, int, int, const char *, struct type *, int)                                     \
        bool ours;                                                                                 \
        const struct sysfs_entry *entry = interpose_find(path, &ours);                             \
                                                                                                   \
        if (means_descriptor(folder, path, flags))                                                 \
            return fstat(folder, (struct stat *)status);                                           \
        return ours ? our_stat(entry, path, (struct stat *)status, !(flags & AT_SYMLINK_NOFOLLOW)) \
                    : next(folder, path, status, flags);                                           \
    }

FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

EXPORT int statx(int folder, const char *path, int flags, unsigned mask, struct statx *status)
{
    NEXT(statx, int, int, const char *, int, unsigned, struct statx *)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);
    struct stat found;

    if (means_descriptor(folder, path, flags))
        fstat(folder, &found);
    else if (!ours)
        return next(folder, path, flags, mask, status);
    else if (our_stat(entry, path, &found, !(flags & AT_SYMLINK_NOFOLLOW)))
        return -1;
    *status = (struct statx){.stx_mask = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_SIZE,
                             .stx_blksize = (uint32_t)found.st_blksize,
                             .stx_nlink = (uint32_t)found.st_nlink,
                             .stx_mode = (uint16_t)found.st_mode,
                             .stx_size = (uint64_t)found.st_size,
                             .stx_rdev_major = major(found.st_rdev),
                             .stx_rdev_minor = minor(found.st_rdev)};
    return 0;
}

/* What programs built with a C library before 2.33 call. */
#define XSTAT(name, type, follow)                                                                  \
    int name(int version, const char *path, struct type *status);                                  \
    EXPORT int name(int version, const char *path, struct type *status)                            \
    {                                                                                              \
        NEXT(name, int, int, const char *, struct type *)                                          \
        bool ours;                                                                                 \
        const struct sysfs_entry *entry = interpose_find(path, &ours);                             \
                                                                                                   \
        return ours ? our_stat(entry, path, (struct stat *)status, follow)                         \
                    : next(version, path, status);                                                 \
    }

XSTAT(__xstat, stat, true)
XSTAT(__xstat64, stat64, true)
XSTAT(__lxstat, stat, false)
XSTAT(__lxstat64, stat64, false)

#define FXSTAT(name, type)                                                                         \
    int name(int version, int fd, struct type *status);                                            \
    EXPORT int name(int version, int fd, struct type *status)                                      \
    {                                                                                              \
        NEXT(name, int, int, int, struct type *)                                                   \
                                                                                                   \
        return interpose_file(fd) ? fstat(fd, (struct stat *)status) : next(version, fd, status);  \
    }

FXSTAT(__fxstat, stat)
FXSTAT(__fxstat64, stat64)
