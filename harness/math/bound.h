/* Least squares for a value with two lower bounds, max(floor, slope load). Residuals are relative
 * to the values, since loads span decades.
 *
 * In order of load, the first rows are at the floor and the rest at the slope. For each such
 * division both terms are weighted means; where these would cross outside the gap between the two
 * sets of rows, the best solution on its edge is taken. The least of all divisions is the exact
 * solution, found in a single pass. */
#ifndef VEBENCH_BOUND_H
#define VEBENCH_BOUND_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Rows are left out one by one or, if there are more than this, in this many portions. */
#define BOUND_PORTIONS 64

struct bound {
    double floor, slope; /* where all rows are at one of them, the other is the largest value that
                            keeps them there */
    double squares;      /* sum of squared relative residuals */
};

/* Rows sorted by load. */
struct bound_rows {
    size_t count;
    const double *load; /* [count], borrowed; 0 or more */
    size_t *order;      /* [count], owned */
};

enum status bound_rows_sort(struct bound_rows *rows, const double *load, size_t count,
                            struct error *error);
void bound_rows_free(struct bound_rows *rows);

double bound_at(const struct bound *bound, double load);

/* Fits all rows to `y`; false where a value is not above 0. */
bool bound_solve(const struct bound_rows *rows, const double *y, struct bound *found);

/* The root mean square error of each row when predicted from the others. NaN for fewer than two
 * rows. */
double bound_left_out_rms(const struct bound_rows *rows, const double *y);

#endif
