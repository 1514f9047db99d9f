/* max(floor, slope load) with its uncertainty: intervals, and which of the two terms the rows
 * show. */
#ifndef VEBENCH_BOUND_ESTIMATE_H
#define VEBENCH_BOUND_ESTIMATE_H

#include "math/bootstrap.h"
#include "math/bound.h"

struct bound_estimate {
    struct bound found;
    struct interval floor, slope; /* 95 % */
    bool floor_seen, slope_seen;  /* clearly the larger term in some row; else an upper bound */
    double left_out_rms;          /* NaN for a single row */
    size_t worst_row;             /* of the largest residual */
    double worst_residual;
};

/* Fits `count` rows with values `y` above 0, standard deviations `sd` of their measurement, and
 * loads. Rows are taken to scatter by their measurement error or by their distance from the fit,
 * whichever is larger. STATUS_FAILED, with the reason, where a value is not above 0. */
enum status bound_estimate(struct bound_estimate *estimate, const double *load, const double *y,
                           const double *sd, size_t count, uint64_t seed, struct error *error);

#endif
