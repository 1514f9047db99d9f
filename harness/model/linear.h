/* Linear least squares by LAPACK's QR decomposition, with what is needed to judge a fit. */
#ifndef VEBENCH_LINEAR_H
#define VEBENCH_LINEAR_H

#include "base/error.h"

#include <stddef.h>

struct linear_fit {
    size_t rows, columns;
    double *coefficient;    /* [columns] */
    double *standard_error; /* [columns]; NaN where rows == columns */
    double *fitted;         /* [rows] */
    double *residual;       /* [rows], y - fitted */
    double *leverage;       /* [rows], diagonal of the hat matrix: 0 to 1 */
    double *left_out;       /* [rows], y less its prediction from all other rows; NaN where the
                               others do not determine the coefficients */
    double *influence;      /* [columns][rows], what a unit of a row's y adds to a coefficient */
    double residual_sd;     /* of a row of weight 1; NaN where rows == columns */
    double r_squared;       /* about the mean where a column is constant, else about 0 */
    double left_out_rms;    /* root of the weighted mean square of `left_out`; NaN as there */
    double *storage;        /* owned: all of the arrays above */
};

/* y is about design * coefficients; `design` is rows x columns, row by row. `weights` are inverse
 * variances up to a common factor, all above 0; NULL: all alike. The decomposition is of columns
 * scaled to similar length, the solution is refined with residuals in long double (Bjorck 1967), so
 * that what a QR decomposition loses to an ill-conditioned design comes back.
 *
 * STATUS_FAILED, with nothing to free, for fewer rows than columns, numbers that are not finite,
 * and columns that depend on each other. */
enum status linear_fit(struct linear_fit *fit, const double *design, const double *y,
                       const double *weights, size_t rows, size_t columns, struct error *error);
void linear_fit_free(struct linear_fit *fit);

#endif
