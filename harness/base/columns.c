#include "base/columns.h"

#include <math.h>

#define REQUIRED true
#define OPTIONAL false

#define COLUMN(name, type, need, unit, meaning)                                                    \
    {#name, COLUMN_##type, need, offsetof(struct results_row, name), unit, meaning},
const struct column results_columns[RESULTS_COLUMNS] = {
#include "base/results-columns.def"
};
#undef COLUMN

#define COLUMN(name, type, need, unit, meaning)                                                    \
    {#name, COLUMN_##type, need, offsetof(struct samples_row, name), unit, meaning},
const struct column samples_columns[SAMPLES_COLUMNS] = {
#include "base/samples-columns.def"
};
#undef COLUMN

void columns_clear(const struct column *columns, size_t count, void *row)
{
    for (size_t i = 0; i < count; i++) {
        void *field = (char *)row + columns[i].offset;

        switch (columns[i].type) {
        case COLUMN_TEXT:
            *(const char **)field = NULL;
            break;
        case COLUMN_SIZE:
        case COLUMN_COUNT:
            *(unsigned *)field = 0;
            break;
        case COLUMN_COUNT64:
            *(uint64_t *)field = 0;
            break;
        case COLUMN_AMOUNT:
        case COLUMN_REAL:
            *(double *)field = NAN;
            break;
        }
    }
}

enum status columns_write_header(const struct column *columns, size_t count, struct csv *csv,
                                 struct error *error)
{
    for (size_t i = 0; i < count; i++)
        csv_text(csv, columns[i].name);
    return csv_end_row(csv, error);
}

static void write_field(const struct column *column, const void *row, struct csv *csv)
{
    const void *field = (const char *)row + column->offset;

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

enum status columns_write_row(const struct column *columns, size_t count, const void *row,
                              struct csv *csv, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        write_field(&columns[i], row, csv);
    return csv_end_row(csv, error);
}

void columns_print(const struct column *columns, size_t count, FILE *out)
{
    fputs("| column | unit | meaning |\n|---|---|---|\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct column *c = &columns[i];

        fprintf(out, "| %s | %s%s| %s |\n", c->name, c->unit, *c->unit ? " " : "", c->meaning);
    }
}
