#include "rows/columns-read.h"

#include <math.h>
#include <string.h>

#define COUNT_MAX   4294967295.0
#define COUNT64_MAX 9007199254740992.0 /* whole numbers up to here are exact */

/* No time, size or rate of a device is outside: within, neither squares nor ratios overflow. */
#define REAL_LEAST 1e-30
#define REAL_MOST  1e30

/* Columns that earlier files call otherwise: all that is known of that. */
static const struct {
    const char *name, *before;
} renamed[] = {{"method", "way"}};

static size_t place_of(const struct csv_table *table, const char *name)
{
    size_t place = csv_table_column(table, name);

    for (size_t i = 0; place == SIZE_MAX && i < sizeof(renamed) / sizeof(renamed[0]); i++) {
        if (!strcmp(renamed[i].name, name))
            place = csv_table_column(table, renamed[i].before);
    }
    return place;
}

enum status columns_find(const struct csv_table *table, const struct column *columns, size_t count,
                         const char *what, size_t *places, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        places[i] = place_of(table, columns[i].name);
        if (columns[i].required && places[i] == SIZE_MAX)
            return error_set(error, STATUS_FAILED,
                             "%s:1: there is no column %s: this is not a %s file of this version "
                             "of vebench (docs/csv.md)",
                             table->path, columns[i].name, what);
    }
    return STATUS_OK;
}

/* What is wrong with a number for its column, or NULL. */
static const char *wrong_number(enum column_type type, double number)
{
    bool whole = type == COLUMN_SIZE || type == COLUMN_COUNT || type == COLUMN_COUNT64;

    if (type == COLUMN_SIZE && !(number >= 1.0))
        return "is not a whole number from 1";
    if (type != COLUMN_REAL && number < 0.0)
        return "is negative";
    if (!whole && number != 0.0 && (fabs(number) < REAL_LEAST || fabs(number) > REAL_MOST))
        return "is out of range: numbers are 0, or of a size from 1e-30 to 1e30";
    if (whole &&
        (number != floor(number) || number > (type == COLUMN_COUNT64 ? COUNT64_MAX : COUNT_MAX)))
        return "is not a whole number, or too large";
    return NULL;
}

static void store_number(enum column_type type, double number, void *field)
{
    if (type == COLUMN_COUNT64)
        *(uint64_t *)field = (uint64_t)number;
    else if (type == COLUMN_SIZE || type == COLUMN_COUNT)
        *(unsigned *)field = (unsigned)number;
    else
        *(double *)field = number;
}

static enum status read_number(const struct csv_table *table, const struct column *column,
                               size_t place, size_t row, void *field, struct error *error)
{
    bool is_real = column->type == COLUMN_REAL || column->type == COLUMN_AMOUNT;
    double number = is_real ? NAN : 0.0;
    enum status status = STATUS_OK;

    if (place != SIZE_MAX)
        status = csv_table_number(table, row, place, number, &number, error);
    if (status != STATUS_OK)
        return status;
    const char *wrong = wrong_number(column->type, number);
    if (wrong && place != SIZE_MAX)
        return csv_table_wrong(table, row, place, wrong, error);
    store_number(column->type, number, field);
    return STATUS_OK;
}

enum status columns_read_row(const struct csv_table *table, const struct column *columns,
                             size_t count, const size_t *places, size_t row, void *fields,
                             struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        void *field = (char *)fields + columns[i].offset;

        if (columns[i].type == COLUMN_TEXT)
            *(const char **)field =
                places[i] == SIZE_MAX ? "" : csv_table_cell(table, row, places[i]);
        else
            status = read_number(table, &columns[i], places[i], row, field, error);
    }
    return status;
}
