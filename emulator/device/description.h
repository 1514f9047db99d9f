/* A device description as text: what the reader of device.c and the printer of describe.c share. */
#ifndef VESIM_DESCRIPTION_H
#define VESIM_DESCRIPTION_H

#include "device/device.h"

enum figure_index {
#define SECTION(title)
#define FIGURE(name, unit, minimum, maximum, what) FIGURE_##name,
#include "device/figures.def"
#undef FIGURE
#undef SECTION
    FIGURE_COUNT
};

/* What figures.def says of a figure. */
struct figure {
    const char *name, *unit;
    uint64_t minimum, maximum;
    size_t offset; /* of the member in struct device, bytes */
};

/* What descriptions call them. */
extern const char *const architecture_names[ARCHITECTURE_COUNT];

extern const struct figure device_figures[FIGURE_COUNT];

/* Where a device keeps it; `index` is an enum figure_index. */
uint64_t *device_figure(struct device *device, size_t index);

#define FIGURE_SOURCE_MAX 160

/* A description with the source of each figure. */
struct description {
    struct device device;
    char sources[FIGURE_COUNT][FIGURE_SOURCE_MAX];
    /* Between which values a figure lies: of an assumed one what its source says ("assumed LOW to
     * HIGH: why"), of any other its value. */
    uint64_t low[FIGURE_COUNT], high[FIGURE_COUNT];
};

/* Same arguments and errors as device_load(). */
int description_load(struct description *description, const char *name_or_path, char *error,
                     size_t error_size);

/* Parses `text`; `origin` is what errors call the file. Returns 0, or -1 with `error` set. */
int description_parse(struct description *description, const char *text, const char *origin,
                      char *error, size_t error_size);

#endif
