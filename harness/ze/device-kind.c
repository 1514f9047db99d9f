#include "ze/device-kind.h"

#include "ze/emulator.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DRM_MAJOR    226u
#define INTEL_VENDOR 0x8086u

const char *device_kind_name(enum device_kind kind)
{
    return kind == DEVICE_HARDWARE ? "hardware" : "emulated";
}

/* With certain debug keys Intel's driver simulates a device and executes nothing. */
static bool driver_told_to_simulate(void)
{
    const char *enabled = getenv("NEOReadDebugKeys");
    const char *receiver = getenv("SetCommandStreamReceiver");

    return enabled && strcmp(enabled, "0") && receiver && strcmp(receiver, "0");
}

/* The PCI vendor of a DRM node according to sysfs, 0 if unknown. */
static unsigned drm_vendor(unsigned node_major, unsigned node_minor)
{
    char path[80];
    unsigned vendor = 0;

    snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/vendor", node_major, node_minor);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%x", &vendor) != 1)
        vendor = 0;
    fclose(file);
    return vendor;
}

static bool is_gpu_node(const char *fd_path)
{
    struct stat node;
    char target[64];

    if (stat(fd_path, &node) != 0 || !S_ISCHR(node.st_mode))
        return false;
    if (major(node.st_rdev) == DRM_MAJOR)
        return drm_vendor(major(node.st_rdev), minor(node.st_rdev)) == INTEL_VENDOR;
    ssize_t bytes = readlink(fd_path, target, sizeof(target) - 1);
    if (bytes <= 0)
        return false;
    target[bytes] = '\0';
    return !strcmp(target, "/dev/dxg");
}

bool device_kind_is_deterministic(void)
{
    return emulator_device_name() || driver_told_to_simulate();
}

enum device_kind device_kind_detect(void)
{
    bool found = false;

    if (device_kind_is_deterministic())
        return DEVICE_EMULATED;
    DIR *directory = opendir("/proc/self/fd");
    if (!directory)
        return DEVICE_EMULATED;
    for (struct dirent *entry; !found && (entry = readdir(directory));) {
        char path[300];

        snprintf(path, sizeof(path), "/proc/self/fd/%s", entry->d_name);
        found = entry->d_name[0] != '.' && is_gpu_node(path);
    }
    closedir(directory);
    return found ? DEVICE_HARDWARE : DEVICE_EMULATED;
}

bool device_kind_hardware_possible(void)
{
    struct stat node;

    return !device_kind_is_deterministic() &&
           (stat("/dev/dri", &node) == 0 || stat("/dev/dxg", &node) == 0);
}
