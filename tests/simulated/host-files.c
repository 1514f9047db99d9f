#include "host-files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char wsl_node[40]; /* /proc/self/fd/N of what passes for /dev/dxg; empty: not in WSL2 */

void host_files_begin_wsl(void)
{
    int node = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (node >= 0)
        snprintf(wsl_node, sizeof(wsl_node), "/proc/self/fd/%d", node);
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
    return fstatat(AT_FDCWD, real, entry, 0);
}

ssize_t readlink(const char *path, char *target, size_t bytes)
{
    if (!wsl_node[0] || strcmp(path, wsl_node) != 0)
        return syscall(SYS_readlink, path, target, bytes);
    return (ssize_t)strlen(strncpy(target, "/dev/dxg", bytes));
}
