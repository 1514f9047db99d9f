#include "predict/calibrate.h"

#include "base/stats.h"
#include "family/family.h"
#include "predict/check-code.h"
#include "predict/predict-record.h"
#include "predict/uncertainty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A figure whose range is no wider than this share of its value is known well enough. */
#define KNOWN 0.25

/* Rows tell of a figure if it moves them by so much, as a logarithm. */
#define MOVES 0.1

/* Rows that stay farther than this from their prediction, in the middle, are of another rule. */
#define NEAR 0.4

/* Values within this of the least error are as good: other figures are assumed as well. */
#define AS_GOOD 0.05

/* Loops that take longer are not tried; nor is an emulation repeated that takes more effort. */
#define LOOP_MOST_NS 5e5
#define EFFORT_MOST  2.5e6

/* Of a family's rows so many are tried, until the figure moves so many of them, each of these with
 * so many values; between these the logarithm of the time is a line over that of the value. */
enum {
    ROWS_TRIED = 32,
    ROWS_MOST = 12,
    ROWS_LEAST = 2,
    VALUES = 5,
    BETWEEN = 16,
    FINE = (VALUES - 1) * BETWEEN + 1
};

struct trial {
    struct predictor *predictor;
    size_t figure; /* enum vesim_figure_index */
    double low, high;
    const struct record *record[ROWS_TRIED];
    double off[ROWS_MOST][VALUES]; /* logarithm of measured over predicted */
    size_t count;
};

/* The value that is `share`, 0 to 1, of the way through the range. */
static double value_at(const struct trial *trial, double share)
{
    return trial->low > 0.0 ? trial->low * pow(trial->high / trial->low, share)
                            : trial->low + share * (trial->high - trial->low);
}

/* False where the row has no prediction, or one that takes too long to try again. */
static bool predict_with(const struct trial *trial, size_t row, size_t value, double *off)
{
    const struct record *record = trial->record[row];
    struct family_prediction prediction;
    struct error error;

    predictor_take(trial->predictor, trial->figure, value_at(trial, value / (VALUES - 1.0)));
    enum status status = predict_record_loop_again(trial->predictor, record, &prediction, &error);
    predictor_restore(trial->predictor);
    if (status != STATUS_OK || !(prediction.loop_ns > 0.0) || prediction.effort > EFFORT_MOST)
        return false;
    *off = log(record->loop_ns / prediction.loop_ns);
    return true;
}

/* Keeps the rows that the figure moves, with both ends of its range predicted. */
static void keep_moved(struct trial *trial)
{
    size_t kept = 0;

    for (size_t i = 0; i < trial->count && kept < ROWS_MOST; i++) {
        double low, high;

        if (!predict_with(trial, i, 0, &low) || !predict_with(trial, i, VALUES - 1, &high) ||
            fabs(high - low) < MOVES)
            continue;
        trial->record[kept] = trial->record[i];
        trial->off[kept][0] = low;
        trial->off[kept++][VALUES - 1] = high;
    }
    trial->count = kept;
}

static bool predict_between(struct trial *trial)
{
    for (size_t i = 0; i < trial->count; i++) {
        for (size_t v = 1; v < VALUES - 1; v++) {
            if (!predict_with(trial, i, v, &trial->off[i][v]))
                return false;
        }
    }
    return true;
}

/* The median error of the rows at each of the fine values. */
static void find_errors(const struct trial *trial, double *errors)
{
    for (size_t f = 0; f < FINE; f++) {
        size_t v = f / BETWEEN < VALUES - 1 ? f / BETWEEN : VALUES - 2;
        double share = (double)(f - v * BETWEEN) / BETWEEN, off[ROWS_MOST];

        for (size_t i = 0; i < trial->count; i++)
            off[i] = fabs(trial->off[i][v] * (1.0 - share) + trial->off[i][v + 1] * share);
        errors[f] = stats_select_quantile(off, trial->count, 0.5);
    }
}

/* False where no value is near. */
static bool find_value(const struct trial *trial, struct calibration *found)
{
    double errors[FINE];
    size_t best = 0, first = FINE, last = 0;

    find_errors(trial, errors);
    for (size_t f = 1; f < FINE; f++)
        best = errors[f] < errors[best] ? f : best;
    for (size_t f = 0; f < FINE; f++) {
        if (errors[f] > 2.0 * errors[best] + AS_GOOD)
            continue;
        first = f < first ? f : first;
        last = f;
    }
    *found = (struct calibration){
        .rows = trial->count,
        .value = value_at(trial, best / (FINE - 1.0)),
        .interval = {value_at(trial, first / (FINE - 1.0)), value_at(trial, last / (FINE - 1.0))},
        .off = errors[best]};
    snprintf(found->figure, sizeof(found->figure), "%s", predictor_figure_name(trial->figure));
    return errors[best] <= NEAR;
}

/* Rows of the family that measures the figure, spread evenly over those that there are. */
static void take_family_rows(struct trial *trial, const struct records *records)
{
    const char *sweep = predictor_sweep(trial->predictor, trial->figure);
    char family[32] = "";
    size_t there = 0, seen = 0;

    if (!sweep || sscanf(sweep, "vebench run %31s", family) != 1)
        return;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < records->count; i++) {
            const struct record *record = &records->record[i];

            if (!record->usable || !(record->loop_ns > 0.0) || record->loop_ns > LOOP_MOST_NS ||
                strcmp(record->benchmark, family) != 0)
                continue;
            if (pass == 0)
                there++;
            else if (is_spread(seen++, there, ROWS_TRIED))
                trial->record[trial->count++] = record;
        }
    }
}

/* The range that the predictor has of the figure; false where that is narrow. */
static bool take_range(struct trial *trial)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(trial->predictor);
    double value = predictor_figure(trial->predictor, trial->figure);

    for (size_t i = 0; i < uncertainty->count; i++) {
        const struct uncertain_figure *figure = &uncertainty->figure[i];

        if (figure->index != trial->figure)
            continue;
        trial->low = figure->low;
        trial->high = figure->high;
        return figure->high - figure->low > KNOWN * value;
    }
    return false;
}

static void calibrate(struct model *model, struct predictor *predictor,
                      const struct records *records, size_t figure)
{
    struct trial trial = {.predictor = predictor, .figure = figure};
    struct calibration found;

    if (model->calibration_count == MODEL_CALIBRATIONS_MAX || !take_range(&trial))
        return;
    take_family_rows(&trial, records);
    keep_moved(&trial);
    if (trial.count < ROWS_LEAST || !predict_between(&trial) || !find_value(&trial, &found))
        return;
    model->calibration[model->calibration_count++] = found;
    predictor_know(predictor, &found);
}

void figures_calibrate(struct model *model, struct predictor *predictor,
                       const struct records *records)
{
    size_t order[VESIM_FIGURE_COUNT];
    size_t count = predictor_figures_in_order(predictor, order);

    model->calibration_count = 0;
    for (size_t i = 0; predictor_families(predictor) && i < count; i++)
        calibrate(model, predictor, records, order[i]);
}
