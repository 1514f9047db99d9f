#include "rows/sample-costs.h"

#include "base/stats.h"
#include "rows/columns-read.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 16

/* Orders samples by the measurement they belong to. */
static int order_of_kind(const struct samples_row *a, const struct samples_row *b)
{
    int order = strcmp(a->benchmark, b->benchmark);

    if (!order)
        order = strcmp(a->variant, b->variant);
    if (!order)
        order = strcmp(a->parameters, b->parameters);
    if (!order)
        order = (a->subgroup_size > b->subgroup_size) - (a->subgroup_size < b->subgroup_size);
    if (!order)
        order = (a->workgroup_size > b->workgroup_size) - (a->workgroup_size < b->workgroup_size);
    if (!order)
        order =
            (a->workgroup_count > b->workgroup_count) - (a->workgroup_count < b->workgroup_count);
    if (!order) /* where there was one process only, both are NaN */
        order = (a->rank > b->rank) - (a->rank < b->rank);
    return order;
}

/* Within a kind by round and then by length, so that the result does not depend on the order of the
 * file. */
static int order_of_rows(const void *left, const void *right)
{
    const struct samples_row *a = left, *b = right;
    int order = order_of_kind(a, b);

    if (!order)
        order = (a->round > b->round) - (a->round < b->round);
    if (!order)
        order = (a->iterations > b->iterations) - (a->iterations < b->iterations);
    return order;
}

static enum status read_samples(struct sample_file *file, struct error *error)
{
    size_t places[SAMPLES_COLUMNS];
    enum status status =
        columns_find(&file->table, samples_columns, SAMPLES_COLUMNS, "samples", places, error);

    if (status != STATUS_OK)
        return status;
    file->row = calloc(file->table.row_count + 1, sizeof(*file->row));
    if (!file->row)
        return error_out_of_memory(error);
    for (size_t i = 0; status == STATUS_OK && i < file->table.row_count; i++)
        status = columns_read_row(&file->table, samples_columns, SAMPLES_COLUMNS, places, i,
                                  &file->row[i], error);
    if (status == STATUS_OK)
        qsort(file->row, file->table.row_count, sizeof(*file->row), order_of_rows);
    return status;
}

enum status sample_file_read(struct sample_file *file, const char *path, struct error *error)
{
    enum status status = csv_read(&file->table, path, error);

    file->row = NULL;
    if (status != STATUS_OK)
        return status;
    status = read_samples(file, error);
    if (status != STATUS_OK)
        sample_file_free(file);
    return status;
}

void sample_file_free(struct sample_file *file)
{
    csv_table_free(&file->table);
    free(file->row);
    file->row = NULL;
}

/* The first sample of a kind, or its insertion point. */
static size_t find_kind(const struct sample_file *file, const struct samples_row *kind)
{
    size_t low = 0, high = file->table.row_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (order_of_kind(&file->row[middle], kind) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The launches of a variant in each round. */
struct rounds {
    double x[SAMPLE_ROUNDS_MAX][POINTS_MAX];
    double y[SAMPLE_ROUNDS_MAX][POINTS_MAX];
    size_t points[SAMPLE_ROUNDS_MAX];
    size_t count;
};

static void collect_rounds(struct rounds *rounds, const struct sample_file *file,
                           const struct record *record, const char *variant)
{
    const struct samples_row kind = {
        .benchmark = record->benchmark,
        .variant = variant,
        .parameters = record->parameters,
        .subgroup_size = record->subgroup_size,
        .workgroup_size = record->workgroup_size,
        .workgroup_count = record->workgroup_count,
        .rank = record->rank,
    };

    memset(rounds, 0, sizeof(*rounds));
    for (size_t i = find_kind(file, &kind); i < file->table.row_count; i++) {
        const struct samples_row *row = &file->row[i];
        size_t r = row->round;

        if (order_of_kind(row, &kind) != 0)
            break;
        if (r >= SAMPLE_ROUNDS_MAX)
            continue;
        size_t p = rounds->points[r];
        if (p == POINTS_MAX)
            continue;
        rounds->x[r][p] = row->iterations;
        rounds->y[r][p] = row->iterations ? row->ns : row->observed;
        rounds->points[r]++;
        rounds->count = r + 1 > rounds->count ? r + 1 : rounds->count;
    }
}

/* The slope of a round, or its only value where the variant is observed. */
static double round_value(const struct rounds *rounds, size_t round)
{
    if (rounds->points[round] == 1 && !(rounds->x[round][0] > 0.0))
        return rounds->y[round][0];
    return stats_fit_line(rounds->x[round], rounds->y[round], rounds->points[round]).slope;
}

/* Those of the batch that the record is of; the samples have earlier ones, too. */
static size_t keep_newest(const struct record *record, double *costs, size_t count)
{
    size_t newest = record->samples > 0.0 ? (size_t)record->samples : count;

    if (newest >= count)
        return count;
    memmove(costs, costs + (count - newest), newest * sizeof(*costs));
    return newest;
}

size_t sample_costs(const struct sample_file *file, const struct record *record, double *costs)
{
    struct rounds *own = malloc(sizeof(*own));
    struct rounds *baseline = malloc(sizeof(*baseline));
    double units = record_units(record);
    bool has_baseline = record->baseline[0] != '\0';
    size_t count = 0;

    if (own && baseline) {
        collect_rounds(own, file, record, record->variant);
        if (has_baseline)
            collect_rounds(baseline, file, record, record->baseline);
        for (size_t r = 0; r < own->count; r++) {
            double cost = round_value(own, r);

            if (has_baseline)
                cost -= r < baseline->count ? round_value(baseline, r) : NAN;
            if (isfinite(cost))
                costs[count++] = cost / units;
        }
    }
    free(own);
    free(baseline);
    return keep_newest(record, costs, count);
}
