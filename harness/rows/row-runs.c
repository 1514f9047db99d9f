#include "rows/row-runs.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;

    return (a > b) - (a < b);
}

static int by_first_row(const void *left, const void *right)
{
    const struct row_run *a = left, *b = right;

    return by_place(a->row, b->row);
}

enum status row_runs_make(struct row_runs *runs, const struct record **row, size_t count,
                          row_order *order, struct error *error)
{
    *runs = (struct row_runs){.row = row};
    runs->run = calloc(count + 1, sizeof(*runs->run));
    if (!row || !runs->run) {
        row_runs_free(runs);
        return error_out_of_memory(error);
    }
    qsort(row, count, sizeof(*row), order);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || order(&row[i - 1], &row[i]) != 0)
            runs->run[runs->count++] = (struct row_run){.row = &row[i]};
        runs->run[runs->count - 1].count++;
    }
    for (size_t i = 0, at = 0; i < runs->count; at += runs->run[i++].count)
        qsort(&row[at], runs->run[i].count, sizeof(*row), by_place);
    qsort(runs->run, runs->count, sizeof(*runs->run), by_first_row);
    return STATUS_OK;
}

void row_runs_free(struct row_runs *runs)
{
    free(runs->row);
    free(runs->run);
    memset(runs, 0, sizeof(*runs));
}
