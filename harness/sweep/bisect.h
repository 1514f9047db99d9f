/* Finding where a cost changes along an axis: values between two neighbours whose costs differ. */
#ifndef VEBENCH_BISECT_H
#define VEBENCH_BISECT_H

#include "family/family.h"

/* Neighbours closer than this ratio are close enough. */
#define BISECT_RESOLUTION 1.25

/* What a configuration has shown. */
struct finding {
    struct configuration configuration;
    const double *value; /* of each variant; NaN: none */
    const double *half;  /* of its interval */
};

/* The family's own axis that is bisected, or OWN_AXES_MAX. */
size_t bisect_axis(const struct family *family);

/* Proposes values of own axis `axis` between those of the findings. Only configurations that differ
 * in nothing else are compared, and only where most values of the axis are known, since a step is
 * at the same place everywhere. A value is proposed between two neighbours if the cost of a variant
 * differs and the smaller value belongs to a level: it is the smallest, or the one before it costs
 * the same. So where a level ends is found, and not what a step that takes several values is
 * like. Writes at most `room` configurations, in ascending order, and their number. Fails only when
 * out of memory. */
enum status bisect_propose(const struct family *family, size_t axis, const struct finding *findings,
                           size_t count, struct configuration *proposed, size_t room,
                           size_t *proposed_count, struct error *error);

#endif
