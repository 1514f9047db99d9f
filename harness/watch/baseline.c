/* The file with what the kernels were. */
#include "watch/watch.h"

#include "base/csv.h"
#include "base/replace-file.h"
#include "rows/csv-read.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { JOB, KERNEL, SIZE, TARGET, REFUSED, TEXTS };
enum { TIME_LOW = TEXTS + WATCH_FIGURES, TIME_HIGH, COLUMNS };

static const char *const texts[TEXTS] = {"job", "kernel", "subgroup_size", "target", "refused"};
static const char *const figures[WATCH_FIGURES] = {
    "lanes", "registers", "scratch_bytes", "instructions", "messages", "bound_cycles", "time_ns"};
static const char *const interval[] = {"time_low_ns", "time_high_ns"};

static enum status write_rows(struct csv *csv, const struct watch_rows *rows, struct error *error)
{
    for (size_t i = 0; i < TEXTS; i++)
        csv_text(csv, texts[i]);
    for (size_t i = 0; i < WATCH_FIGURES; i++)
        csv_text(csv, figures[i]);
    csv_text(csv, interval[0]);
    csv_text(csv, interval[1]);
    enum status status = csv_end_row(csv, error);
    for (size_t i = 0; status == STATUS_OK && i < rows->count; i++) {
        const struct watch_row *row = &rows->row[i];

        csv_text(csv, row->job);
        csv_text(csv, row->kernel);
        csv_unsigned(csv, row->size);
        csv_text(csv, row->target);
        csv_text(csv, row->refused);
        for (size_t f = 0; f < WATCH_FIGURES; f++)
            csv_real(csv, row->refused ? NAN : row->figure[f]);
        csv_real(csv, row->refused ? NAN : row->time_low);
        csv_real(csv, row->refused ? NAN : row->time_high);
        status = csv_end_row(csv, error);
    }
    return status;
}

enum status watch_write(const struct watch_rows *rows, const char *path, struct error *error)
{
    struct replacement replacement;
    struct csv csv;
    enum status status = replacement_open(&replacement, path, error);

    if (status != STATUS_OK)
        return status;
    csv_attach(&csv, replacement.out, path);
    status = write_rows(&csv, rows, error);
    return replacement_close(&replacement, status, error);
}

/* Baselines of earlier versions have no times. */
static enum status read_figure(const struct csv_table *table, size_t r, size_t column,
                               double *figure, struct error *error)
{
    *figure = NAN;
    return column == SIZE_MAX ? STATUS_OK : csv_table_number(table, r, column, NAN, figure, error);
}

static enum status read_row(struct watch_row *row, const struct csv_table *table, size_t r,
                            const size_t *columns, struct error *error)
{
    double size = 0.0;
    const char *refused = csv_table_cell(table, r, columns[REFUSED]);

    row->job = strdup(csv_table_cell(table, r, columns[JOB]));
    row->kernel = strdup(csv_table_cell(table, r, columns[KERNEL]));
    row->target = strdup(csv_table_cell(table, r, columns[TARGET]));
    row->refused = refused[0] ? strdup(refused) : NULL;
    if (!row->job || !row->kernel || !row->target || (refused[0] && !row->refused))
        return error_out_of_memory(error);
    enum status status = csv_table_number(table, r, columns[SIZE], 0.0, &size, error);
    row->size = size > 0.0 ? (unsigned)size : 0;
    for (size_t f = 0; status == STATUS_OK && f < WATCH_FIGURES; f++)
        status = read_figure(table, r, columns[TEXTS + f], &row->figure[f], error);
    if (status == STATUS_OK)
        status = read_figure(table, r, columns[TIME_LOW], &row->time_low, error);
    return status == STATUS_OK ? read_figure(table, r, columns[TIME_HIGH], &row->time_high, error)
                               : status;
}

static enum status find_columns(const struct csv_table *table, const char *path, size_t *columns,
                                struct error *error)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        const char *name = i < TEXTS      ? texts[i]
                           : i < TIME_LOW ? figures[i - TEXTS]
                                          : interval[i - TIME_LOW];

        columns[i] = csv_table_column(table, name);
        if (columns[i] == SIZE_MAX && i < TEXTS + WATCH_TIME)
            return error_set(error, STATUS_FAILED,
                             "%s is no baseline of vebench watch: it has no column %s", path, name);
    }
    return STATUS_OK;
}

enum status watch_read(struct watch_rows *rows, const char *path, struct error *error)
{
    size_t columns[COLUMNS];
    struct csv_table table;
    enum status status = csv_read(&table, path, error);

    memset(rows, 0, sizeof(*rows));
    if (status != STATUS_OK)
        return status;
    status = find_columns(&table, path, columns, error);
    rows->row = calloc(table.row_count + 1, sizeof(*rows->row));
    if (!rows->row)
        status = error_out_of_memory(error);
    for (size_t r = 0; status == STATUS_OK && r < table.row_count; r++)
        status = read_row(&rows->row[rows->count++], &table, r, columns, error);
    csv_table_free(&table);
    return status;
}
