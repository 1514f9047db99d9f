/* Chooses among linear equations for the same rows, by how well each row is predicted from the
 * others. */
#ifndef VEBENCH_FORM_H
#define VEBENCH_FORM_H

#include "math/bootstrap.h"

#include <stdbool.h>
#include <stdint.h>

#define FORM_TERMS_MAX      32
#define FORM_CANDIDATES_MAX 64
#define FORM_CHOSEN_MAX     BOOTSTRAP_VALUES_MAX

struct form_problem {
    size_t rows, terms;
    const double *columns; /* [terms][rows], term by term */
    const double *y;       /* [rows] */
    const double *row_sd;  /* [rows], standard deviations of the measurement, 0 or more */
    /* Sets of terms, one bit each, fewest terms first. */
    uint32_t candidates[FORM_CANDIDATES_MAX];
    size_t candidate_count;
    /* Terms are costs: a candidate with several terms is not chosen if one of them is negative. */
    bool is_cost;
};

struct form {
    uint32_t terms;                      /* of the candidate chosen */
    size_t count;                        /* of its terms */
    double coefficient[FORM_CHOSEN_MAX]; /* in the order of the bits */
    struct interval interval[FORM_CHOSEN_MAX];
    double left_out_rms;   /* NaN where there are no more rows than terms */
    double left_out_share; /* the same for relative errors, each row counting as at least the
                              half-width of its own interval; NaN as above */
    double left_out_sds;   /* the same in standard deviations of each row; NaN as above */
    size_t worst_row;      /* with the largest residual */
    double worst_residual;
};

/* Chooses the candidate with the least error on left-out rows; among those within 5 % of it, or
 * within the rows' own uncertainty, the one with fewest terms. Rows are weighted by 1 / (sd^2 +
 * median sd^2), so that exact rows count more but no single row dominates. A term that only one row
 * has is left out together with that row.
 *
 * STATUS_FAILED where no candidate can be fitted, STATUS_NO_MEMORY where one was not tried. */
enum status form_choose(struct form *form, const struct form_problem *problem, uint64_t seed,
                        struct error *error);

#endif
