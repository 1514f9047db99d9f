/* The axes of a sweep: named lists of values, each with defaults a user may replace. */
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

enum preset { PRESET_DEFAULT, PRESET_QUICK, PRESET_FULL };

/* "quick", "default", "full". */
const char *preset_name(enum preset preset);

struct axis {
    const char *name;
    const char *means;    /* one line for `vebench list` */
    const char *defaults; /* as a user would write it: "S,2S,64" */
    const char *quick;    /* for the preset of that name; NULL: as `defaults` */
    const char *full;     /* the same */
    enum axis_kind kind;
    unsigned least; /* the smallest value */
    unsigned largest;
};

/* What the letters in values stand for. */
struct axis_units {
    unsigned subgroup_size; /* S */
    unsigned xe_cores;      /* C: Xe-cores (sub-slices) of the device */
    unsigned threads;       /* T: hardware threads of the device */
    unsigned cache_bytes;   /* L: the last-level cache of the device, as in struct device */
};

/* One value: a number, or where `unit` is set, that many of what it stands for ("S", "2C"), or a
 * part of it, rounded down and at least 1 ("T/16"). */
struct axis_value {
    unsigned number;
    unsigned divisor; /* 1 where there is none */
    char unit;        /* 'S', 'C', 'T', 'L' or 0 */
};

struct axis_values {
    struct axis_value value[AXIS_VALUES_MAX];
    size_t count;
};

/* The values of an axis under a preset, as a user would write them. */
const char *axis_preset(const struct axis *axis, enum preset preset);

/* Reads a list of values: "8,16,2S", "64K" (65536), "64:1024:x2" (64 to 1024, each twice the one
 * before), "1:9:+2". STATUS_USAGE, naming axis and value, for anything that is not a list of values
 * of the axis. */
enum status axis_parse(const struct axis *axis, const char *text, struct axis_values *values,
                       struct error *error);

/* The values as plain numbers: ascending, each once. Returns how many were written to `numbers`,
 * which has room for AXIS_VALUES_MAX. */
size_t axis_resolve(const struct axis_values *values, const struct axis_units *units,
                    unsigned *numbers);

/* A resolved number against the limits of its axis: what "4L" is, only a device says. STATUS_USAGE
 * where it lies outside. */
enum status axis_check_number(const struct axis *axis, unsigned number, struct error *error);

/* Splits "NAME=V1,V2" at its first '='. `*name_bytes` gets the length of the name, the return value
 * points to the values; NULL where there is no '=' or a side is empty. */
const char *axis_split(const char *text, size_t *name_bytes);

#endif
