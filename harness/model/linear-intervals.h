/* The bootstrap of a linear fit. */
#ifndef VEBENCH_LINEAR_INTERVALS_H
#define VEBENCH_LINEAR_INTERVALS_H

#include "model/bootstrap.h"
#include "model/linear.h"

/* 95 % intervals of the coefficients of `fit`, which linear_fit() made of `design` and `weights`.
 *
 * Rows are resampled by their residuals, since a sweep chooses its sizes and does not draw them:
 * every replicate is the fitted values plus residuals drawn anew, each first enlarged by what the
 * fit took off it, 1 / sqrt(1 - leverage), and scaled from the row it is of to the row it goes to
 * by `row_sd`. Where rows lie closer to the fit than their own measurement is exact (`row_sd`,
 * standard deviations), normal errors of that size are drawn instead. Intervals are widened by
 * Student's factor for the degrees of freedom. STATUS_FAILED as linear_fit() and
 * bootstrap_intervals(). */
enum status linear_intervals(const struct linear_fit *fit, const double *design,
                             const double *weights, const double *row_sd, uint64_t seed,
                             struct interval *intervals, struct error *error);

#endif
