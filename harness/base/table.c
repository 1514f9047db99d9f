#include "base/table.h"

#include "base/csv.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CELL_TEXT_BYTES 4096

void table_init(struct table *table, const struct table_column *columns, size_t count)
{
    *table = (struct table){.columns = columns, .column_count = count};
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (struct table){0};
}

static void add_cell(struct table *table, const char *text)
{
    if (table->cell_count == table->room) {
        size_t room = table->room ? 2 * table->room : 64;
        char **cells = realloc(table->cells, room * sizeof(*cells));

        if (!cells) {
            table->out_of_memory = true;
            return;
        }
        table->cells = cells;
        table->room = room;
    }
    table->cells[table->cell_count] = strdup(text);
    if (table->cells[table->cell_count])
        table->cell_count++;
    else
        table->out_of_memory = true;
}

void table_text(struct table *table, const char *format, ...)
{
    char text[CELL_TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    add_cell(table, text);
}

void table_number(struct table *table, double number)
{
    if (isfinite(number))
        table_text(table, "%.6g", number);
    else
        add_cell(table, "");
}

/* Counts characters, not bytes: UTF-8 continuation bytes take no column. */
static int width_of(const char *text)
{
    int width = 0;

    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static int column_width(const struct table *table, size_t column)
{
    int width = width_of(table->columns[column].name);

    for (size_t i = column; i < table->cell_count; i += table->column_count) {
        int other = width_of(table->cells[i]);

        if (other > width)
            width = other;
    }
    return width;
}

static void put_padded(FILE *out, const char *text, int width, bool to_the_right, bool is_last)
{
    int blanks = width - width_of(text);

    if (to_the_right)
        fprintf(out, "%*s%s", blanks, "", text);
    else if (is_last)
        fputs(text, out);
    else
        fprintf(out, "%s%*s", text, blanks, "");
    fputs(is_last ? "\n" : "  ", out);
}

static enum status write_plain(const struct table *table, FILE *out, struct error *error)
{
    int *widths = calloc(table->column_count, sizeof(*widths));

    if (!widths)
        return error_out_of_memory(error);
    for (size_t c = 0; c < table->column_count; c++)
        widths[c] = column_width(table, c);
    for (size_t c = 0; c < table->column_count; c++)
        put_padded(out, table->columns[c].name, widths[c], table->columns[c].is_number,
                   c + 1 == table->column_count);
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t c = i % table->column_count;

        put_padded(out, table->cells[i], widths[c], table->columns[c].is_number,
                   c + 1 == table->column_count);
    }
    free(widths);
    return STATUS_OK;
}

static void write_markdown(const struct table *table, FILE *out)
{
    for (size_t c = 0; c < table->column_count; c++) {
        fputs(c ? " | " : "| ", out);
        text_put_markdown(out, table->columns[c].name);
    }
    fputs(" |\n|", out);
    for (size_t c = 0; c < table->column_count; c++)
        fputs(table->columns[c].is_number ? "---:|" : "---|", out);
    fputc('\n', out);
    for (size_t i = 0; i < table->cell_count; i++) {
        bool is_first = i % table->column_count == 0;

        fputs(is_first ? "| " : " | ", out);
        text_put_markdown(out, table->cells[i]);
        if ((i + 1) % table->column_count == 0)
            fputs(" |\n", out);
    }
}

static enum status write_csv(const struct table *table, FILE *out, struct error *error)
{
    struct csv csv = {.file = out, .path = "the output"};

    for (size_t c = 0; c < table->column_count; c++)
        csv_text(&csv, table->columns[c].name);
    enum status status = csv_end_row(&csv, error);
    for (size_t i = 0; status == STATUS_OK && i < table->cell_count; i++) {
        csv_text(&csv, table->cells[i]);
        if ((i + 1) % table->column_count == 0)
            status = csv_end_row(&csv, error);
    }
    return status;
}

/* Writes `text` as a JSON string, quotes included. */
static void json_put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void write_json(const struct table *table, bool is_array, FILE *out)
{
    fputs(is_array ? "[" : "", out);
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t c = i % table->column_count;

        fputs(c ? ", " : !is_array ? "{" : i ? ",\n {" : "\n {", out);
        json_put_string(out, table->columns[c].name);
        fputs(": ", out);
        if (!table->columns[c].is_number)
            json_put_string(out, table->cells[i]);
        else
            fputs(table->cells[i][0] ? table->cells[i] : "null", out);
        if (c + 1 == table->column_count)
            fputs(is_array ? "}" : "}\n", out);
    }
    fputs(is_array ? "\n]\n" : "", out);
}

enum status table_write(const struct table *table, enum table_format format, FILE *out,
                        struct error *error)
{
    if (table->out_of_memory)
        return error_out_of_memory(error);
    switch (format) {
    case TABLE_PLAIN:
        return write_plain(table, out, error);
    case TABLE_MARKDOWN:
        write_markdown(table, out);
        break;
    case TABLE_CSV:
        return write_csv(table, out, error);
    case TABLE_JSON:
    case TABLE_JSONL:
        write_json(table, format == TABLE_JSON, out);
        break;
    }
    return STATUS_OK;
}
