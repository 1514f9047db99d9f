/* The axes of a sweep: named lists of values, each with a default a user may replace. */
#ifndef VEBENCH_AXES_H
#define VEBENCH_AXES_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

#define AXIS_VALUES_MAX 32

enum axis_kind {
    AXIS_COUNT,        /* any whole number from 1 */
    AXIS_POWER_OF_TWO, /* 1, 2, 4, ... */
};

struct axis {
    const char *name;
    const char *means;    /* one line for `vebench list` */
    const char *defaults; /* as a user would write it: "S,2S,64" */
    enum axis_kind kind;
    unsigned largest;
};

/* One value: a number, or where `times_subgroup_size` is set, that many sub-group sizes ("S",
 * "2S"). */
struct axis_value {
    unsigned number;
    bool times_subgroup_size;
};

struct axis_values {
    struct axis_value value[AXIS_VALUES_MAX];
    size_t count;
};

/* Reads "8,16,2S". STATUS_USAGE, naming axis and value, for anything that is not a list of values
 * of the axis. */
enum status axis_parse(const struct axis *axis, const char *text, struct axis_values *values,
                       struct error *error);

/* The values for one sub-group size as plain numbers: ascending, each once. Returns how many were
 * written to `numbers`, which has room for AXIS_VALUES_MAX. */
size_t axis_resolve(const struct axis_values *values, unsigned subgroup_size, unsigned *numbers);

/* Splits "NAME=V1,V2" at its first '='. `*name_bytes` gets the length of the name, the return value
 * points to the values; NULL where there is no '=' or a side is empty. */
const char *axis_split(const char *text, size_t *name_bytes);

#endif
