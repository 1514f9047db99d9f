/* The axes common to all families, for their tables of axes. `quick` and `full` may be NULL: same
 * as `defaults`. */
#ifndef VEBENCH_COMMON_AXES_H
#define VEBENCH_COMMON_AXES_H

#include "measure/axes.h"

#define SUBGROUP_SIZE_AXIS                                                                         \
    {                                                                                              \
        .name = "subgroup_size", .means = "work-items per sub-group (SIMD width)",                 \
        .defaults = "8,16,32", .quick = "16", .kind = AXIS_POWER_OF_TWO, .least = 1, .largest = 32 \
    }

/* For families in which the preset quick compares sub-group sizes too. */
#define SUBGROUP_SIZE_AXIS_QUICK_ALL                                                               \
    {                                                                                              \
        .name = "subgroup_size", .means = "work-items per sub-group (SIMD width)",                 \
        .defaults = "8,16,32", .kind = AXIS_POWER_OF_TWO, .least = 1, .largest = 32                \
    }

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

#endif
