/* A table that is written in the format that a reader or a program wants. */
#ifndef VEBENCH_TABLE_H
#define VEBENCH_TABLE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* For programs, and the last two for readers. */
enum table_format { TABLE_CSV, TABLE_JSON, TABLE_JSONL, TABLE_MARKDOWN, TABLE_PLAIN };

static inline bool table_is_for_readers(enum table_format format)
{
    return format >= TABLE_MARKDOWN;
}

struct table_column {
    const char *name;
    bool is_number; /* to the right in a table, no text in JSON */
};

/* Cells are given one after another, row by row. */
struct table {
    const struct table_column *columns; /* borrowed */
    size_t column_count;
    char **cells; /* owned */
    size_t cell_count, room;
    bool out_of_memory;
};

void table_init(struct table *table, const struct table_column *columns, size_t count);
void table_free(struct table *table);

/* The next cell: formatted text; a number with up to six significant digits, empty for a NaN. */
void table_text(struct table *table, const char *format, ...) VEBENCH_PRINTF(2, 3);
void table_number(struct table *table, double number);

/* Writes it whole: a table with its columns side by side, or rows of Markdown or CSV, or a JSON
 * array of objects. STATUS_FAILED where memory was short. */
enum status table_write(const struct table *table, enum table_format format, FILE *out,
                        struct error *error);

/* `text` as a string of JSON, quotes included. */
void json_put_string(FILE *out, const char *text);

#endif
