/* Bootstrap intervals for a linear fit. */
#ifndef VEBENCH_LINEAR_INTERVALS_H
#define VEBENCH_LINEAR_INTERVALS_H

#include "math/bootstrap.h"
#include "math/linear.h"

/* 95 % intervals of the coefficients of `fit`, one for each of its `columns`.
 *
 * Residuals are resampled and not rows, since a sweep chooses its sizes rather than drawing them. A
 * replicate is the fitted values plus residuals drawn anew, each enlarged by 1 / sqrt(1 - leverage)
 * to undo what the fit took off it, and rescaled by `row_sd` from its own row to the row it is
 * drawn for. Coefficients are linear in the rows, so a replicate's are those of the fit plus what
 * its residuals add (fit->influence), and nothing is solved again. Intervals are widened by
 * Student's factor for the degrees of freedom.
 *
 * Where rows lie closer to the fit than their own measurement error (`row_sd`, standard
 * deviations), that error decides: the interval is that of a sum of normal errors. STATUS_FAILED as
 * for bootstrap_intervals(). */
enum status linear_intervals(const struct linear_fit *fit, const double *row_sd, uint64_t seed,
                             struct interval *intervals, struct error *error);

#endif
