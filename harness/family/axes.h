/* The axes of a sweep: named lists of values, with defaults that the user may replace. */
#ifndef VEBENCH_AXES_H
#define VEBENCH_AXES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define AXIS_VALUES_MAX 128

enum axis_kind {
    AXIS_COUNT,        /* any whole number */
    AXIS_POWER_OF_TWO, /* 1, 2, 4, ... */
};

enum preset { PRESET_DEFAULT, PRESET_QUICK, PRESET_FULL, PRESET_HEALTH };

/* "quick", "default", "full". */
const char *preset_name(enum preset preset);

struct axis {
    const char *name;
    const char *means;    /* one line for `vebench list` */
    const char *defaults; /* as a user would write it: "S,2S,64" */
    const char *quick;    /* for the preset of that name; NULL: same as `defaults` */
    const char *full;     /* likewise */
    enum axis_kind kind;
    unsigned least; /* the smallest value */
    unsigned largest;
    bool is_bisected; /* of a family's own: unless the user has chosen the values or the preset is
                         `quick`, those between two whose costs differ are measured, too (bisect.h)
                       */
    bool absent_is_zero; /* of a family's own: what a row's parameters say nothing of is 0, as in
                            rows from before the family had the axis */
};

/* What the letters in values stand for. */
struct axis_units {
    unsigned subgroup_size; /* S */
    unsigned xe_cores;      /* C: the device's Xe-cores (sub-slices) */
    unsigned threads;       /* T: the device's hardware threads */
    unsigned cache_bytes;   /* L: the device's last-level cache, as in struct device */
};

/* One value: a number or, if `unit` is set, a multiple of what it stands for ("S", "2C"), or a
 * fraction of it, rounded down and at least 1 ("T/16"). */
struct axis_value {
    unsigned number;
    unsigned divisor; /* 1 for none */
    char unit;        /* 'S', 'C', 'T', 'L' or 0 */
};

struct axis_values {
    struct axis_value value[AXIS_VALUES_MAX];
    size_t count;
};

/* The values of an axis under a preset, as a user would write them. */
const char *axis_preset(const struct axis *axis, enum preset preset);

/* Reads a list of values: "8,16,2S", "64K" (65536), "64:1024:x2" (64 to 1024, doubling), "1:9:+2".
 * STATUS_USAGE, naming the axis and the value, for anything else. */
enum status axis_parse(const struct axis *axis, const char *text, struct axis_values *values,
                       struct error *error);

/* The values as plain numbers: ascending, each once. Returns how many were written to `numbers`,
 * which has room for AXIS_VALUES_MAX. */
size_t axis_resolve(const struct axis_values *values, const struct axis_units *units,
                    unsigned *numbers);

/* Checks a resolved number against the limits of its axis: only the device determines what "4L" is.
 * STATUS_USAGE if it is out of range. */
enum status axis_check_number(const struct axis *axis, unsigned number, struct error *error);

/* Splits "NAME=V1,V2" at its first '='. `*name_bytes` gets the length of the name; returns a
 * pointer to the values, or NULL if there is no '=' or either side is empty. */
const char *axis_split(const char *text, size_t *name_bytes);

#endif
