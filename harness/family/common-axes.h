/* The axes common to all families, for their tables of axes. `quick` and `full` may be NULL: same
 * as `defaults`. */
#ifndef VEBENCH_COMMON_AXES_H
#define VEBENCH_COMMON_AXES_H

#include "family/axes.h"

#define SUBGROUP_SIZE_AXIS_OF(default_values, quick_values, full_values)                           \
    {                                                                                              \
        .name = "subgroup_size", .means = "work-items per sub-group (SIMD width)",                 \
        .defaults = default_values, .quick = quick_values, .full = full_values,                    \
        .kind = AXIS_POWER_OF_TWO, .least = 1, .largest = 32                                       \
    }
#define SUBGROUP_SIZE_AXIS SUBGROUP_SIZE_AXIS_OF("8,16,32", "16", NULL)

/* For families in which the preset quick compares sub-group sizes too. */
#define SUBGROUP_SIZE_AXIS_QUICK_ALL SUBGROUP_SIZE_AXIS_OF("8,16,32", NULL, NULL)

#define WORKGROUP_SIZE_AXIS(default_values, quick_values, full_values)                             \
    {                                                                                              \
        .name = "workgroup_size",                                                                  \
        .means = "work-items per work-group; S stands for the sub-group size",                     \
        .defaults = default_values, .quick = quick_values, .full = full_values,                    \
        .kind = AXIS_POWER_OF_TWO, .least = 1, .largest = 4096                                     \
    }

#define WORKGROUP_COUNT_AXIS(default_values, quick_values, full_values)                            \
    {                                                                                              \
        .name = "workgroup_count",                                                                 \
        .means = "work-groups in the launch; C stands for the Xe-cores of the device, T for its "  \
                 "hardware threads",                                                               \
        .defaults = default_values, .quick = quick_values, .full = full_values,                    \
        .kind = AXIS_COUNT, .least = 1, .largest = 65536                                           \
    }

/* The three of families that measure the whole device: work-groups of 16 sub-groups, as many as it
 * holds at once. */
#define DEVICE_WIDE_AXES                                                                           \
    SUBGROUP_SIZE_AXIS_OF("16", NULL, "8,16,32"), WORKGROUP_SIZE_AXIS("16S", NULL, NULL),          \
        WORKGROUP_COUNT_AXIS("T/16", NULL, "C,T/16")

#endif
