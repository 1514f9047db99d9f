/* Rows sorted by what they are of, in runs that are alike. */
#ifndef VEBENCH_ROW_RUNS_H
#define VEBENCH_ROW_RUNS_H

#include "model/records.h"

struct row_run {
    const struct record *const *row; /* [count], in the order of the file; never empty */
    size_t count;
};

struct row_runs {
    const struct record **row; /* owned */
    struct row_run *run;       /* owned; in the order of their first rows */
    size_t count;
};

/* An order of rows, without regard to where they stand: arguments are const struct record *const *,
 * as for qsort(). */
typedef int row_order(const void *left, const void *right);

/* Takes over `row`, `count` pointers into one array of records, also where it fails. Runs are of
 * rows between which `order` makes no difference. */
enum status row_runs_make(struct row_runs *runs, const struct record **row, size_t count,
                          row_order *order, struct error *error);
void row_runs_free(struct row_runs *runs);

#endif
