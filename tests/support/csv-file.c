#include "csv-file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "process.h"

/*
 * Reads one field at *in and writes its contents, which are never longer, at *out. Returns the
 * character behind the field (a comma, a line feed, or NUL at the end), or -1 for a broken field.
 */
static int read_field(const char **in, char **out)
{
    const char *p = *in;
    char *q = *out;

    if (*p == '"') {
        for (p++; *p != '"' || p[1] == '"'; p++) {
            if (*p == '\0')
                return -1;
            p += *p == '"';
            *q++ = *p;
        }
        p++;
    } else {
        while (*p && *p != ',' && *p != '\n' && *p != '\r') {
            if (*p == '"')
                return -1;
            *q++ = *p++;
        }
    }
    if (p[0] == '\r' && p[1] == '\n')
        p++;
    int end = (unsigned char)*p;
    if (end != '\0' && end != ',' && end != '\n')
        return -1;
    *in = end ? p + 1 : p;
    *q++ = '\0'; /* over the delimiter at the latest, which has been read */
    *out = q;
    return end;
}

/* At most one cell per delimiter, and one more. */
static size_t count_cells(const char *text)
{
    size_t count = 1;

    for (; *text; text++)
        count += *text == ',' || *text == '\n';
    return count;
}

static int split(struct csv_file *csv)
{
    const char *in = csv->text;
    char *out = csv->text;
    size_t count = 0, columns = 0;

    csv->cells = malloc(count_cells(csv->text) * sizeof(*csv->cells));
    if (!csv->cells)
        return -1;
    while (*in) {
        csv->cells[count++] = out;
        columns++;
        int end = read_field(&in, &out);
        if (end < 0)
            return -1;
        if (end == ',')
            continue;
        if (csv->column_count == 0)
            csv->column_count = columns;
        if (columns != csv->column_count)
            return -1;
        columns = 0;
    }
    if (count == 0 || columns != 0)
        return -1;
    csv->row_count = count / csv->column_count - 1;
    return 0;
}

int csv_file_load(struct csv_file *csv, const char *path)
{
    *csv = (struct csv_file){0};
    csv->text = process_read_file(path);
    if (!csv->text) {
        fprintf(stderr, "cannot read %s\n", path);
        return -1;
    }
    if (split(csv) == 0)
        return 0;
    fprintf(stderr, "%s is not CSV, or its rows have not all as many fields as its header\n", path);
    return -1;
}

void csv_file_free(struct csv_file *csv)
{
    free(csv->cells);
    free(csv->text);
    *csv = (struct csv_file){0};
}

const char *csv_file_column(const struct csv_file *csv, size_t column)
{
    return csv->cells[column];
}

const char *csv_file_field(const struct csv_file *csv, size_t row, const char *column)
{
    for (size_t c = 0; c < csv->column_count; c++) {
        if (strcmp(csv->cells[c], column) == 0)
            return csv->cells[(row + 1) * csv->column_count + c];
    }
    return NULL;
}

static bool may_differ(const char *column, const char *but)
{
    return !strcmp(column, "run_id") || !strcmp(column, "time_utc") ||
           (but && !strcmp(column, but));
}

void csv_file_assert_same_row(const struct csv_file *csv, size_t row, const struct csv_file *other,
                              size_t other_row, const char *but)
{
    for (size_t c = 0; c < csv->column_count; c++) {
        const char *column = csv_file_column(csv, c);
        const char *is = csv_file_field(csv, row, column);
        const char *wanted = csv_file_field(other, other_row, column);

        if (!may_differ(column, but) && strcmp(is, wanted) != 0)
            fail_msg("row %zu, column %s: \"%s\" instead of \"%s\"", row, column, is, wanted);
    }
}

void csv_file_assert_same_rows(const struct csv_file *csv, const struct csv_file *other,
                               size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        csv_file_assert_same_row(csv, row, other, row, NULL);
}
