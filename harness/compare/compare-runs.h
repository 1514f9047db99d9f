/* The rows of several runs on each of two sides, side by side: how all of a run's rows lie to those
 * of the others, and how runs of one side scatter. docs/model.md, "Comparison", has the formulas.
 */
#ifndef VEBENCH_COMPARE_RUNS_H
#define VEBENCH_COMPARE_RUNS_H

#include "math/moderated-variance.h"
#include "rows/records.h"

/* A file of results on either side. */
struct compare_run {
    const struct records *records; /* borrowed */
    double factor; /* by which its rows take longer than those of the base's typical run: what all
                      of them have in common */
};

#define COMPARE_RUNS_MAX 64

/* Runs of the base first. */
struct compare_runs {
    struct compare_run run[COMPARE_RUNS_MAX];
    size_t base, new;           /* how many of each side */
    const struct record **rows; /* owned, [row_count][base + new]; NULL: the run has no such time */
    size_t row_count;
};

static inline size_t compare_run_count(const struct compare_runs *runs)
{
    return runs->base + runs->new;
}

/* What the runs have of a row: [base + new]. */
static inline const struct record *const *compare_row(const struct compare_runs *runs, size_t row)
{
    return &runs->rows[row * compare_run_count(runs)];
}

/* A shift that all rows have in common. */
struct common_shift {
    bool is_common;     /* most rows follow it; otherwise there is none, and what follows is 0 */
    size_t rows;        /* it was found in */
    double change;      /* of the new side against the base, relative */
    double low, high;   /* 95 % interval of that */
    double probability; /* that chance alone makes such a shift: among runs, where a side has
                           several; otherwise among rows; once compared, corrected for the
                           tests of the rows */
    double row_error;   /* standard error of it as a reference for rows, relative */
};

/* Finds the shift and, if there is one, sets each run's factor, which is 1 before. Smaller
 * differences than `threshold` count as none.
 */
enum status compare_find_shift(struct compare_runs *runs, double threshold,
                               struct common_shift *shift, struct error *error);

/* Writes for each row the variance of a single run around its side's mean, in the square of the
 * row's unit, factors removed; 0 degrees where nothing is known of it. `variance`: [row_count]. */
enum status compare_find_variances(const struct compare_runs *runs, struct variance *variance,
                                   struct error *error);

/* Standard error of a row's mean within its run, which its interval is Student's factor times, and
 * its degrees of freedom. */
double compare_error_within(const struct record *record, double *degrees);

struct side_mean {
    double mean; /* of the runs' means, ns, factors removed */
    double raw;  /* the same with them */
    double runs; /* that have the row */
};

/* The row on one side, which is runs `first` to `first` + `count`. */
struct side_mean compare_side_mean(const struct compare_runs *runs, size_t row, size_t first,
                                   size_t count);

#endif
