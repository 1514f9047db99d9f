#include "preload/sysfs.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ENTRIES_MAX 80
#define LINKS_MAX   16

struct link {
    char path[SYSFS_PATH_MAX];     /* where it is; its folder may be reached through other links */
    char target[SYSFS_PATH_MAX];   /* as readlink tells */
    char resolved[SYSFS_PATH_MAX]; /* absolute */
};

static struct sysfs_entry entries[ENTRIES_MAX];
static size_t entry_count;
static struct link links[LINKS_MAX];
static size_t link_count;
static char bus_address[16]; /* domain:bus:device.function */

static bool starts_with(const char *path, const char *prefix)
{
    return strncmp(path, prefix, strlen(prefix)) == 0;
}

__attribute__((format(printf, 3, 4))) static void
add_entry(enum sysfs_kind kind, const char *content, const char *format, ...)
{
    struct sysfs_entry *entry = &entries[entry_count];
    va_list arguments;

    if (entry_count == ENTRIES_MAX)
        return;
    entry_count++;
    entry->kind = kind;
    snprintf(entry->content, sizeof(entry->content), "%s", content);
    va_start(arguments, format);
    vsnprintf(entry->path, sizeof(entry->path), format, arguments);
    va_end(arguments);
}

static void add_link(const char *path, const char *target, const char *resolved)
{
    struct link *link = &links[link_count];

    if (link_count == LINKS_MAX)
        return;
    link_count++;
    snprintf(link->path, sizeof(link->path), "%s", path);
    snprintf(link->target, sizeof(link->target), "%s", target);
    snprintf(link->resolved, sizeof(link->resolved), "%s", resolved);
}

static void add_number(const char *folder, const char *name, const char *format, uint64_t value)
{
    char text[64];

    snprintf(text, sizeof(text), format, value);
    add_entry(SYSFS_FILE, text, "%s/%s", folder, name);
}

/* Clock files of the card in i915's sysfs: one clock, which the model holds constant. */
static void add_i915_clocks(const struct vesim_device *device, const char *card)
{
    static const char *const card_files[] = {
        "gt_max_freq_mhz",   "gt_min_freq_mhz", "gt_cur_freq_mhz", "gt_act_freq_mhz",
        "gt_boost_freq_mhz", "gt_RP0_freq_mhz", "gt_RP1_freq_mhz", "gt_RPn_freq_mhz"};
    static const char *const gt_files[] = {"rps_max_freq_mhz", "rps_min_freq_mhz",
                                           "rps_cur_freq_mhz", "rps_act_freq_mhz",
                                           "rps_RP0_freq_mhz", "rps_RPn_freq_mhz"};
    uint64_t mhz = device->core_clock / 1000;
    char gt[SYSFS_PATH_MAX];

    for (size_t i = 0; i < sizeof(card_files) / sizeof(*card_files); i++)
        add_number(card, card_files[i], "%" PRIu64 "\n", mhz);
    add_entry(SYSFS_FOLDER, "", "%s/gt", card);
    snprintf(gt, sizeof(gt), "%.240s/gt/gt0", card);
    add_entry(SYSFS_FOLDER, "", "%s", gt);
    for (size_t i = 0; i < sizeof(gt_files) / sizeof(*gt_files); i++)
        add_number(gt, gt_files[i], "%" PRIu64 "\n", mhz);
    if (device->local_memory)
        add_number(gt, "addr_range", "0x%" PRIx64 "\n", device->local_memory << 20);
}

/* The same in that of xe, in the PCI device's folder: of each stack, which xe calls a tile. */
static void add_xe_clocks(const struct vesim_device *device, const char *pci)
{
    static const char *const xe_files[] = {"max_freq", "min_freq", "cur_freq", "act_freq",
                                           "rp0_freq", "rpe_freq", "rpn_freq"};
    char path[SYSFS_PATH_MAX];

    for (unsigned tile = 0; tile < device->stacks; tile++) {
        add_entry(SYSFS_FOLDER, "", "%s/tile%u", pci, tile);
        add_entry(SYSFS_FOLDER, "", "%s/tile%u/gt%u", pci, tile, tile);
        snprintf(path, sizeof(path), "%.200s/tile%u/gt%u/freq0", pci, tile, tile);
        add_entry(SYSFS_FOLDER, "", "%s", path);
        for (size_t i = 0; i < sizeof(xe_files) / sizeof(*xe_files); i++)
            add_number(path, xe_files[i], "%" PRIu64 "\n", device->core_clock / 1000);
    }
}

static void add_pci(const struct vesim_device *device, const char *pci)
{
    const char *driver = vesim_kernel_driver_names[device->kernel_driver];
    char uevent[128], path[SYSFS_PATH_MAX], relative[64], resolved[64];

    add_entry(SYSFS_FILE, "0x8086\n", "%s/vendor", pci);
    add_entry(SYSFS_FILE, "0x8086\n", "%s/subsystem_vendor", pci);
    add_entry(SYSFS_FILE, "0x0000\n", "%s/subsystem_device", pci);
    add_entry(SYSFS_FILE, "0x030000\n", "%s/class", pci);
    add_number(pci, "device", "0x%04" PRIx64 "\n", device->pci_device);
    add_number(pci, "revision", "0x%02" PRIx64 "\n", device->pci_revision);
    snprintf(uevent, sizeof(uevent),
             "DRIVER=%s\nPCI_CLASS=30000\nPCI_ID=8086:%04" PRIX64 "\nPCI_SLOT_NAME=%s\n", driver,
             device->pci_device, bus_address);
    add_entry(SYSFS_FILE, uevent, "%s/uevent", pci);

    snprintf(path, sizeof(path), "%s/subsystem", pci);
    add_link(path, "../../../bus/pci", "/sys/bus/pci");
    snprintf(path, sizeof(path), "%s/driver", pci);
    snprintf(relative, sizeof(relative), "../../../bus/pci/drivers/%s", driver);
    snprintf(resolved, sizeof(resolved), "/sys/bus/pci/drivers/%s", driver);
    add_entry(SYSFS_FOLDER, "", "%s", resolved);
    add_link(path, relative, resolved);
}

/* Device number links and the class folder: four ways to the card and the render node. */
static void add_drm_node(const char *pci, const char *name, unsigned minor, const char *by_path)
{
    const char *relative = pci + strlen("/sys/");
    char path[SYSFS_PATH_MAX], target[SYSFS_PATH_MAX], resolved[SYSFS_PATH_MAX];

    add_entry(SYSFS_NODE, "", "/dev/dri/%s", name);
    entries[entry_count - 1].minor = minor;
    add_entry(SYSFS_FOLDER, "", "%.200s/drm/%s", pci, name);
    snprintf(resolved, sizeof(resolved), "%.200s/drm/%s", pci, name);
    snprintf(target, sizeof(target), "%d:%u\n", SYSFS_DRM_MAJOR, minor);
    add_entry(SYSFS_FILE, target, "%s/dev", resolved);
    snprintf(target, sizeof(target), "MAJOR=%d\nMINOR=%u\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n",
             SYSFS_DRM_MAJOR, minor, name);
    add_entry(SYSFS_FILE, target, "%s/uevent", resolved);

    snprintf(target, sizeof(target), "../../%.200s/drm/%s", relative, name);
    snprintf(path, sizeof(path), "/sys/class/drm/%s", name);
    add_link(path, target, resolved);
    snprintf(path, sizeof(path), "/sys/dev/char/%d:%u", SYSFS_DRM_MAJOR, minor);
    add_link(path, target, resolved);

    snprintf(path, sizeof(path), "%.200s/drm/%s/device", pci, name);
    snprintf(target, sizeof(target), "../../../%s", bus_address);
    add_link(path, target, pci);

    snprintf(path, sizeof(path), "/dev/dri/by-path/pci-%s-%s", bus_address, by_path);
    snprintf(target, sizeof(target), "../%s", name);
    snprintf(resolved, sizeof(resolved), "/dev/dri/%s", name);
    add_link(path, target, resolved);
}

void sysfs_init(const struct vesim_device *device)
{
    char pci[160], path[SYSFS_PATH_MAX], target[SYSFS_PATH_MAX];

    /* Where Intel's integrated GPUs always are, and where an Arc card in the first slot is: behind
     * the root port and the card's own switch. */
    if (device->local_memory) {
        strcpy(bus_address, "0000:03:00.0");
        strcpy(pci, "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:03:00.0");
    } else {
        strcpy(bus_address, "0000:00:02.0");
        strcpy(pci, "/sys/devices/pci0000:00/0000:00:02.0");
    }
    add_entry(SYSFS_FOLDER, "", "/dev/dri");
    add_entry(SYSFS_FOLDER, "", "/dev/dri/by-path");
    add_entry(SYSFS_FOLDER, "", "/sys/class/drm");
    add_entry(SYSFS_FOLDER, "", "/sys/bus/pci");
    add_entry(SYSFS_FOLDER, "", "%s", pci);
    add_entry(SYSFS_FOLDER, "", "%s/drm", pci);
    add_pci(device, pci);
    add_drm_node(pci, "card0", 0, "card");
    add_drm_node(pci, "renderD128", SYSFS_RENDER_MINOR, "render");
    snprintf(path, sizeof(path), "%s/drm/card0", pci);
    if (device->kernel_driver == VESIM_XE)
        add_xe_clocks(device, pci);
    else
        add_i915_clocks(device, path);

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", bus_address);
    snprintf(target, sizeof(target), "../../../%s", pci + strlen("/sys/"));
    add_link(path, target, pci);
}

/* Absolute and without "//", "/." or a trailing slash. Returns false if too long or relative. */
static bool normalise(const char *path, char clean[SYSFS_PATH_MAX])
{
    size_t used = 0;

    if (*path != '/')
        return false;
    while (*path) {
        path += strspn(path, "/");
        size_t length = strcspn(path, "/");
        if (length == 0)
            break;
        if (length == 1 && *path == '.') {
            path++;
            continue;
        }
        if (length == 2 && path[0] == '.' && path[1] == '.') {
            while (used && clean[--used] != '/')
                ;
            path += 2;
            continue;
        }
        if (used + 1 + length >= SYSFS_PATH_MAX)
            return false;
        clean[used++] = '/';
        memcpy(clean + used, path, length);
        used += length;
        path += length;
    }
    clean[used] = '\0';
    return true;
}

/* Replaces links in front of (and, if `last`, at) the end of the path until none is left. */
static void follow(char path[SYSFS_PATH_MAX], bool last)
{
    bool again = true;

    for (unsigned rounds = 0; again && rounds < 8; rounds++) {
        again = false;
        for (size_t i = 0; i < link_count; i++) {
            size_t length = strlen(links[i].path);
            char rest[SYSFS_PATH_MAX];

            if (strncmp(path, links[i].path, length) != 0 ||
                (path[length] != '/' && (path[length] != '\0' || !last)))
                continue;
            strcpy(rest, path + length);
            if (strlen(links[i].resolved) + strlen(rest) >= SYSFS_PATH_MAX)
                return;
            strcpy(path, links[i].resolved);
            strcat(path, rest);
            again = true;
        }
    }
}

bool sysfs_owns(const char *path)
{
    static const char *const prefixes[] = {"/dev/dri", "/sys/class/drm", "/sys/dev/char/226:"};
    char clean[SYSFS_PATH_MAX];

    /* Most paths stop here. */
    if (!path || *path != '/' || !(strstr(path, "dev") || strstr(path, "sys")))
        return false;
    if (!normalise(path, clean))
        return false;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
        size_t length = strlen(prefixes[i]);

        if (starts_with(clean, prefixes[i]) &&
            (prefixes[i][length - 1] == ':' || clean[length] == '/' || clean[length] == '\0'))
            return true;
    }
    return *bus_address &&
           (starts_with(clean, "/sys/bus/pci/devices/") ||
            starts_with(clean, "/sys/devices/pci")) &&
           strstr(clean, bus_address);
}

const struct sysfs_entry *sysfs_find(const char *path)
{
    char clean[SYSFS_PATH_MAX];

    if (!normalise(path, clean))
        return NULL;
    follow(clean, true);
    for (size_t i = 0; i < entry_count; i++) {
        if (strcmp(entries[i].path, clean) == 0)
            return &entries[i];
    }
    return NULL;
}

const char *sysfs_link(const char *path)
{
    char clean[SYSFS_PATH_MAX];

    if (!normalise(path, clean))
        return NULL;
    follow(clean, false);
    for (size_t i = 0; i < link_count; i++) {
        if (strcmp(links[i].path, clean) == 0)
            return links[i].target;
    }
    return NULL;
}

/* `path`'s last part if its folder is `folder`, or NULL. */
static const char *name_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    if (strncmp(path, folder, length) != 0 || path[length] != '/' || strchr(path + length + 1, '/'))
        return NULL;
    return path + length + 1;
}

const char *sysfs_name(const char *folder, size_t index, enum sysfs_kind *kind)
{
    char clean[SYSFS_PATH_MAX];

    if (!normalise(folder, clean))
        return NULL;
    follow(clean, true);
    for (size_t i = 0; i < entry_count + link_count; i++) {
        bool is_link = i >= entry_count;

        const char *name = name_in(is_link ? links[i - entry_count].path : entries[i].path, clean);
        if (name && index-- == 0) {
            *kind = is_link ? SYSFS_FOLDER : entries[i].kind;
            return name;
        }
    }
    return NULL;
}
