/* Reads CSV files strictly, as RFC 4180 defines them: anything invalid is an error that names
 * file, line and column, never a guess. Lines before the header that begin with # are comments. */
#ifndef VEBENCH_CSV_READ_H
#define VEBENCH_CSV_READ_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The longest field; no file of ours has a longer one. */
#define CSV_FIELD_BYTES_MAX 65536u

/* Limits on columns and on whole files, for the same reason. */
#define CSV_COLUMNS_MAX 1024u
#define CSV_BYTES_MAX   1073741824u

struct csv_table {
    char *path;      /* owned */
    char *text;      /* owned; the cells point into it, unquoted in place */
    char **cells;    /* row by row, header first */
    unsigned *lines; /* for each row, header first: the line on which it begins, from 1 */
    size_t *begins;  /* and its byte offset in `text` */
    size_t column_count;
    size_t row_count; /* without the header */
    size_t bytes;     /* of the file, up to the end of its last complete row */
    bool is_torn; /* an incomplete row follows, because its writer was killed or the disk was full;
                     it is left out */
};

/* Called for every torn file that is read, unless NULL. `line` is where the torn row begins. */
extern void (*csv_on_torn_row)(const char *path, unsigned line);

/* Files that end in .zst are decompressed. STATUS_FAILED where the file cannot be read, is empty,
 * ends within its header, exceeds the limits above, has a row with another number of fields than
 * the header, a duplicate column name, a NUL, or invalid UTF-8. A byte order mark at its beginning
 * is skipped. */
enum status csv_read(struct csv_table *table, const char *path, struct error *error);
void csv_table_free(struct csv_table *table);

/* A row is shorter than a block. */
#define CSV_BLOCK_BYTES 4194304u

/* The same rows in blocks, for files longer than memory: at any time there is one block. */
struct csv_blocks;
enum status csv_blocks_open(struct csv_blocks **opened, const char *path, struct error *error);
/* The next block, with the header of the file and the lines of its rows; valid until the next call;
 * `*block` is NULL behind the last. Errors as csv_read(). */
enum status csv_blocks_next(struct csv_blocks *blocks, const struct csv_table **block,
                            struct error *error);
void csv_blocks_close(struct csv_blocks *blocks);

/* Index of a column, or SIZE_MAX. */
size_t csv_table_column(const struct csv_table *table, const char *name);

/* A field; `row` counts from 0, without the header. */
const char *csv_table_cell(const struct csv_table *table, size_t row, size_t column);

/* A field as a finite number; `absent` where it is empty. STATUS_FAILED, naming line and column,
 * where it is not a number. */
enum status csv_table_number(const struct csv_table *table, size_t row, size_t column,
                             double absent, double *number, struct error *error);

/* Reports what is wrong with a field: "FILE:LINE, column NAME: 'TEXT' ...". */
enum status csv_table_wrong(const struct csv_table *table, size_t row, size_t column,
                            const char *what, struct error *error);

#endif
