/* Statistics that a few wild values do not move. Nothing here allocates or fails.
 * docs/measurement.md has the formulas in context. */
#ifndef VEBENCH_ROBUST_H
#define VEBENCH_ROBUST_H

#include <stdbool.h>
#include <stddef.h>

#define ROBUST_POINTS_MAX 8

/* The median of the slopes of all pairs of points (Theil 1950, Sen 1968): right as long as fewer
 * than 29 % of the points are wild. `count` from 2 to ROBUST_POINTS_MAX; x all different. */
double robust_slope(const double *x, const double *y, size_t count);

/* c in y = a + b p + c p^2, least squares, for values at p = 1, 2, ... count; 0 below three.
 * `*sd_factor` gets the standard deviation of c where that of each value is 1; may be NULL. */
double robust_curvature(const double *y, size_t count, double *sd_factor);

struct robust_mean {
    double mean;
    double standard_error; /* of the mean; NaN below two values */
    size_t degrees;        /* of freedom, for Student's t */
    size_t set_aside;      /* values that got no weight at all */
};

/* The mean in which a value weighs less the farther off it is, and nothing beyond some four
 * standard deviations: Tukey's biweight, with the median absolute deviation for the scale, but no
 * less than `least_sd`, and an interval of the same estimator (Mosteller and Tukey 1977). Below
 * five values nothing tells which is wild: the plain mean. Sorts `values`; `room` for `count`
 * doubles. */
struct robust_mean robust_mean(double *values, size_t count, double least_sd, double *room);

/* Degrees of freedom of a mean of so many values. */
size_t robust_degrees(size_t count);

/* Half the width of the 95 % interval of the mean: its scatter by Student's t, and a systematic
 * standard deviation that averaging does not reduce, added in quadrature:
 * sqrt((t standard_error)^2 + (1.96 systematic_sd)^2). NaN below two values. */
double robust_ci95_half(const struct robust_mean *mean, double systematic_sd);

/* How many values lie farther from the median than that reach; 0 below five. Sorts `values`. */
size_t robust_wild(double *values, size_t count, double least_sd, double *room);

struct two_modes {
    double low, high; /* means of the two groups */
    double share;     /* of the values in the smaller group */
};

/* Do the values lie in two groups that nothing joins? Both hold a tenth of the values or more,
 * their means are more than `least_gap` apart, and by far more than either is wide. Sorts `values`.
 */
bool robust_two_modes(double *values, size_t count, double least_gap, struct two_modes *modes);

#endif
