#include "rows/csv-read.h"

#include "base/text.h"
#include "rows/input.h"

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

static enum status load(struct csv_table *table, const char *path, size_t *bytes,
                        struct error *error)
{
    struct input *input = NULL;
    size_t room = 0, used = 0, got = 1;
    enum status status = input_open(&input, path, error);

    while (status == STATUS_OK && got > 0) {
        if (room - used < 65536) {
            char *more = realloc(table->text, room = 2 * room + 131072);

            if (!more) {
                status = error_out_of_memory(error);
                break;
            }
            table->text = more;
        }
        status = input_read(input, table->text + used, room - used - 1, &got, error);
        used += got;
        if (status == STATUS_OK && used > CSV_BYTES_MAX)
            status =
                error_set(error, STATUS_FAILED, "%s is longer than %u bytes: not a results file",
                          path, CSV_BYTES_MAX);
    }
    input_close(input);
    if (status != STATUS_OK)
        return status;
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
            return error_out_of_memory(reader->error);
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

/* The end of an unquoted field: where one of ",\r\n\"" or the end of the text is. `*bits` gets all
 * bits of its bytes. */
static char *skip_plain(char *at, unsigned char *bits)
{
    static const bool ends[256] = {
        ['\0'] = true, [','] = true, ['\r'] = true, ['\n'] = true, ['"'] = true};
    unsigned char all = 0;

    for (unsigned char c; !ends[c = (unsigned char)*at]; at++)
        all |= c;
    *bits = all;
    return at;
}

/* Reads one field and its terminator: ',' or '\n'. */
static enum status read_field(struct csv_reader *reader, size_t column, char *terminator)
{
    char *start = reader->at, *end = start;
    unsigned char bits = 0x80;
    enum status status = STATUS_OK;

    if (reader->at < reader->end && *reader->at == '"') {
        start = ++reader->at;
        status = read_quoted(reader, column, &end);
        if (status != STATUS_OK)
            return status;
    } else {
        end = reader->at = skip_plain(reader->at, &bits);
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
    if (bits & 0x80 && !is_utf8(start, end))
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
            return error_out_of_memory(reader->error);
        table->lines = lines;
        size_t *begins = realloc(table->begins, room * sizeof(*begins));
        if (!begins)
            return error_out_of_memory(reader->error);
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

static enum status copy_path(struct csv_table *table, const char *path, struct error *error)
{
    memset(table, 0, sizeof(*table));
    table->path = malloc(strlen(path) + 1);
    if (!table->path)
        return error_out_of_memory(error);
    strcpy(table->path, path);
    return STATUS_OK;
}

/* Checks and tames text that has just been read. */
static enum status take_text(const struct csv_table *table, char *text, size_t bytes,
                             struct error *error)
{
    if (memchr(text, '\0', bytes))
        return error_set(error, STATUS_FAILED, "%s is not text: it has a NUL byte", table->path);
    text_tame(text, bytes);
    return STATUS_OK;
}

static void skip_mark(struct csv_reader *reader)
{
    if ((size_t)(reader->end - reader->at) > strlen(BYTE_ORDER_MARK) &&
        !strncmp(reader->at, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)))
        reader->at += strlen(BYTE_ORDER_MARK);
}

/* Reads rows to the end of the text; `*rows` of the table are there already. */
static enum status read_rows(struct csv_reader *reader, size_t *rows)
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK && reader->at < reader->end) {
        if (*rows > 0 && !memchr(reader->at, '\n', (size_t)(reader->end - reader->at))) {
            leave_out_torn_row(reader);
            break;
        }
        status = read_row(reader, *rows);
        if (status == STATUS_OK && (*rows)++ == 0)
            status = check_header(reader);
    }
    return status;
}

enum status csv_read(struct csv_table *table, const char *path, struct error *error)
{
    struct csv_reader reader = {.table = table, .line = 1, .error = error};
    size_t bytes = 0, rows = 0;
    enum status status = copy_path(table, path, error);

    if (status == STATUS_OK)
        status = load(table, path, &bytes, error);
    if (status == STATUS_OK && bytes == 0)
        status = error_set(error, STATUS_FAILED, "%s is empty", path);
    if (status == STATUS_OK)
        status = take_text(table, table->text, bytes, error);
    if (status == STATUS_OK) {
        reader.at = table->text;
        reader.end = table->text + bytes;
        skip_mark(&reader);
        skip_comments(&reader);
        status = read_rows(&reader, &rows);
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

/* A file being read in blocks. */
struct csv_blocks {
    struct input *input;
    struct csv_table table; /* of the current block; its first row is the header of the file */
    struct csv_reader reader;
    char *header;      /* owned; the texts of the header's cells */
    size_t room, used; /* of table.text: allocated, and filled */
    size_t taken;      /* of what is filled: rows that the current block has */
    size_t known;      /* of what is filled: checked, and searched for ends of rows */
    size_t whole;      /* of that: up to the end of the last complete row */
    bool is_quoted;    /* the search is within quotes */
    bool at_end;       /* of the file */
};

/* Searches for the end of the last complete row: a line end that is not within quotes. */
static void find_whole_rows(struct csv_blocks *blocks)
{
    const char *text = blocks->table.text;

    for (size_t at = blocks->known; at < blocks->used;) {
        const char *quote = memchr(text + at, '"', blocks->used - at);
        size_t end = quote ? (size_t)(quote - text) : blocks->used;

        for (size_t last = end; !blocks->is_quoted && last > at; last--) {
            if (text[last - 1] == '\n') {
                blocks->whole = last;
                break;
            }
        }
        blocks->is_quoted ^= quote != NULL;
        at = end + (quote != NULL);
    }
    blocks->known = blocks->used;
}

/* Reads on until there is a complete row, or the file ends. */
static enum status fill(struct csv_blocks *blocks, struct error *error)
{
    struct csv_table *table = &blocks->table;
    enum status status = STATUS_OK;

    memmove(table->text, table->text + blocks->taken, blocks->used - blocks->taken);
    blocks->used -= blocks->taken;
    blocks->known -= blocks->taken;
    blocks->whole -= blocks->taken;
    blocks->taken = 0;
    while (status == STATUS_OK && !blocks->at_end && blocks->whole == 0) {
        size_t got = 0;

        if (blocks->used + 1 == blocks->room)
            return error_set(error, STATUS_FAILED, "%s: line %u is too long for a row of results",
                             table->path, blocks->reader.line);
        status = input_read(blocks->input, table->text + blocks->used,
                            blocks->room - blocks->used - 1, &got, error);
        blocks->at_end = got == 0;
        if (status == STATUS_OK)
            status = take_text(table, table->text + blocks->used, got, error);
        blocks->used += got;
        find_whole_rows(blocks);
    }
    return status;
}

/* The header's cells stay while blocks come and go. */
static enum status keep_header(struct csv_blocks *blocks, size_t *rows, struct error *error)
{
    struct csv_table *table = &blocks->table;
    struct csv_reader *reader = &blocks->reader;
    size_t bytes = 0;

    skip_mark(reader);
    skip_comments(reader);
    enum status status = read_row(reader, 0);
    if (status == STATUS_OK)
        status = check_header(reader);
    for (size_t i = 0; status == STATUS_OK && i < table->column_count; i++)
        bytes += strlen(table->cells[i]) + 1;
    blocks->header = malloc(bytes + 1);
    if (!blocks->header)
        return error_out_of_memory(error);
    char *to = blocks->header;
    for (size_t i = 0; status == STATUS_OK && i < table->column_count; i++) {
        size_t cell = strlen(table->cells[i]) + 1;

        table->cells[i] = memcpy(to, table->cells[i], cell);
        to += cell;
    }
    *rows = 1;
    return status;
}

enum status csv_blocks_open(struct csv_blocks **opened, const char *path, struct error *error)
{
    struct csv_blocks *blocks = calloc(1, sizeof(*blocks));

    *opened = NULL;
    if (!blocks)
        return error_out_of_memory(error);
    blocks->room = CSV_BLOCK_BYTES;
    enum status status = copy_path(&blocks->table, path, error);
    blocks->table.text = malloc(blocks->room);
    if (status == STATUS_OK && !blocks->table.text)
        status = error_out_of_memory(error);
    if (status == STATUS_OK)
        status = input_open(&blocks->input, path, error);
    blocks->reader = (struct csv_reader){.table = &blocks->table, .line = 1};
    if (status != STATUS_OK) {
        csv_blocks_close(blocks);
        return status;
    }
    *opened = blocks;
    return STATUS_OK;
}

enum status csv_blocks_next(struct csv_blocks *blocks, const struct csv_table **block,
                            struct error *error)
{
    struct csv_table *table = &blocks->table;
    struct csv_reader *reader = &blocks->reader;
    size_t rows = table->column_count ? 1 : 0;
    enum status status = fill(blocks, error);

    *block = NULL;
    if (status != STATUS_OK)
        return status;
    if (blocks->used == 0)
        return rows ? STATUS_OK : error_set(error, STATUS_FAILED, "%s is empty", table->path);
    reader->error = error;
    reader->cell_count = table->column_count;
    reader->at = table->text;
    /* What is not complete at the end of the file is for the reader to judge. */
    blocks->taken = blocks->at_end ? blocks->used : blocks->whole;
    reader->end = table->text + blocks->taken;
    char behind = *reader->end;
    *reader->end = '\0';
    if (rows == 0)
        status = keep_header(blocks, &rows, error);
    if (status == STATUS_OK)
        status = read_rows(reader, &rows);
    table->text[blocks->taken] = behind;
    table->row_count = rows - 1;
    *block = table;
    return status;
}

void csv_blocks_close(struct csv_blocks *blocks)
{
    if (!blocks)
        return;
    input_close(blocks->input);
    csv_table_free(&blocks->table);
    free(blocks->header);
    free(blocks);
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

/* A number of at most 15 digits and a small exponent, as nearly all are: exact, because both the
 * digits and the power of ten are (Clinger 1990). False for any other text. */
static bool read_short(const char *text, double *number)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    bool is_negative = *text == '-', has_point = false;
    uint64_t digits = 0;
    int count = 0, exponent = 0;

    for (text += is_negative; (*text >= '0' && *text <= '9') || (*text == '.' && !has_point);
         text++) {
        if (*text == '.') {
            has_point = true;
            continue;
        }
        digits = 10 * digits + (uint64_t)(*text - '0');
        exponent -= has_point;
        if (++count > 15)
            return false;
    }
    if (*text == 'e') {
        bool is_small = text[1] == '-';
        int power = 0;

        text += 1 + (is_small || text[1] == '+');
        if (!*text || strlen(text) > 3)
            return false;
        for (; *text >= '0' && *text <= '9'; text++)
            power = 10 * power + (*text - '0');
        exponent += is_small ? -power : power;
    }
    if (*text || count == 0 || exponent < -22 || exponent > 22)
        return false;
    double value =
        exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
    *number = is_negative ? -value : value;
    return true;
}

enum status csv_table_number(const struct csv_table *table, size_t row, size_t column,
                             double absent, double *number, struct error *error)
{
    const char *text = csv_table_cell(table, row, column);
    char *end;

    *number = absent;
    if (!*text || read_short(text, number))
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
