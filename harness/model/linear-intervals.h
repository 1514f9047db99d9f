/* The bootstrap of a linear fit. */
#ifndef VEBENCH_LINEAR_INTERVALS_H
#define VEBENCH_LINEAR_INTERVALS_H

#include "model/bootstrap.h"
#include "model/linear.h"

/* 95 % intervals of the coefficients of `fit`, to its `columns`.
 *
 * Rows are resampled by their residuals, since a sweep chooses its sizes and does not draw them:
 * every replicate is the fitted values plus residuals drawn anew, each first enlarged by what the
 * fit took off it, 1 / sqrt(1 - leverage), and scaled from the row it is of to the row it goes to
 * by `row_sd`. A coefficient is linear in the rows, so a replicate's is that of the fit and what
 * its residuals add (fit->influence): nothing is solved again. Intervals are widened by Student's
 * factor for the degrees of freedom.
 *
 * Where rows lie closer to the fit than their own measurement is exact (`row_sd`, standard
 * deviations), they scatter by that: the interval is that of the sum of normal errors.
 * STATUS_FAILED as bootstrap_intervals(). */
enum status linear_intervals(const struct linear_fit *fit, const double *row_sd, uint64_t seed,
                             struct interval *intervals, struct error *error);

#endif
