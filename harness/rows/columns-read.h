/* Reads rows of a CSV table into the structs of base/columns.h. */
#ifndef VEBENCH_COLUMNS_READ_H
#define VEBENCH_COLUMNS_READ_H

#include "base/columns.h"
#include "rows/csv-read.h"

/* Finds where the table has each column; SIZE_MAX where it has not. STATUS_FAILED where a required
 * one is missing; `what`, such as "results", names the kind of file for the message. */
enum status columns_find(const struct csv_table *table, const struct column *columns, size_t count,
                         const char *what, size_t *places, struct error *error);

/* Reads a row, counted from 0, into the struct described by the columns. Texts point into the
 * table, and are "" where empty. STATUS_FAILED, naming line and column, for a malformed number, and
 * for a negative or fractional one in a column that does not allow it. */
enum status columns_read_row(const struct csv_table *table, const struct column *columns,
                             size_t count, const size_t *places, size_t row, void *fields,
                             struct error *error);

#endif
