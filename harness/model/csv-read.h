/* Reads CSV as RFC 4180 defines it, whole and strictly: what is not right is an error that names
 * file, line and column, not a guess. */
#ifndef VEBENCH_CSV_READ_H
#define VEBENCH_CSV_READ_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The longest field; what is longer is no file of ours. */
#define CSV_FIELD_BYTES_MAX 65536u

/* The same of columns and of whole files. */
#define CSV_COLUMNS_MAX 1024u
#define CSV_BYTES_MAX   1073741824u

struct csv_table {
    char *path;      /* owned */
    char *text;      /* owned; the cells point into it, unquoted in place */
    char **cells;    /* row by row, the header first */
    unsigned *lines; /* for each row, header first: the line it begins on, from 1 */
    size_t *begins;  /* and the byte of the file */
    size_t column_count;
    size_t row_count; /* without the header */
    size_t bytes;     /* of the file up to the end of its last whole row */
    bool is_torn;     /* what follows is no whole row: whoever wrote it came to an end, or the disk
                         did. It is left out */
};

/* Told of every torn file that is read; NULL: nobody is. `line` is where the torn row begins. */
extern void (*csv_on_torn_row)(const char *path, unsigned line);

/* STATUS_FAILED where the file cannot be read, is empty, ends within its header, has a row with
 * another number of fields than the header, a NUL or what is no UTF-8, a column name twice, or
 * is larger than the limits above. A byte order mark at its beginning is passed over. */
enum status csv_read(struct csv_table *table, const char *path, struct error *error);
void csv_table_free(struct csv_table *table);

/* Index of a column, or SIZE_MAX. */
size_t csv_table_column(const struct csv_table *table, const char *name);

/* A field; `row` from 0, without the header. */
const char *csv_table_cell(const struct csv_table *table, size_t row, size_t column);

/* A field as a finite number. STATUS_FAILED, naming line and column, where it is none; empty fields
 * are `absent`. */
enum status csv_table_number(const struct csv_table *table, size_t row, size_t column,
                             double absent, double *number, struct error *error);

/* Says what is wrong with a field: "FILE:LINE, column NAME: 'TEXT' ...". */
enum status csv_table_wrong(const struct csv_table *table, size_t row, size_t column,
                            const char *what, struct error *error);

#endif
