/* Non-linear least squares: NLopt finds the valley, linear least squares its floor. */
#ifndef VEBENCH_NONLINEAR_H
#define VEBENCH_NONLINEAR_H

#include "model/linear.h"

#include <stdint.h>

#define NONLINEAR_PARAMETERS_MAX 16

struct nonlinear_problem {
    /* What the model says of a row. May return anything for parameters out of its domain; what is
     * not finite counts as infinitely wrong. */
    double (*predict)(const double *parameters, size_t row, void *context);
    void *context;
    const double *y;       /* [rows] */
    const double *weights; /* [rows], as linear_fit() takes them; NULL: all alike */
    size_t rows;
    const double *lower, *upper; /* [parameters], finite, lower < upper */
    const double *starts;        /* [start_count][parameters], within the bounds */
    size_t start_count;
    int decades; /* also from each start divided by 10, 100, ...: where only its direction is known
                  */
    size_t parameters;
};

struct nonlinear_fit {
    double parameter[NONLINEAR_PARAMETERS_MAX];
    double standard_error[NONLINEAR_PARAMETERS_MAX]; /* of the linearised model; NaN where held */
    double sum_of_squares;                           /* weighted */
    double left_out_rms; /* of the model linearised at the solution; NaN where that fails */
    size_t held;         /* parameters that ended at a bound, or on which no row depends there */
};

/* From every start a derivative-free search (BOBYQA, then a subspace simplex) within the bounds;
 * the best end is polished by steps of the linearised problem, each of which has to lower the sum
 * of squares. STATUS_FAILED where no start leads anywhere finite. */
enum status nonlinear_fit(struct nonlinear_fit *fit, const struct nonlinear_problem *problem,
                          struct error *error);

#endif
