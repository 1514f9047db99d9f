/* 95 % intervals by resampling (Efron 1979): the same seed gives the same intervals. */
#ifndef VEBENCH_BOOTSTRAP_H
#define VEBENCH_BOOTSTRAP_H

#include "base/error.h"
#include "base/prng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOTSTRAP_REPLICATES 1000
#define BOOTSTRAP_VALUES_MAX 16

struct interval {
    double low, high;
};

/* Draws one replicate of the data and writes its estimates to `values`; false where the replicate
 * allows no estimate. */
typedef bool (*bootstrap_draw)(struct prng *prng, double *values, void *context);

/* The 2.5 % and 97.5 % quantiles of each value over BOOTSTRAP_REPLICATES draws. STATUS_FAILED where
 * fewer than half of the draws allow an estimate. */
enum status bootstrap_intervals(bootstrap_draw draw, void *context, size_t value_count,
                                uint64_t seed, struct interval *intervals, struct error *error);

/* A random number from the standard normal distribution (Box and Muller 1958). */
double bootstrap_normal(struct prng *prng);

/* Percentile intervals of few rows are too narrow, as they take the spread of these rows for the
 * spread of all. Widens both sides about `centre` by the ratio of Student's factor with `degrees`
 * degrees of freedom to the normal one; leaves the interval alone where `degrees` is 0. */
void bootstrap_widen(struct interval *interval, double centre, size_t degrees);

#endif
