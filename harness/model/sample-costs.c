#include "model/sample-costs.h"

#include "base/stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 16

enum {
    BENCHMARK,
    VARIANT,
    SUBGROUP_SIZE,
    WORKGROUP_SIZE,
    WORKGROUP_COUNT,
    ROUND,
    ITERATIONS,
    NS,
    PARAMETERS,
    OBSERVED,
    COLUMNS
};

static const char *const names[COLUMNS] = {
    "benchmark",  "variant", "subgroup_size", "workgroup_size", "workgroup_count", "round",
    "iterations", "ns",      "parameters",    "observed",
};

enum status sample_file_read(struct sample_file *file, const char *path, struct error *error)
{
    enum status status = csv_read(&file->table, path, error);
    double ignored;

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; status == STATUS_OK && i < COLUMNS; i++) {
        file->columns[i] = csv_table_column(&file->table, names[i]);
        if (file->columns[i] == SIZE_MAX)
            status = error_set(error, STATUS_FAILED,
                               "%s:1: there is no column %s: this is no samples file of this "
                               "version of vebench (docs/csv.md)",
                               path, names[i]);
    }
    for (size_t row = 0; status == STATUS_OK && row < file->table.row_count; row++) {
        for (size_t i = SUBGROUP_SIZE; status == STATUS_OK && i < COLUMNS; i++) {
            if (i != PARAMETERS)
                status =
                    csv_table_number(&file->table, row, file->columns[i], 0.0, &ignored, error);
        }
    }
    if (status != STATUS_OK)
        sample_file_free(file);
    return status;
}

void sample_file_free(struct sample_file *file)
{
    csv_table_free(&file->table);
}

static double number(const struct sample_file *file, size_t row, size_t column)
{
    return strtod(csv_table_cell(&file->table, row, file->columns[column]), NULL);
}

static const char *text(const struct sample_file *file, size_t row, size_t column)
{
    return csv_table_cell(&file->table, row, file->columns[column]);
}

static bool belongs(const struct sample_file *file, size_t row, const struct record *record,
                    const char *variant)
{
    return !strcmp(text(file, row, VARIANT), variant) &&
           !strcmp(text(file, row, BENCHMARK), record->benchmark) &&
           !strcmp(text(file, row, PARAMETERS), record->parameters) &&
           number(file, row, SUBGROUP_SIZE) == record->subgroup_size &&
           number(file, row, WORKGROUP_SIZE) == record->workgroup_size &&
           number(file, row, WORKGROUP_COUNT) == record->workgroup_count;
}

/* The launches of a variant in each round. */
struct rounds {
    double x[SAMPLE_ROUNDS_MAX][POINTS_MAX];
    double y[SAMPLE_ROUNDS_MAX][POINTS_MAX];
    size_t points[SAMPLE_ROUNDS_MAX];
    size_t count;
};

static void collect(struct rounds *rounds, const struct sample_file *file,
                    const struct record *record, const char *variant)
{
    memset(rounds, 0, sizeof *rounds);
    for (size_t row = 0; row < file->table.row_count; row++) {
        double round = number(file, row, ROUND);
        size_t r, p;

        if (!(round >= 0.0 && round < SAMPLE_ROUNDS_MAX) || !belongs(file, row, record, variant))
            continue;
        r = (size_t)round;
        p = rounds->points[r];
        if (p == POINTS_MAX)
            continue;
        rounds->x[r][p] = number(file, row, ITERATIONS);
        rounds->y[r][p] = number(file, row, rounds->x[r][p] > 0.0 ? NS : OBSERVED);
        rounds->points[r]++;
        rounds->count = r + 1 > rounds->count ? r + 1 : rounds->count;
    }
}

/* The slope of a round, or its only value where it is an observation. */
static double round_value(const struct rounds *rounds, size_t round)
{
    if (rounds->points[round] == 1 && !(rounds->x[round][0] > 0.0))
        return rounds->y[round][0];
    return stats_fit_line(rounds->x[round], rounds->y[round], rounds->points[round]).slope;
}

size_t sample_costs(const struct sample_file *file, const struct record *record, double *costs)
{
    struct rounds *own = malloc(sizeof *own);
    struct rounds *baseline = malloc(sizeof *baseline);
    double units = record->work_units > 0.0 ? record->work_units : 1.0;
    bool has_baseline = record->baseline[0] != '\0';
    size_t count = 0;

    if (own && baseline) {
        collect(own, file, record, record->variant);
        if (has_baseline)
            collect(baseline, file, record, record->baseline);
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
    return count;
}
