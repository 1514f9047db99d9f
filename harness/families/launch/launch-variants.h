/* The variants of family `launch`, for its run and its model. */
#ifndef VEBENCH_LAUNCH_VARIANTS_H
#define VEBENCH_LAUNCH_VARIANTS_H

#include "base/variant.h"

enum launch_observed {
    LAUNCH_DISPATCH, /* not observed: the slope over work-groups */
    LAUNCH_DURATION,
    LAUNCH_GAP,
    LAUNCH_TICK,
    LAUNCH_SUBMISSION,
    LAUNCH_COMPLETION,
    LAUNCH_CODE, /* not observed: the time of a launch of straight-line code */
};

struct launch_variant {
    enum launch_observed observed;
    const char *fetched; /* of LAUNCH_CODE that is to be fetched: the variant where it has been */
};

enum { LAUNCH_VARIANTS = 14 };

extern const struct variant launch_variants[LAUNCH_VARIANTS];

#endif
