/* RFC 4180 CSV: comma-separated fields, quoted where necessary, in UTF-8, with a decimal point
 * whatever the locale. Lines end in CR LF. */
#ifndef VEBENCH_CSV_H
#define VEBENCH_CSV_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How rows are written. This file knows only CSV, base/columns.h all of them. */
enum row_format { ROWS_CSV, ROWS_JSON, ROWS_JSONL, ROWS_MARKDOWN };

struct csv {
    FILE *file;       /* owned between csv_create and csv_close, borrowed after csv_attach */
    const char *path; /* borrowed, must outlive the csv */
    bool is_borrowed;
    enum row_format format;
    unsigned column;
    unsigned row; /* rows so far, not counting the header */
};

/* Creates `path`, which must not exist: results are never overwritten or mixed. */
enum status csv_create(struct csv *csv, const char *path, struct error *error);

/* Writes to an open stream and leaves it open; `name` is for messages. */
void csv_attach(struct csv *csv, FILE *file, const char *name);

/* One field of the current row. A NULL text and a NaN give an empty field. */
void csv_text(struct csv *csv, const char *text);
void csv_unsigned(struct csv *csv, uint64_t number);
void csv_real(struct csv *csv, double number);

/* Ends the row and flushes it to the operating system. STATUS_FAILED if any of it could not be
 * written. */
enum status csv_end_row(struct csv *csv, struct error *error);

/* Flushes everything to the operating system; errors as csv_end_row(). */
enum status csv_flush(struct csv *csv, struct error *error);

enum status csv_close(struct csv *csv, struct error *error);

/* Closes after rows of which `status` tells how writing them went; `error` is of what failed first.
 */
enum status csv_finish(struct csv *csv, enum status status, struct error *error);

#define CSV_REAL_BYTES 32

/* At most 10 significant digits, decimal point '.', no grouping. */
void csv_format_real(double number, char text[CSV_REAL_BYTES]);

#endif
