/* Least squares of what is bounded below by two things: max(floor, slope load), relative to the
 * values, since loads span decades.
 *
 * Ordered by load, some first rows are at the floor and all others at the slope. For each such
 * division both are weighted means, and where the two would cross elsewhere than between them, the
 * best on that edge is: the least of them all is the solution, exactly, in a single pass. */
#ifndef VEBENCH_BOUND_H
#define VEBENCH_BOUND_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Rows are left out one by one, or, where there are more, in as many portions. */
#define BOUND_PORTIONS 64

struct bound {
    double floor, slope; /* where all rows are at one of the two, the other is the most that leaves
                            them there */
    double squares;      /* of the relative residuals */
};

/* Rows in the order of their load. */
struct bound_rows {
    size_t count;
    const double *load; /* [count], borrowed; 0 or more */
    size_t *order;      /* [count], owned */
};

enum status bound_rows_sort(struct bound_rows *rows, const double *load, size_t count,
                            struct error *error);
void bound_rows_free(struct bound_rows *rows);

double bound_at(const struct bound *bound, double load);

/* Of `y`, above 0, all rows; false where a value is not. */
bool bound_solve(const struct bound_rows *rows, const double *y, struct bound *found);

/* The root mean square of what each row is off when it is predicted from the others. NaN for fewer
 * than two rows. */
double bound_left_out_rms(const struct bound_rows *rows, const double *y);

#endif
