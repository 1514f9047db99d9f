/* How programs find the node: descriptors, and the files that describe it. Run this under `vesim
 * --device a380`. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "i915.h"

static void files_are_there(void **state)
{
    static const char frequency[] = "/sys/class/drm/card0/gt_max_freq_mhz";
    char line[64], path[4096], link[256] = {0};
    struct stat status;
    struct dirent *entry;
    unsigned seen = 0;

    (void)state;
    assert_int_equal(fstat(node_fd, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(major(status.st_rdev), 226);
    assert_int_equal(minor(status.st_rdev), 128);
    assert_int_equal(stat("/dev/dri/card0", &status), 0);
    assert_int_equal(minor(status.st_rdev), 0);
    assert_int_equal(lstat("/sys/class/drm/card0", &status), 0);
    assert_true(S_ISLNK(status.st_mode));

    DIR *folder = opendir("/dev/dri");
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        seen += strcmp(entry->d_name, "card0") == 0 || strcmp(entry->d_name, "renderD128") == 0;
    assert_int_equal(seen, 2);
    assert_int_equal(closedir(folder), 0);
    assert_int_equal(access("/dev/dri/by-path/pci-0000:03:00.0-render", F_OK), 0);

    /* by stream, by descriptor, and through the PCI device's links */
    FILE *file = fopen(frequency, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof(line), file));
    assert_string_equal(line, "2450\n");
    fclose(file);
    int file_fd =
        open("/sys/bus/pci/devices/0000:03:00.0/drm/card0/gt/gt0/rps_max_freq_mhz", O_RDONLY);
    assert_true(file_fd >= 0);
    assert_int_equal(read(file_fd, line, sizeof(line)), 5);
    close(file_fd);
    assert_non_null(realpath("/sys/dev/char/226:128/device/drm/../vendor", path));
    assert_non_null(strstr(path, "0000:03:00.0/vendor"));
    assert_true(readlink("/sys/dev/char/226:128", link, sizeof(link) - 1) > 0);
    assert_non_null(strstr(link, "/drm/renderD128"));

    assert_int_equal(open("/dev/dri/renderD129", O_RDWR), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(open(frequency, O_WRONLY), -1);
    assert_null(opendir("/sys/class/drm/card7"));
    assert_int_equal(access("/dev/null", R_OK), 0); /* all else is the machine's */
    folder = opendir("/proc/self");
    assert_non_null(readdir(folder));
    closedir(folder);
}

/* Each way to query the same thing. */
static void every_way_tells_the_same(void **state)
{
    static const char node[] = "/dev/dri/renderD128", pci[] = "/sys/dev/char/226:128/device";
    char link[256] = {0}, path[4096];
    struct dirent **names;
    struct stat status;
    struct statx extended;

    (void)state;
    assert_int_equal(fstatat(AT_FDCWD, node, &status, 0), 0);
    assert_int_equal(status.st_rdev, makedev(226, 128));
    assert_int_equal(fstatat(node_fd, "", &status, AT_EMPTY_PATH), 0);
    assert_int_equal(status.st_rdev, makedev(226, 128));
    assert_int_equal(fstatat(AT_FDCWD, pci, &status, AT_SYMLINK_NOFOLLOW), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(statx(AT_FDCWD, node, 0, STATX_BASIC_STATS, &extended), 0);
    assert_int_equal(extended.stx_rdev_minor, 128);
    assert_true(S_ISCHR(extended.stx_mode));
    assert_int_equal(statx(AT_FDCWD, "/dev/dri/card9", 0, STATX_BASIC_STATS, &extended), -1);
    assert_int_equal(faccessat(AT_FDCWD, node, R_OK | W_OK, 0), 0);
    assert_int_equal(readlinkat(AT_FDCWD, "/sys/dev/char/226:128/device/subsystem", link, 255), 16);
    assert_string_equal(link, "../../../bus/pci");
    assert_non_null(realpath("/sys/class/drm/card0/device/driver", path));
    assert_string_equal(path, "/sys/bus/pci/drivers/i915");

    assert_int_equal(scandir("/dev/dri", &names, NULL, alphasort), 3);
    assert_string_equal(names[0]->d_name, "by-path");
    assert_string_equal(names[1]->d_name, "card0");
    assert_string_equal(names[2]->d_name, "renderD128");
    for (int i = 0; i < 3; i++)
        free(names[i]);
    free(names);
    assert_int_equal(scandir("/dev/dri/card9", &names, NULL, NULL), -1);
}

static bool is_node(int descriptor)
{
    struct drm_i915_gem_create argument = {.size = 4096};

    return ioctl(descriptor, DRM_IOCTL_I915_GEM_CREATE, &argument) == 0;
}

/* All descriptors are of one file, which lives until the last is closed. */
static void duplicates_are_the_node(void **state)
{
    uint32_t handle = create(4096);
    struct drm_i915_gem_busy busy = {.handle = handle};
    int made[6];

    (void)state;
    made[0] = dup(node_fd);
    made[1] = fcntl(node_fd, F_DUPFD, 100);
    made[2] = fcntl(made[1], F_DUPFD_CLOEXEC, 0);
    made[3] = open("/dev/null", O_RDONLY);
    assert_int_equal(dup2(node_fd, made[3]), made[3]); /* in the place of another file */
    made[4] = dup3(node_fd, 200, O_CLOEXEC);
    assert_int_equal(made[4], 200);
    made[5] = open("/dev/dri/renderD128", O_RDWR);
    assert_int_equal(dup2(made[0], made[5]), made[5]); /* in the place of another of the node's */
    assert_int_equal(dup2(made[0], made[0]), made[0]);
    assert_int_equal(dup2(-1, made[0]), -1); /* which changes nothing */
    assert_true(made[1] >= 100);
    assert_int_equal(fcntl(made[1], F_GETFD), 0);
    assert_int_equal(fcntl(made[2], F_GETFD), FD_CLOEXEC);
    for (int i = 0; i < 6; i++)
        assert_int_equal(ioctl(made[i], DRM_IOCTL_I915_GEM_BUSY, &busy), 0);

    assert_int_equal(close(node_fd), 0);
    assert_false(is_node(node_fd));
    for (int i = 1; i < 6; i++) {
        assert_int_equal(ioctl(made[i], DRM_IOCTL_I915_GEM_BUSY, &busy), 0);
        assert_int_equal(close(made[i]), 0);
    }
    assert_int_equal(ioctl(made[0], DRM_IOCTL_I915_GEM_BUSY, &busy), 0);
    assert_int_equal(dup2(STDERR_FILENO, made[0]), made[0]); /* now the last is gone */
    assert_false(is_node(made[0]));
    close(made[0]);
    node_fd = open("/dev/dri/renderD128", O_RDWR);
    assert_int_equal(ioctl(node_fd, DRM_IOCTL_I915_GEM_BUSY, &busy), -1);
    assert_int_equal(errno, ENOENT);

    made[0] = dup(node_fd);
    assert_int_equal(close_range((unsigned)made[0], (unsigned)made[0], 0), 0);
    assert_false(is_node(made[0]));
    assert_true(is_node(node_fd));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(files_are_there),
        TEST(every_way_tells_the_same),
        TEST(duplicates_are_the_node),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
