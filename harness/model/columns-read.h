/* Rows of a CSV table as the structs of base/columns.h. */
#ifndef VEBENCH_COLUMNS_READ_H
#define VEBENCH_COLUMNS_READ_H

#include "base/columns.h"
#include "model/csv-read.h"

/* Where the table has each of the columns, or SIZE_MAX. STATUS_FAILED where it lacks a required
 * one: `what`, such as "results", says which kind of file it is not. */
enum status columns_find(const struct csv_table *table, const struct column *columns, size_t count,
                         const char *what, size_t *places, struct error *error);

/* Reads a row, from 0, into the struct that the columns are of. Texts stay the table's, "" where
 * empty. STATUS_FAILED, naming line and column, for a number that is none, that is negative where
 * it cannot be, or that is no whole number where it has to be one. */
enum status columns_read_row(const struct csv_table *table, const struct column *columns,
                             size_t count, const size_t *places, size_t row, void *fields,
                             struct error *error);

#endif
