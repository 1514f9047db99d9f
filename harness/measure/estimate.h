/* Estimates how long a configuration takes before any of it has run. */
#ifndef VEBENCH_ESTIMATE_H
#define VEBENCH_ESTIMATE_H

#include "family/family.h"
#include "measure/stop.h"
#include "ze/target.h"

/* Seconds: with the fewest rounds, enough for a steady configuration, and with the most. */
struct duration {
    double least, most;
};

/* `takes_part` selects the family's variants. On an emulated device, the time is for one processor;
 * the constants behind it are of one particular machine, so it is right to within a factor of about
 * two. */
struct duration estimate_configuration(const struct target *target, const struct family *family,
                                       const struct configuration *configuration,
                                       const bool *takes_part, const struct stop_rule *asked);

/* Worst-case seconds of the longest launch of any of these variants if even a single iteration is
 * long; otherwise 0. */
double estimate_longest_launch(const struct target *target, const struct family *family,
                               const struct configuration *configuration, const bool *takes_part);

/* Seconds to compile a module of so many kernels. */
double estimate_compilation(size_t kernels);

#endif
