#include "rows/csv-read.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct csv_reader {
    struct csv_table *table;
    char *at, *end;
    unsigned line;    /* of `at`, from 1 */
    size_t cell_room; /* allocated entries of table->cells */
    size_t cell_count;
    size_t row_room; /* allocated entries of table->lines */
    struct error *error;
};

static enum status wrong_cell(const struct csv_reader *reader, size_t column, const char *what)
{
    return error_set(reader->error, STATUS_FAILED, "%s:%u, field %zu: %s", reader->table->path,
                     reader->line, column + 1, what);
}

static enum status out_of_memory(struct error *error)
{
    return error_set(error, STATUS_FAILED, "out of memory");
}

static enum status load(struct csv_table *table, const char *path, size_t *bytes,
                        struct error *error)
{
    FILE *file = fopen(path, "rb");
    size_t room = 0, used = 0, got = 1;

    if (!file)
        return error_set(error, STATUS_FAILED, "cannot read %s: %s", path, strerror(errno));
    while (got > 0) {
        if (room - used < 65536) {
            char *more = realloc(table->text, room = 2 * room + 131072);

            if (!more) {
                fclose(file);
                return out_of_memory(error);
            }
            table->text = more;
        }
        got = fread(table->text + used, 1, room - used - 1, file);
        used += got;
        if (used > CSV_BYTES_MAX) {
            fclose(file);
            return error_set(error, STATUS_FAILED, "%s is longer than %u bytes: not a results file",
                             path, CSV_BYTES_MAX);
        }
    }
    int failed = ferror(file);
    fclose(file);
    if (failed)
        return error_set(error, STATUS_FAILED, "cannot read %s: %s", path, strerror(errno));
    table->text[used] = '\0';
    *bytes = used;
    return STATUS_OK;
}

/* Appends the cell to the table. */
static enum status add_cell(struct csv_reader *reader, char *cell)
{
    if (reader->cell_count == reader->cell_room) {
        size_t room = 2 * reader->cell_room + 256;
        char **cells = realloc(reader->table->cells, room * sizeof(*cells));

        if (!cells)
            return out_of_memory(reader->error);
        reader->table->cells = cells;
        reader->cell_room = room;
    }
    reader->table->cells[reader->cell_count++] = cell;
    return STATUS_OK;
}

/* Reads from behind an opening quote to behind the closing one. The text is unquoted in place, and
 * terminated only after the byte at its end has been examined. */
static enum status read_quoted(struct csv_reader *reader, size_t column, char **end)
{
    char *to = reader->at;

    for (;;) {
        if (reader->at == reader->end)
            return wrong_cell(reader, column, "the file ends within quotes: it is cut off");
        if (*reader->at == '"' && reader->at + 1 < reader->end && reader->at[1] == '"') {
            *to++ = '"';
            reader->at += 2;
        } else if (*reader->at == '"') {
            reader->at++;
            *end = to;
            return STATUS_OK;
        } else {
            reader->line += *reader->at == '\n';
            *to++ = *reader->at++;
        }
    }
}

/* Bytes of the UTF-8 character at `text`, which ends before `end`; 0 where it is not valid
 * UTF-8. */
static size_t character_bytes(const unsigned char *text, const unsigned char *end)
{
    size_t bytes = text[0] < 0x80                      ? 1
                   : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                   : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                   : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                       : 0;

    if (bytes > (size_t)(end - text))
        return 0;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    /* Overlong, a surrogate, or beyond the last code point. */
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return bytes;
}

static bool is_utf8(const char *text, const char *end)
{
    size_t bytes = 1;

    for (; text < end && bytes; text += bytes)
        bytes = character_bytes((const unsigned char *)text, (const unsigned char *)end);
    return bytes > 0;
}

/* A report of vebench doctor --measure has its findings as comments before the header. */
static void skip_comments(struct csv_reader *reader)
{
    while (reader->at < reader->end && *reader->at == '#') {
        const char *line_end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));

        if (!line_end)
            return;
        reader->at += line_end + 1 - reader->at;
        reader->line++;
    }
}

/* Reads one field and its terminator: ',' or '\n'. */
static enum status read_field(struct csv_reader *reader, size_t column, char *terminator)
{
    char *start = reader->at, *end = start;
    enum status status = STATUS_OK;

    if (reader->at < reader->end && *reader->at == '"') {
        start = ++reader->at;
        status = read_quoted(reader, column, &end);
        if (status != STATUS_OK)
            return status;
    } else {
        reader->at += strcspn(reader->at, ",\r\n\"");
        end = reader->at;
    }
    if (reader->at == reader->end)
        return wrong_cell(reader, column, "the file ends within a row: it is cut off");
    if (*reader->at == '\r' && reader->at + 1 < reader->end && reader->at[1] == '\n')
        reader->at++;
    if (*reader->at != ',' && *reader->at != '\n')
        return wrong_cell(reader, column,
                          *reader->at == '"' ? "a quote within a field that is not quoted"
                                             : "text after a closing quote, or a stray line end");
    if ((size_t)(end - start) > CSV_FIELD_BYTES_MAX)
        return wrong_cell(reader, column, "a field longer than 65536 bytes");
    if (!is_utf8(start, end))
        return wrong_cell(reader, column, "text that is not UTF-8");
    *terminator = *reader->at++;
    *end = '\0';
    return add_cell(reader, start);
}

static enum status note_begin(struct csv_reader *reader, size_t row)
{
    struct csv_table *table = reader->table;

    if (row == reader->row_room) {
        size_t room = 2 * reader->row_room + 64;
        unsigned *lines = realloc(table->lines, room * sizeof(*lines));

        if (!lines)
            return out_of_memory(reader->error);
        table->lines = lines;
        size_t *begins = realloc(table->begins, room * sizeof(*begins));
        if (!begins)
            return out_of_memory(reader->error);
        table->begins = begins;
        reader->row_room = room;
    }
    table->lines[row] = reader->line;
    table->begins[row] = (size_t)(reader->at - table->text);
    return STATUS_OK;
}

static enum status read_row(struct csv_reader *reader, size_t row)
{
    size_t fields = 0;
    char terminator = ',';
    char text[120];
    enum status status = note_begin(reader, row);

    while (status == STATUS_OK && terminator == ',') {
        if (fields == CSV_COLUMNS_MAX)
            return wrong_cell(reader, fields, "more columns than any vebench file has");
        status = read_field(reader, fields, &terminator);
        fields += status == STATUS_OK;
    }
    if (status != STATUS_OK)
        return status;
    if (row == 0)
        reader->table->column_count = fields;
    if (fields != reader->table->column_count) {
        snprintf(text, sizeof(text), "the row has %zu fields, the header %zu%s", fields,
                 reader->table->column_count,
                 fields > reader->table->column_count
                     ? "; were numbers written with a decimal comma?"
                     : "");
        return wrong_cell(reader, fields - 1, text);
    }
    reader->line++;
    return STATUS_OK;
}

static enum status check_header(struct csv_reader *reader)
{
    const struct csv_table *table = reader->table;

    for (size_t i = 0; i < table->column_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!strcmp(table->cells[i], table->cells[j]))
                return error_set(reader->error, STATUS_FAILED, "%s:1: two columns are called %.80s",
                                 table->path, table->cells[i]);
        }
    }
    return STATUS_OK;
}

void (*csv_on_torn_row)(const char *path, unsigned line);

static void leave_out_torn_row(struct csv_reader *reader)
{
    reader->table->is_torn = true;
    reader->end = reader->at;
    if (csv_on_torn_row)
        csv_on_torn_row(reader->table->path, reader->line);
}

enum status csv_read(struct csv_table *table, const char *path, struct error *error)
{
    struct csv_reader reader = {.table = table, .line = 1, .error = error};
    size_t bytes = 0, rows = 0;

    memset(table, 0, sizeof(*table));
    table->path = malloc(strlen(path) + 1);
    if (!table->path)
        return out_of_memory(error);
    strcpy(table->path, path);
    enum status status = load(table, path, &bytes, error);
    if (status == STATUS_OK && bytes == 0)
        status = error_set(error, STATUS_FAILED, "%s is empty", path);
    if (status == STATUS_OK && memchr(table->text, '\0', bytes))
        status = error_set(error, STATUS_FAILED, "%s is not text: it has a NUL byte", path);
    if (status == STATUS_OK)
        text_tame(table->text, bytes);
    reader.at = table->text;
    reader.end = table->text ? table->text + bytes : NULL;
    if (bytes > strlen(BYTE_ORDER_MARK) &&
        !strncmp(table->text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)))
        reader.at += strlen(BYTE_ORDER_MARK);
    if (status == STATUS_OK)
        skip_comments(&reader);
    while (status == STATUS_OK && reader.at < reader.end) {
        if (rows > 0 && !memchr(reader.at, '\n', (size_t)(reader.end - reader.at))) {
            leave_out_torn_row(&reader);
            break;
        }
        status = read_row(&reader, rows);
        if (status == STATUS_OK && rows++ == 0)
            status = check_header(&reader);
    }
    if (status == STATUS_OK && rows == 0)
        status = error_set(error, STATUS_FAILED, "%s has comments only", path);
    if (status != STATUS_OK) {
        csv_table_free(table);
        return status;
    }
    table->row_count = rows - 1;
    table->bytes = (size_t)(reader.end - table->text);
    return STATUS_OK;
}

void csv_table_free(struct csv_table *table)
{
    free(table->path);
    free(table->text);
    free(table->cells);
    free(table->lines);
    free(table->begins);
    memset(table, 0, sizeof(*table));
}

size_t csv_table_column(const struct csv_table *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (!strcmp(table->cells[i], name))
            return i;
    }
    return SIZE_MAX;
}

const char *csv_table_cell(const struct csv_table *table, size_t row, size_t column)
{
    return table->cells[(row + 1) * table->column_count + column];
}

enum status csv_table_wrong(const struct csv_table *table, size_t row, size_t column,
                            const char *what, struct error *error)
{
    return error_set(error, STATUS_FAILED, "%s:%u, column %s: '%.40s' %s", table->path,
                     table->lines[row + 1], table->cells[column],
                     csv_table_cell(table, row, column), what);
}

/* Allows only digits, signs, a point and an exponent: strtod() also takes spaces, hexadecimals and
 * names. */
static bool is_decimal(const char *text)
{
    return text[strspn(text, "+-.0123456789eE")] == '\0';
}

enum status csv_table_number(const struct csv_table *table, size_t row, size_t column,
                             double absent, double *number, struct error *error)
{
    const char *text = csv_table_cell(table, row, column);
    char *end;

    *number = absent;
    if (!*text)
        return STATUS_OK;
    *number = strtod(text, &end);
    if (*end == ',')
        return csv_table_wrong(table, row, column,
                               "is not a finite number: was it written with a decimal "
                               "comma?",
                               error);
    if (*end || !isfinite(*number) || !is_decimal(text))
        return csv_table_wrong(table, row, column, "is not a finite number", error);
    return STATUS_OK;
}
