/* The statistics of vebench. No function here allocates or fails; what cannot be computed is NaN.
 * docs/measurement.md has the formulas in context. */
#ifndef VEBENCH_STATS_H
#define VEBENCH_STATS_H

#include <stddef.h>

/* The 97.5 % point of the standard normal distribution. */
#define STATS_Z975 1.959963984540054

/* An ordinary least squares line through (x, y). */
struct line_fit {
    double slope;
    double intercept;
    double r_squared; /* 1 for a perfect fit, also if y is constant and the line meets it */
    double sxx;       /* sum of (x - mean x)^2 */
};

/* Needs at least two different x; otherwise the slope is NaN. */
struct line_fit stats_fit_line(const double *x, const double *y, size_t count);

/* Standard deviation of a slope whose points have independent errors of standard deviation
 * `point_sd`: point_sd / sqrt(sxx). */
double stats_slope_sd(double point_sd, double sxx);

/* Standard deviation of a duration read as the difference of two timestamps, each rounded to a
 * tick: the two rounding errors are uniform, their difference is triangular with variance
 * tick^2 / 6. In the unit of `tick`. */
double stats_quantisation_sd(double tick);

struct distribution {
    size_t count;
    double min, p05, median, mean, p95, max;
    double stddev; /* sample standard deviation (count - 1); NaN below two values */
};

/* `values` is sorted in place. */
struct distribution stats_describe(double *values, size_t count);

/* Ascending, in place. */
void stats_sort(double *values, size_t count);

/* Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan); `sorted`
 * ascending, 0 <= probability <= 1. */
double stats_quantile(const double *sorted, size_t count, double probability);

/* The same for unsorted values, in linear time: reorders them without sorting. None may be NaN. */
double stats_select_quantile(double *values, size_t count, double probability);

/* The 97.5 % point of Student's t with `degrees` degrees of freedom, the factor of a two-sided
 * 95 % interval; at least 1, NaN for 0. Within 0.1 % of the exact value. */
double stats_t975(size_t degrees);

/* The probability that Student's t with `degrees` degrees of freedom, which need not be whole, lies
 * at least as far from 0 as `t`. `degrees` > 0; 0 for an infinite t, NaN for NaN. */
double stats_student(double t, double degrees);

/* The probability that chance alone makes a difference whose standard error is `error`, with its
 * degrees of freedom. Without an error any difference is real. */
double stats_chance(double difference, double error, double degrees);

/* Finds a change of level in a series: the number of values before the change by Pettitt's test
 * (1979), which depends only on the order of the values; 0 if chance produces such a series more
 * than one time in ten. */
size_t stats_find_change(const double *values, size_t count);

/* The larger distance of the medians before and after the change from the mean of the two levels,
 * relative to that mean; `before` values precede the change. Sorts both parts in place. */
double stats_change_size(double *values, size_t count, size_t before);

#endif
