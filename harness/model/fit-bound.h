/* Fits a time that is bounded below by two things: max(floor, slope load). The floor is what a
 * thing takes by itself, the slope the time that a unit of load holds up what is shared. */
#ifndef VEBENCH_FIT_BOUND_H
#define VEBENCH_FIT_BOUND_H

#include "model/fit.h"

struct bound_terms {
    struct fit_term floor, slope;
    const char *command; /* a sweep that supplies what is missing */
};

/* Adds NAME.FLOOR and NAME.SLOPE, by their terms' names; `load` has one number above 0 for each
 * row, in rows->columns. A term that is the larger one in no row is absent. */
enum status fit_bound(struct fit *fit, const struct row_set *rows, const char *name,
                      const struct bound_terms *terms);

/* Adds to `*misfit` the sum of squares, relative to the values, that the best fit of the rows
 * leaves; for choosing between loads. */
enum status fit_bound_misfit(struct fit *fit, const struct row_set *rows, double *misfit);

/* The larger of the two; false where the model has neither. */
bool predict_bound(const struct model *model, const char *name, const struct bound_terms *terms,
                   double load, double *value);

#endif
