/* The columns of the CSV files, each defined once: results-columns.def, samples-columns.def and
 * counters-columns.def give name, type, whether a file must have it, unit and meaning. The row
 * structs, their writers and readers and the tables of docs/csv.md are all generated from these. */
#ifndef VEBENCH_COLUMNS_H
#define VEBENCH_COLUMNS_H

#include "base/csv.h"

#include <stdbool.h>
#include <stddef.h>

/* What a field holds and how the row struct stores it. */
enum column_type {
    COLUMN_TEXT,    /* const char *; NULL if empty */
    COLUMN_SIZE,    /* unsigned: a whole number from 1 */
    COLUMN_COUNT,   /* unsigned: a whole number; 0 if empty */
    COLUMN_COUNT64, /* uint64_t: likewise */
    COLUMN_AMOUNT,  /* double, not negative; NaN if empty */
    COLUMN_REAL,    /* double; NaN if empty */
};

typedef const char *column_TEXT;
typedef unsigned column_SIZE;
typedef unsigned column_COUNT;
typedef uint64_t column_COUNT64;
typedef double column_AMOUNT;
typedef double column_REAL;

struct column {
    const char *name;
    enum column_type type;
    bool required;    /* a file without it is refused; the others are missing from files of earlier
                         versions */
    size_t offset;    /* in the row struct */
    const char *unit; /* Markdown; "" for none */
    const char *meaning; /* Markdown */
};

#define COLUMN(name, type, need, unit, meaning) column_##type name;
struct results_row {
#include "base/results-columns.def"
};
struct samples_row {
#include "base/samples-columns.def"
};
struct counters_row {
#include "base/counters-columns.def"
};
#undef COLUMN

#define COLUMN(name, type, need, unit, meaning) RESULTS_##name,
enum {
#include "base/results-columns.def"
    RESULTS_COLUMNS
};
#undef COLUMN
#define COLUMN(name, type, need, unit, meaning) SAMPLES_##name,
enum {
#include "base/samples-columns.def"
    SAMPLES_COLUMNS
};
#undef COLUMN
#define COLUMN(name, type, need, unit, meaning) COUNTERS_##name,
enum {
#include "base/counters-columns.def"
    COUNTERS_COLUMNS
};
#undef COLUMN

extern const struct column results_columns[RESULTS_COLUMNS];
extern const struct column samples_columns[SAMPLES_COLUMNS];
extern const struct column counters_columns[COUNTERS_COLUMNS];

/* Sets all fields of a row to empty. */
void columns_clear(const struct column *columns, size_t count, void *row);

/* Write the header, a row, and the end of the output, in the format of `csv`; `row` is the struct
 * that the offsets refer to. In JSON, empty fields are null, and `parameters` is the same text as
 * in CSV. Errors as csv_end_row(). */
enum status columns_write_header(const struct column *columns, size_t count, struct csv *csv,
                                 struct error *error);
enum status columns_write_row(const struct column *columns, size_t count, const void *row,
                              struct csv *csv, struct error *error);
enum status columns_write_end(struct csv *csv, struct error *error);

/* Prints the columns as the Markdown table in docs/csv.md. */
void columns_print(const struct column *columns, size_t count, FILE *out);

#endif
