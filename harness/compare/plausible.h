/* Results held against figures that others have published of the same device. */
#ifndef VEBENCH_PLAUSIBLE_H
#define VEBENCH_PLAUSIBLE_H

#include "rows/records.h"

/* A published figure, and which rows of ours measure the same. */
struct published {
    const char *what;   /* as in published-figures.def */
    const char *device; /* as in plausible-devices.def */
    const char *benchmark, *variant;
    double tolerance;               /* relative; kernels of others are not ours */
    double least_bytes, most_bytes; /* of the axis working_set; 0 and 0: any */
    const char *source, *unit;      /* GFLOP/s, GIOP/s, GB/s, cycles or ns */
    double value;
};

struct plausibility {
    const struct published *published;
    const struct record *record; /* the row that was held against it; NULL: none measures it */
    double measured;             /* in the unit of the figure */
    double deviation;            /* (measured - published) / published */
    bool out_of_line;            /* by more than the tolerance */
};

#define PLAUSIBLE_MAX 64

struct plausibilities {
    const char *device; /* NULL: nothing published is known of it */
    struct plausibility of[PLAUSIBLE_MAX];
    size_t count;
    size_t measured, out_of_line;
};

/* What a device is sold as, where the driver calls it by its PCI id only: "Arc A380" for
 * "Intel(R) Graphics [0x56a5]". NULL: the driver's name says it, or it is not known. */
const char *plausible_sold_as(const char *device_name);

/* Of several rows that measure a figure, the fastest counts for a rate, the one in the middle for a
 * latency. STATUS_FAILED, with the devices there are, if nothing published is known of this one. */
enum status plausible_check(struct plausibilities *all, const struct records *records,
                            struct error *error);

#endif
