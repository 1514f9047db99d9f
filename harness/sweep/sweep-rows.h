/* The rows of a sweep's tasks, and their samples. */
#ifndef VEBENCH_SWEEP_ROWS_H
#define VEBENCH_SWEEP_ROWS_H

#include "base/csv.h"
#include "sweep/sweep.h"
#include "sweep/task.h"

/* What all rows of a sweep share; borrowed. */
struct sweep_rows {
    const struct sweep_request *request;
    const struct run_identity *identity;
    const struct gpu *gpu;
};

/* Writes the rows of a task, except those of excluded variants. */
enum status sweep_rows_write(const struct sweep_rows *rows, const struct task *task,
                             struct csv *results, struct error *error);

/* Writes its samples. */
enum status sweep_rows_write_samples(const struct sweep_rows *rows, const struct task *task,
                                     struct csv *samples, struct error *error);

/* Writes what its counters of the hardware have counted. */
enum status sweep_rows_write_counts(const struct sweep_rows *rows, const struct task *task,
                                    struct csv *counters, struct error *error);

/* Adds `by` for each variant of the task to the count of its outcome. */
void sweep_rows_count(const struct task *task, size_t by, struct sweep_counts *counts);

#endif
