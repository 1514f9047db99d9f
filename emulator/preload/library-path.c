#include "preload/library-path.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/digest.h"

/* ld.so takes spaces and colons for the end of a path, and what follows a dollar for a name
 * ($ORIGIN, $LIB). */
static bool is_beyond_preload(const char *path)
{
    return strpbrk(path, " :$") != NULL;
}

/* A folder that nobody else may write to: what lies in it is loaded into programs. */
static int make_folder(char *folder, size_t size)
{
    const char *base = getenv("XDG_RUNTIME_DIR");
    struct stat status;

    if (!base || base[0] != '/' || is_beyond_preload(base) || access(base, W_OK))
        base = "/tmp";
    int used = snprintf(folder, size, "%s/vesim-%u", base, (unsigned)getuid());
    if (used < 0 || (size_t)used >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (mkdir(folder, 0700) && errno != EEXIST)
        return -1;
    if (lstat(folder, &status))
        return -1;
    if (!S_ISDIR(status.st_mode) || status.st_uid != getuid() || status.st_mode & 022) {
        errno = EACCES;
        return -1;
    }
    return 0;
}

static int make_link(const char *target, const char *link)
{
    char there[PATH_MAX];

    if (symlink(target, link) == 0)
        return 0;
    if (errno != EEXIST)
        return -1;
    ssize_t length = readlink(link, there, sizeof(there) - 1);
    if (length < 0)
        return -1;
    there[length] = '\0';
    if (strcmp(there, target) == 0)
        return 0;
    errno = EEXIST;
    return -1;
}

int library_path_for_preload(char *path, size_t size, char *error, size_t error_size)
{
    char folder[PATH_MAX], link[PATH_MAX + 64];

    if (!is_beyond_preload(path))
        return 0;
    if (make_folder(folder, sizeof(folder))) {
        snprintf(error, error_size,
                 "the path of %s has a space, a colon or a dollar, which LD_PRELOAD cannot hold, "
                 "and the folder %s for a link to it cannot be used: %s",
                 path, folder, strerror(errno));
        return -1;
    }
    snprintf(link, sizeof(link), "%s/libvesim-%016" PRIx64 ".so", folder,
             digest_add(DIGEST_EMPTY, path, strlen(path)));
    if (make_link(path, link) || strlen(link) >= size) {
        snprintf(error, error_size, "cannot link %s to %s: %s", link, path, strerror(errno));
        return -1;
    }
    strcpy(path, link);
    return 0;
}
