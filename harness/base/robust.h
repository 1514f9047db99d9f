/* Statistics that are robust against a few outliers. Nothing here allocates or fails.
 * docs/measurement.md has the formulas in context. */
#ifndef VEBENCH_ROBUST_H
#define VEBENCH_ROBUST_H

#include <stdbool.h>
#include <stddef.h>

#define ROBUST_POINTS_MAX 8

/* The median of the slopes of all pairs of points (Theil 1950, Sen 1968): right as long as fewer
 * than 29 % of the points are outliers. `count` from 2 to ROBUST_POINTS_MAX; x all different. */
double robust_slope(const double *x, const double *y, size_t count);

/* Least-squares c in y = a + b p + c p^2 for values at p = 1, 2, ... count; 0 below three values.
 * `*sd_factor` gets the standard deviation of c when each value has one of 1; may be NULL. */
double robust_curvature(const double *y, size_t count, double *sd_factor);

struct robust_mean {
    double mean;
    double standard_error; /* of the mean; NaN below two values */
    size_t degrees;        /* of freedom, for Student's t */
    size_t set_aside;      /* values with zero weight */
};

/* Tukey's biweight: a mean in which a value weighs less the farther off it is, and nothing beyond
 * about four standard deviations. The scale is the median absolute deviation, but at least
 * `least_sd`; the interval is of the same estimator (Mosteller and Tukey 1977). Below five values
 * outliers cannot be told, so it is the plain mean. Sorts `values`; `room` for `count` doubles. */
struct robust_mean robust_mean(double *values, size_t count, double least_sd, double *room);

/* Degrees of freedom of a mean of `count` values. */
size_t robust_degrees(size_t count);

/* Half-width of the 95 % interval of the mean, sqrt((t standard_error)^2 + (1.96 systematic_sd)^2):
 * its scatter by Student's t, and a systematic standard deviation that averaging does not reduce.
 * NaN below two values. */
double robust_ci95_half(const struct robust_mean *mean, double systematic_sd);

/* Number of values beyond the biweight's reach from the median; 0 below five values. Sorts
 * `values`. */
size_t robust_wild(double *values, size_t count, double least_sd, double *room);

struct two_modes {
    double low, high; /* means of the two groups */
    double share;     /* of the values in the smaller group */
};

/* Do the values fall into two separate groups? Each must hold at least a tenth of the values, and
 * their means must differ by more than `least_gap` and by far more than either group's width. Sorts
 * `values`. */
bool robust_two_modes(double *values, size_t count, double least_gap, struct two_modes *modes);

#endif
