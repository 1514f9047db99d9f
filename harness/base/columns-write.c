#include "base/columns.h"

#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REAL_DIGITS 10 /* as csv_format_real() */

static void put_csv_field(const struct column *column, const void *field, struct csv *csv)
{
    switch (column->type) {
    case COLUMN_TEXT:
        csv_text(csv, *(const char *const *)field);
        break;
    case COLUMN_SIZE:
    case COLUMN_COUNT:
        csv_unsigned(csv, *(const unsigned *)field);
        break;
    case COLUMN_COUNT64:
        csv_unsigned(csv, *(const uint64_t *)field);
        break;
    case COLUMN_AMOUNT:
    case COLUMN_REAL:
        csv_real(csv, *(const double *)field);
        break;
    }
}

/* A new reference; NULL if the text is not UTF-8. */
static json_t *json_field(const struct column *column, const void *field)
{
    const char *text;
    double real;

    switch (column->type) {
    case COLUMN_TEXT:
        text = *(const char *const *)field;
        return text && *text ? json_string(text) : json_null();
    case COLUMN_SIZE:
    case COLUMN_COUNT:
        return json_integer(*(const unsigned *)field);
    case COLUMN_COUNT64:
        return json_integer((json_int_t) * (const uint64_t *)field);
    case COLUMN_AMOUNT:
    case COLUMN_REAL:
        real = *(const double *)field;
        return isfinite(real) ? json_real(real) : json_null();
    }
    return NULL;
}

static enum status put_json(const struct column *columns, size_t count, const void *row,
                            struct csv *csv, struct error *error)
{
    json_t *object = json_object();
    bool failed = !object;

    for (size_t i = 0; !failed && i < count; i++)
        failed = json_object_set_new(
                     object, columns[i].name,
                     json_field(&columns[i], (const char *)row + columns[i].offset)) != 0;
    if (csv->format == ROWS_JSON)
        fputs(csv->row ? ",\n" : "\n", csv->file);
    failed = failed ||
             json_dumpf(object, csv->file, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS)) != 0;
    if (csv->format == ROWS_JSONL)
        fputc('\n', csv->file);
    json_decref(object);
    enum status status = csv_flush(csv, error);
    if (status == STATUS_OK && failed)
        status = error_set(error, STATUS_FAILED, "cannot write a row of JSON to %s", csv->path);
    return status;
}

static enum status put_markdown(const struct column *columns, size_t count, const void *row,
                                struct csv *csv, struct error *error)
{
    char number[CSV_REAL_BYTES];

    for (size_t i = 0; i < count; i++) {
        const void *field = (const char *)row + columns[i].offset;
        const char *text = number;

        if (columns[i].type == COLUMN_TEXT)
            text = *(const char *const *)field ? *(const char *const *)field : "";
        else if (columns[i].type == COLUMN_COUNT64)
            snprintf(number, sizeof(number), "%llu", (unsigned long long)*(const uint64_t *)field);
        else if (columns[i].type == COLUMN_AMOUNT || columns[i].type == COLUMN_REAL)
            csv_format_real(*(const double *)field, number);
        else
            snprintf(number, sizeof(number), "%u", *(const unsigned *)field);
        fputs("| ", csv->file);
        text_put_markdown(csv->file, text == number && !strcmp(number, "nan") ? "" : text);
        fputc(' ', csv->file);
    }
    fputs("|\n", csv->file);
    return csv_flush(csv, error);
}

enum status columns_write_header(const struct column *columns, size_t count, struct csv *csv,
                                 struct error *error)
{
    if (csv->format == ROWS_JSON)
        fputc('[', csv->file);
    for (size_t i = 0; i < count; i++) {
        if (csv->format == ROWS_CSV)
            csv_text(csv, columns[i].name);
        else if (csv->format == ROWS_MARKDOWN)
            fprintf(csv->file, "| %s ", columns[i].name);
    }
    if (csv->format == ROWS_CSV)
        return csv_end_row(csv, error);
    if (csv->format == ROWS_MARKDOWN) {
        fputs("|\n", csv->file);
        for (size_t i = 0; i < count; i++)
            fputs("|---", csv->file);
        fputs("|\n", csv->file);
    }
    return csv_flush(csv, error);
}

enum status columns_write_row(const struct column *columns, size_t count, const void *row,
                              struct csv *csv, struct error *error)
{
    enum status status = STATUS_OK;

    switch (csv->format) {
    case ROWS_CSV:
        for (size_t i = 0; i < count; i++)
            put_csv_field(&columns[i], (const char *)row + columns[i].offset, csv);
        status = csv_end_row(csv, error);
        break;
    case ROWS_JSON:
    case ROWS_JSONL:
        status = put_json(columns, count, row, csv, error);
        break;
    case ROWS_MARKDOWN:
        status = put_markdown(columns, count, row, csv, error);
        break;
    }
    csv->row++;
    return status;
}

enum status columns_write_end(struct csv *csv, struct error *error)
{
    if (csv->format == ROWS_JSON)
        fputs("\n]\n", csv->file);
    return csv_flush(csv, error);
}
