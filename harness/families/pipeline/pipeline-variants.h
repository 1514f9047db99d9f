/* The variants of family `pipeline`, for its run and its model. */
#ifndef VEBENCH_PIPELINE_VARIANTS_H
#define VEBENCH_PIPELINE_VARIANTS_H

#include "base/variant.h"

enum pipeline_kind {
    PIPELINE_LOOP,
    PIPELINE_REGISTER,
    PIPELINE_ACCUMULATOR,
    PIPELINE_PRODUCT,
    PIPELINE_FLAG,
    PIPELINE_MATH,
    PIPELINE_LANES,
    PIPELINE_MATH_LANES,
    PIPELINE_WORDS,
    PIPELINE_OLD_WAIT, /* half of the sub-groups wait, the others do as in PIPELINE_WORDS */
    PIPELINE_YOUNG_WAIT,
    PIPELINE_SEND,
    PIPELINE_BARRIER,
};

/* Sub-groups of a work-group that are of interest. */
enum pipeline_sharing {
    PIPELINE_ALONE,
    PIPELINE_ANY_NUMBER,
    PIPELINE_SHARED,
    PIPELINE_SPREAD, /* of several work-groups, which the Xe-cores can hold all at once */
};

#define PIPELINE_SHARING      32u /* sub-groups that keep the pipes of an Xe-core busy */
#define PIPELINE_SPREAD_LANES "spread_lanes"
#define PIPELINE_OLD_WAITS    "old_wait"

/* Steps in an iteration of those that wait. */
#define PIPELINE_WAITS 4u

struct pipeline_variant {
    enum pipeline_kind kind;
    unsigned steps; /* per iteration */
    unsigned units; /* counted beyond the baseline */
    enum pipeline_sharing sharing;
};

enum { PIPELINE_VARIANTS = 28 };

extern const struct variant pipeline_variants[PIPELINE_VARIANTS];

#endif
