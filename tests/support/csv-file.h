/* Reads CSV as RFC 4180 defines it: quoted fields may contain commas, quotes and line breaks. */
#ifndef TESTS_DRIVER_CSV_FILE_H
#define TESTS_DRIVER_CSV_FILE_H

#include <stddef.h>

struct csv_file {
    char *text;   /* the file, unquoted in place; the cells point into it */
    char **cells; /* row by row, the header first */
    size_t column_count;
    size_t row_count; /* without the header */
};

/*
 * Returns 0, or -1 with a line on stderr if the file cannot be read, a quote is left open, or a row
 * has not as many fields as the header. csv_file_free() is right in both cases.
 */
int csv_file_load(struct csv_file *csv, const char *path);
void csv_file_free(struct csv_file *csv);

/* The name of a column. */
const char *csv_file_column(const struct csv_file *csv, size_t column);

/* A field of a row, or NULL if there is no such column. */
const char *csv_file_field(const struct csv_file *csv, size_t row, const char *column);

/* The row is that of another file, in every column but those that no two runs have alike: run_id,
 * time_utc. `but` is one more that may differ, or NULL. Fails the running test otherwise. */
void csv_file_assert_same_row(const struct csv_file *csv, size_t row, const struct csv_file *other,
                              size_t other_row, const char *but);

/* The same for the first `rows` rows of both. */
void csv_file_assert_same_rows(const struct csv_file *csv, const struct csv_file *other,
                               size_t rows);

#endif
