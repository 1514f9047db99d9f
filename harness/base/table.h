/* Tables, written in a format for people or for programs. */
#ifndef VEBENCH_TABLE_H
#define VEBENCH_TABLE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The last two are for people, the others for programs. */
enum table_format { TABLE_CSV, TABLE_JSON, TABLE_JSONL, TABLE_MARKDOWN, TABLE_PLAIN };

static inline bool table_is_for_readers(enum table_format format)
{
    return format >= TABLE_MARKDOWN;
}

struct table_column {
    const char *name;
    bool is_number; /* right-aligned in a table, unquoted in JSON */
};

/* Cells are added one by one, row by row. */
struct table {
    const struct table_column *columns; /* borrowed */
    size_t column_count;
    char **cells; /* owned */
    size_t cell_count, room;
    bool out_of_memory;
};

void table_init(struct table *table, const struct table_column *columns, size_t count);
void table_free(struct table *table);

/* Add the next cell: formatted text, or a number of up to six significant digits (NaN: empty). */
void table_text(struct table *table, const char *format, ...) VEBENCH_PRINTF(2, 3);
void table_number(struct table *table, double number);

/* Writes the whole table: with aligned columns, as rows of Markdown or CSV, or as a JSON array of
 * objects. Fails only when out of memory. */
enum status table_write(const struct table *table, enum table_format format, FILE *out,
                        struct error *error);

#endif
