/* How long a configuration is going to take, before any of it has run. */
#ifndef VEBENCH_ESTIMATE_H
#define VEBENCH_ESTIMATE_H

#include "measure/family.h"
#include "measure/stop.h"
#include "measure/target.h"

/* Seconds: with the fewest rounds, which is what a steady configuration gets, and the most. */
struct duration {
    double least, most;
};

/* `takes_part` says which of the family's variants do. On a model the time of one processor; what
 * it rests on is a machine's own, so it is right to a factor of two or so. */
struct duration estimate_configuration(const struct target *target, const struct family *family,
                                       const struct configuration *configuration,
                                       const bool *takes_part, const struct stop_rule *asked);

/* Seconds that the longest launch of any of these variants may take, at the worst, where even one
 * iteration is long; else 0. */
double estimate_longest_launch(const struct target *target, const struct family *family,
                               const struct configuration *configuration, const bool *takes_part);

/* Seconds of compiling a module of so many kernels. */
double estimate_compilation(size_t kernels);

#endif
