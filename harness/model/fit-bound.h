/* Fits a time with two lower bounds, max(floor, slope load). The floor is the time of the operation
 * by itself; the slope is the time for which a unit of load occupies the shared resource. */
#ifndef VEBENCH_FIT_BOUND_H
#define VEBENCH_FIT_BOUND_H

#include "model/fit.h"

struct bound_terms {
    struct fit_term floor, slope;
    const char *command; /* a sweep that would measure what is missing */
};

/* Adds NAME.FLOOR and NAME.SLOPE, with the names of the terms; `load` has one number above 0 for
 * each row, in rows->columns. A term that is the larger one in no row is absent. */
enum status fit_bound(struct fit *fit, const struct row_set *rows, const char *name,
                      const struct bound_terms *terms);

/* Adds to `*misfit` the sum of squares, relative to the values, that the best fit of the rows
 * leaves; used to choose between loads. */
enum status fit_bound_misfit(struct fit *fit, const struct row_set *rows, double *misfit);

/* The larger of the two terms; false where the model has neither. */
bool predict_bound(const struct model *model, const char *name, const struct bound_terms *terms,
                   double load, double *value);

#endif
