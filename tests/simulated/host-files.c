#include "host-files.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DRM_MAJOR 226u /* Documentation/admin-guide/devices.txt of Linux */
#define DRM_MINOR 128u

/* /proc/self/fd/N of what passes for /dev/dxg, or for /dev/dri/renderD128; empty: there is none. */
static char wsl_node[40], drm_node[40];
static char drm_vendor[16]; /* as sysfs has it */

static void open_node(char *path, size_t bytes)
{
    int node = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (node >= 0)
        snprintf(path, bytes, "/proc/self/fd/%d", node);
}

void host_files_begin_wsl(void)
{
    open_node(wsl_node, sizeof(wsl_node));
}

void host_files_begin_drm(unsigned vendor)
{
    open_node(drm_node, sizeof(drm_node));
    snprintf(drm_vendor, sizeof(drm_vendor), "0x%04x\n", vendor);
}

/* Before the loader is opened, the settings are not known here, but their text is. */
static int is_wsl(void)
{
    const char *text = getenv("SIMULATED_GPU");

    return text && strstr(text, "wsl=1");
}

int stat(const char *path, struct stat *entry)
{
    const char *there = is_wsl() ? "/dev/dxg" : "/dev/dri", *real = path;

    if (!strcmp(path, there))
        real = "/dev";
    else if (!strcmp(path, "/dev/dri"))
        real = "/dev/dri/none";
    int failed = fstatat(AT_FDCWD, real, entry, 0);
    if (drm_node[0] && !strcmp(path, drm_node))
        entry->st_rdev = makedev(DRM_MAJOR, DRM_MINOR);
    return failed;
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *);
    void *symbol = dlsym(RTLD_NEXT, "fopen");
    char vendor[60];

    snprintf(vendor, sizeof(vendor), "/sys/dev/char/%u:%u/device/vendor", DRM_MAJOR, DRM_MINOR);
    if (drm_node[0] && !strcmp(path, vendor))
        return fmemopen(drm_vendor, strlen(drm_vendor), "r");
    memcpy(&next, &symbol, sizeof(next));
    return next(path, mode);
}

ssize_t readlink(const char *path, char *target, size_t bytes)
{
    if (!wsl_node[0] || strcmp(path, wsl_node) != 0)
        return syscall(SYS_readlink, path, target, bytes);
    return (ssize_t)strlen(strncpy(target, "/dev/dxg", bytes));
}
