/* The cost of each round, from the launches that `--samples` keeps. */
#ifndef VEBENCH_SAMPLE_COSTS_H
#define VEBENCH_SAMPLE_COSTS_H

#include "base/columns.h"
#include "rows/records.h"

#define SAMPLE_ROUNDS_MAX 1024

struct sample_file {
    struct csv_table table;
    struct samples_row *row; /* owned, [table.row_count], sorted by measurement; texts in table */
};

/* STATUS_FAILED, with the reason, where it is not a samples file. */
enum status sample_file_read(struct sample_file *file, const char *path, struct error *error);
void sample_file_free(struct sample_file *file);

/* The cost of each round of the record's measurement, in the record's unit, as defined in
 * docs/measurement.md: slope less the baseline's of the same round, per unit of work; only of the
 * newest rounds, as many as the record has. Writes at most SAMPLE_ROUNDS_MAX costs and returns
 * their number; 0 where the file does not have them. */
size_t sample_costs(const struct sample_file *file, const struct record *record, double *costs);

#endif
