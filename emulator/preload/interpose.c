/* The functions by which a program opens the device node and the files that describe it, and makes
 * requests of the node. */
#include "preload/interpose.h"

#include "preload/after-hang.h"
#include "preload/environment.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_once_t table_once = PTHREAD_ONCE_INIT;

const char *vesim_device_name(void);
const char *vesim_kernel_driver(void);
int vesim_keeps_time(void);
double vesim_memory_bandwidth(void);

void *interpose_next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);

    if (!function) {
        fprintf(stderr, "vesim: the C library has no function %s\n", name);
        abort();
    }
    return function;
}

/* Programs ask for this function to know that they run on an emulated device. */
EXPORT const char *vesim_device_name(void)
{
    const struct node *node = node_get();

    return node ? node->device.name : NULL;
}

/* The Linux driver whose device node the emulated GPU has; NULL where there is no device. */
EXPORT const char *vesim_kernel_driver(void)
{
    const struct node *node = node_get();

    return node ? vesim_kernel_driver_names[node->device.kernel_driver] : NULL;
}

/* What the emulated memory can move at the most, in bytes/s; 0 where there is no device. */
EXPORT double vesim_memory_bandwidth(void)
{
    const struct node *node = node_get();

    return node ? (double)node->device.memory_bandwidth * 1e6 : 0.0;
}

/* Whether times mean anything: not under vesim --functional. */
EXPORT int vesim_keeps_time(void)
{
    return !environment_is_functional();
}

static void fill_table(void)
{
    const struct node *node = node_get();

    if (node)
        sysfs_init(&node->device);
}

const struct sysfs_entry *interpose_find(const char *path, bool *ours)
{
    /* The table is made at the first path that may be in it, not at start-up: most processes that
     * inherit the preload (shells, compilers) never come to that. */
    *ours = path && (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/sys/", 5) == 0);
    if (*ours && node_is_being_made())
        *ours = false;
    if (!*ours)
        return NULL;
    pthread_once(&table_once, fill_table);
    *ours = sysfs_owns(path);
    if (!*ours)
        return NULL;
    const struct sysfs_entry *entry = sysfs_find(path);
    if (!entry)
        errno = ENOENT;
    return entry;
}

/* Said once per process that uses the GPU: the GPU's clock is the model's; the host's clock shows
 * how fast the model runs. */
static void say_that_it_is_a_model(void)
{
    const char *quiet = getenv("VESIM_QUIET");
    const struct node *node = node_get();

    if (node && !(quiet && *quiet))
        fprintf(stderr,
                "vesim: the GPU is a model of %s: the host's clock times the emulation, the GPU's "
                "timestamps the model (--quiet turns this line off)\n",
                node->device.title);
}

static int open_node(int flags)
{
    static pthread_once_t said = PTHREAD_ONCE_INIT;
    struct node *node = node_get();
    int fd;

    if (!node) {
        errno = ENODEV;
        return -1;
    }
    pthread_once(&said, say_that_it_is_a_model);
    interpose_guard_signals();
    struct node_file *file = node_open(node, &fd);
    if (!file)
        return -1;
    if (interpose_keep(fd, file))
        return -1;
    if (!(flags & O_CLOEXEC))
        fcntl(fd, F_SETFD, 0);
    node_log(node, "open: descriptor %d", fd);
    return fd;
}

int interpose_open_entry(const struct sysfs_entry *entry, int flags)
{
    size_t length = strlen(entry->content);

    if (entry->kind == SYSFS_NODE)
        return open_node(flags);
    if (entry->kind == SYSFS_FOLDER || (flags & O_ACCMODE) != O_RDONLY) {
        errno = EACCES;
        return -1;
    }
    int fd = memfd_create("vesim sysfs", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    if (fd < 0)
        return -1;
    if (write(fd, entry->content, length) != (ssize_t)length || lseek(fd, 0, SEEK_SET)) {
        close(fd);
        errno = EIO;
        return -1;
    }
    return fd;
}

/* open(2)'s optional third argument. */
#define MODE(flags)                                                                                \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode = va_arg(arguments, mode_t);                                                          \
        va_end(arguments);                                                                         \
    }

#define OPEN_OURS(path, flags)                                                                     \
    bool ours;                                                                                     \
    const struct sysfs_entry *entry = interpose_find(path, &ours);                                 \
    if (ours)                                                                                      \
        return entry ? interpose_open_entry(entry, flags) : -1;

EXPORT int open(const char *path, int flags, ...)
{
    NEXT(open, int, const char *, int, ...)
    MODE(flags)
    OPEN_OURS(path, flags)
    return next(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
    NEXT(open64, int, const char *, int, ...)
    MODE(flags)
    OPEN_OURS(path, flags)
    return next(path, flags, mode);
}

EXPORT int openat(int folder, const char *path, int flags, ...)
{
    NEXT(openat, int, int, const char *, int, ...)
    MODE(flags)
    OPEN_OURS(path, flags)
    return next(folder, path, flags, mode);
}

EXPORT int openat64(int folder, const char *path, int flags, ...)
{
    NEXT(openat64, int, int, const char *, int, ...)
    MODE(flags)
    OPEN_OURS(path, flags)
    return next(folder, path, flags, mode);
}

/* What programs built with _FORTIFY_SOURCE call; the C library's headers do not declare them. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

EXPORT int __open_2(const char *path, int flags)
{
    NEXT(__open_2, int, const char *, int)
    OPEN_OURS(path, flags)
    return next(path, flags);
}

EXPORT int __open64_2(const char *path, int flags)
{
    NEXT(__open64_2, int, const char *, int)
    OPEN_OURS(path, flags)
    return next(path, flags);
}

EXPORT int __openat_2(int folder, const char *path, int flags)
{
    NEXT(__openat_2, int, int, const char *, int)
    OPEN_OURS(path, flags)
    return next(folder, path, flags);
}

EXPORT int __openat64_2(int folder, const char *path, int flags)
{
    NEXT(__openat64_2, int, int, const char *, int)
    OPEN_OURS(path, flags)
    return next(folder, path, flags);
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    NEXT(ioctl, int, int, unsigned long, ...)
    struct node_file *file = interpose_file(fd);
    va_list arguments;

    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (!file)
        return next(fd, request, argument);
    after_hang_note_request(__builtin_return_address(0));
    int status = node_ioctl(file, request, argument);
    if (status < 0) {
        errno = -status;
        return -1;
    }
    return status;
}
