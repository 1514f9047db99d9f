/* The time of a step of all work-items over the q bytes that they ask for in it. */
#ifndef VEBENCH_MEMORY_CURVE_H
#define VEBENCH_MEMORY_CURVE_H

#include "model/fit.h"

/* Adds NAME.latency and NAME.bandwidth of rows of one working set and stride, of
 *
 *     latency + q / bandwidth            one after the other
 *     max(latency, q / bandwidth)        side by side
 *
 * the one that leaves less. A latency that no row waits for is below resolution, with what it is at
 * most as its value; a bandwidth that no row is held up by is absent. Of fewer than three different
 * q, which leave nothing to tell the two by, there is the time of a KiB. `bytes` and `time` are of
 * each row; rows->columns is overwritten. */
enum status fit_memory_curve(struct fit *fit, struct row_set *rows, const char *name,
                             const double *bytes, const double *time);

/* The time of a step by what the model has of a curve; either may be NULL. */
double memory_curve_time(const struct parameter *latency, const struct parameter *bandwidth,
                         double bytes);

#endif
