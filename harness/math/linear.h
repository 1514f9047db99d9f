/* Linear least squares by LAPACK's QR decomposition, with diagnostics of the fit. */
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
    double *left_out;   /* [rows], y less its prediction from all other rows; NaN where these do not
                           determine the coefficients */
    double *influence;  /* [columns][rows], change of a coefficient per unit of a row's y */
    double residual_sd; /* of a row with weight 1; NaN where rows == columns */
    double r_squared;   /* about the mean where one column is constant, else about 0 */
    double left_out_rms; /* root of the weighted mean square of `left_out`; NaN where that is */
    double *storage;     /* owned: all of the arrays above */
};

/* Fits y = design * coefficients; `design` is rows x columns, stored row by row. `weights` are
 * inverse variances up to a common factor, all above 0; NULL weights all rows alike. Columns are
 * scaled to similar length before decomposition, and the solution is refined with residuals in long
 * double (Bjorck 1967), which recovers what QR loses on an ill-conditioned design.
 *
 * STATUS_FAILED, with nothing to free, for fewer rows than columns, non-finite numbers, and
 * linearly dependent columns. */
enum status linear_fit(struct linear_fit *fit, const double *design, const double *y,
                       const double *weights, size_t rows, size_t columns, struct error *error);
void linear_fit_free(struct linear_fit *fit);

#endif
