/* Sorts rows into runs of equal rows. */
#ifndef VEBENCH_ROW_RUNS_H
#define VEBENCH_ROW_RUNS_H

#include "rows/records.h"

struct row_run {
    const struct record *const *row; /* [count], in file order; never empty */
    size_t count;
};

struct row_runs {
    const struct record **row; /* owned */
    struct row_run *run;       /* owned; ordered by first row */
    size_t count;
};

/* An order that ignores where rows stand in the file, for qsort(): arguments are const struct
 * record *const *. */
typedef int row_order(const void *left, const void *right);

/* Takes ownership of `row`, `count` pointers into one array of records, even on failure. A run is a
 * set of rows that `order` considers equal. */
enum status row_runs_make(struct row_runs *runs, const struct record **row, size_t count,
                          row_order *order, struct error *error);
void row_runs_free(struct row_runs *runs);

#endif
