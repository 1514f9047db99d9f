/* The time of a step of all work-items over q, the bytes that they request in it. */
#ifndef VEBENCH_MEMORY_CURVE_H
#define VEBENCH_MEMORY_CURVE_H

#include "model/fit.h"

/* Adds NAME.latency and NAME.bandwidth for rows of one working set and stride, from
 *
 *     latency + q / bandwidth            one after the other
 *     max(latency, q / bandwidth)        side by side
 *
 * whichever has the smaller residual. A latency that no row waits for is below resolution, with its
 * upper bound as value; a bandwidth that limits no row is absent. With fewer than three distinct q
 * the two cannot be told apart, and the time per KiB is added instead. `bytes` and `time` have an
 * entry for each row; rows->columns is overwritten. */
enum status fit_memory_curve(struct fit *fit, struct row_set *rows, const char *name,
                             const double *bytes, const double *time);

/* The time of a step from the model's parameters for a curve; either may be NULL. */
double memory_curve_time(const struct parameter *latency, const struct parameter *bandwidth,
                         double bytes);

#endif
