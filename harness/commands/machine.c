#include "commands/machine.h"

#include <dirent.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INTEL_VENDOR 0x8086u

/* The first line of the file at `path`; empty if there is none. */
static void read_line(const char *root, const char *path, char *text, size_t bytes)
{
    char whole[2 * MACHINE_PATH + 80];

    text[0] = '\0';
    snprintf(whole, sizeof(whole), "%s%s", root, path);
    FILE *file = fopen(whole, "r");
    if (!file)
        return;
    if (fgets(text, (int)bytes, file))
        text[strcspn(text, "\n")] = '\0';
    else
        text[0] = '\0';
    fclose(file);
}

static unsigned read_file_number(const char *root, const char *path, int base)
{
    char text[40];

    read_line(root, path, text, sizeof(text));
    return (unsigned)strtoul(text, NULL, base);
}

/* The last path component of a symbolic link's target. */
static void read_link(const char *root, const char *path, char *name, size_t bytes)
{
    char whole[2 * MACHINE_PATH + 80], target[512];

    name[0] = '\0';
    snprintf(whole, sizeof(whole), "%s%s", root, path);
    ssize_t length = readlink(whole, target, sizeof(target) - 1);
    if (length <= 0)
        return;
    target[length] = '\0';
    const char *slash = strrchr(target, '/');
    snprintf(name, bytes, "%.*s", (int)bytes - 1, slash ? slash + 1 : target);
}

static void look_at_node(struct machine_gpu *gpu, const char *root)
{
    char path[2 * MACHINE_PATH + 80];
    struct stat node;

    snprintf(path, sizeof(path), "%s%s", root, gpu->node);
    if (stat(path, &node) != 0) {
        gpu->node[0] = '\0';
        return;
    }
    gpu->may_open = access(path, R_OK | W_OK) == 0;
    struct group *group = getgrgid(node.st_gid);
    if (group)
        snprintf(gpu->group, sizeof(gpu->group), "%.31s", group->gr_name);
    else
        snprintf(gpu->group, sizeof(gpu->group), "%u", (unsigned)node.st_gid);
}

/* The render node of the card's device, which is next to the card in the device's `drm` folder. */
static void find_node(struct machine_gpu *gpu, const char *root)
{
    char path[2 * MACHINE_PATH + 80];

    snprintf(path, sizeof(path), "%s/sys/class/drm/%s/device/drm", root, gpu->card);
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strncmp(entry->d_name, "renderD", 7))
            snprintf(gpu->node, sizeof(gpu->node), "/dev/dri/%.40s", entry->d_name);
    }
    closedir(folder);
    if (gpu->node[0])
        look_at_node(gpu, root);
}

/* Where i915 and xe keep the clock limits. */
static void find_clock(struct machine_gpu *gpu, const char *card, const char *root)
{
    static const struct {
        const char *folder, *least, *most;
    } places[] = {
        {"", "gt_min_freq_mhz", "gt_max_freq_mhz"},
        {"/device/tile0/gt0/freq0", "min_freq", "max_freq"},
    };
    char path[MACHINE_PATH + 40];

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !gpu->most_mhz; i++) {
        snprintf(gpu->clock, sizeof(gpu->clock), "/sys/class/drm/%.20s%s", card, places[i].folder);
        snprintf(path, sizeof(path), "%s/%s", gpu->clock, places[i].least);
        gpu->least_mhz = read_file_number(root, path, 10);
        snprintf(path, sizeof(path), "%s/%s", gpu->clock, places[i].most);
        gpu->most_mhz = read_file_number(root, path, 10);
    }
    if (!gpu->most_mhz)
        gpu->clock[0] = '\0';
}

static bool is_card(const char *name)
{
    return !strncmp(name, "card", 4) && name[4] &&
           strspn(name + 4, "0123456789") == strlen(name + 4);
}

static void look_at_gpus(struct machine *machine, const char *root)
{
    char path[2 * MACHINE_PATH];

    snprintf(path, sizeof(path), "%s/sys/class/drm", root);
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct machine_gpu *gpu = &machine->gpu[machine->gpu_count];

        if (machine->gpu_count == MACHINE_GPUS_MAX || !is_card(entry->d_name))
            continue;
        snprintf(path, sizeof(path), "/sys/class/drm/%.20s/device/vendor", entry->d_name);
        if (read_file_number(root, path, 16) != INTEL_VENDOR)
            continue;
        machine->gpu_count++;
        snprintf(gpu->card, sizeof(gpu->card), "%.20s", entry->d_name);
        snprintf(path, sizeof(path), "/sys/class/drm/%s/device", gpu->card);
        read_link(root, path, gpu->pci_address, sizeof(gpu->pci_address));
        snprintf(path, sizeof(path), "/sys/class/drm/%s/device/driver", gpu->card);
        read_link(root, path, gpu->driver, sizeof(gpu->driver));
        find_node(gpu, root);
        find_clock(gpu, entry->d_name, root);
    }
    closedir(folder);
}

/* Number of render nodes that a process has open. */
static unsigned openings_of(const char *root, const char *process)
{
    char path[2 * MACHINE_PATH], name[40];
    unsigned count = 0;

    snprintf(path, sizeof(path), "%s/proc/%.20s/fd", root, process);
    DIR *folder = opendir(path);
    if (!folder)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        snprintf(path, sizeof(path), "/proc/%.20s/fd/%.20s", process, entry->d_name);
        read_link(root, path, name, sizeof(name));
        count += !strncmp(name, "renderD", 7);
    }
    closedir(folder);
    return count;
}

static void look_at_load(struct machine *machine, const char *root)
{
    char path[2 * MACHINE_PATH], text[80], self[24];

    read_line(root, "/proc/loadavg", text, sizeof(text));
    machine->load = text[0] ? strtod(text, NULL) : -1.0;
    snprintf(self, sizeof(self), "%ld", (long)getpid());
    snprintf(path, sizeof(path), "%s/proc", root);
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name) &&
            strcmp(entry->d_name, self) != 0)
            machine->openings += openings_of(root, entry->d_name);
    }
    closedir(folder);
}

void machine_look(struct machine *machine, const char *root)
{
    char path[2 * MACHINE_PATH];
    struct stat node;

    memset(machine, 0, sizeof(*machine));
    snprintf(path, sizeof(path), "%s/dev/dxg", root);
    machine->has_wsl = stat(path, &node) == 0;
    look_at_gpus(machine, root);
    look_at_load(machine, root);
}
