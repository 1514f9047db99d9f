/* The files, folders and links below /dev/dri and /sys by which programs find the device. They
 * exist in this table only; the machine's own GPUs are hidden by it. */
#ifndef VESIM_SYSFS_H
#define VESIM_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

#include "vesim/vesim.h"

#define SYSFS_PATH_MAX 256

enum sysfs_kind {
    SYSFS_FOLDER,
    SYSFS_FILE,
    SYSFS_NODE, /* the device node itself */
};

struct sysfs_entry {
    char path[SYSFS_PATH_MAX]; /* with all links resolved */
    enum sysfs_kind kind;
    char content[SYSFS_PATH_MAX]; /* of a file */
    unsigned minor;               /* of a node, with the DRM major number */
};

#define SYSFS_DRM_MAJOR    226
#define SYSFS_RENDER_MINOR 128
#define SYSFS_RENDER_NODE  "/dev/dri/renderD128"

/* Fills the table; once, before anything else. */
void sysfs_init(const struct vesim_device *device);

/* Whether this table, and not the machine, says what is at `path`. Cheap for other paths. */
bool sysfs_owns(const char *path);

/* What is at `path` after following links, or NULL. */
const struct sysfs_entry *sysfs_find(const char *path);

/* If the last part of `path` is a link, its target, as readlink(2) gives it; otherwise NULL. */
const char *sysfs_link(const char *path);

/* The `index`th name in a folder, or NULL beyond the last. Valid for ever. */
const char *sysfs_name(const char *folder, size_t index, enum sysfs_kind *kind);

#endif
