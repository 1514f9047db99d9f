/* The columns of the CSV files, each stated once: results-columns.def and samples-columns.def say
 * name, type, whether a file has to have it, unit and meaning. The struct of a row, its writer, its
 * reader and the tables of docs/csv.md come from there. */
#ifndef VEBENCH_COLUMNS_H
#define VEBENCH_COLUMNS_H

#include "base/csv.h"

#include <stdbool.h>
#include <stddef.h>

/* What a field holds, and how the struct of a row keeps it. */
enum column_type {
    COLUMN_TEXT,    /* const char *; NULL where empty */
    COLUMN_SIZE,    /* unsigned: a whole number from 1 */
    COLUMN_COUNT,   /* unsigned: a whole number; 0 where empty */
    COLUMN_COUNT64, /* uint64_t: the same */
    COLUMN_AMOUNT,  /* double, not negative; NaN where empty */
    COLUMN_REAL,    /* double; NaN where empty */
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
    bool required;    /* a file without it is refused; earlier versions wrote none of the others */
    size_t offset;    /* in the struct of a row */
    const char *unit; /* Markdown; "" where it has none */
    const char *meaning; /* Markdown */
};

#define COLUMN(name, type, need, unit, meaning) column_##type name;
struct results_row {
#include "base/results-columns.def"
};
struct samples_row {
#include "base/samples-columns.def"
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

extern const struct column results_columns[RESULTS_COLUMNS];
extern const struct column samples_columns[SAMPLES_COLUMNS];

/* Makes all fields of a row empty. */
void columns_clear(const struct column *columns, size_t count, void *row);

/* The header, a row, and what ends the last one, in the format of `csv`; `row` is the struct that
 * the offsets are of. JSON has empty fields as null, and `parameters` as the text they are in CSV.
 * Errors as csv_end_row(). */
enum status columns_write_header(const struct column *columns, size_t count, struct csv *csv,
                                 struct error *error);
enum status columns_write_row(const struct column *columns, size_t count, const void *row,
                              struct csv *csv, struct error *error);
enum status columns_write_end(struct csv *csv, struct error *error);

/* The columns as a Markdown table, as docs/csv.md has it. */
void columns_print(const struct column *columns, size_t count, FILE *out);

#endif
