#include "predict/calibrate.h"

#include "base/stats.h"
#include "family/family.h"
#include "predict/check-code.h"
#include "predict/family-figures.h"
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

/* A measured figure is wrong where rows of its family are farther than this from what it predicts
 * of them, in the middle, and another value brings them nearer than half of that. */
#define REFUTED 0.25

/* Loops that take longer are not tried; nor is an emulation repeated that takes more effort. */
#define LOOP_MOST_NS 5e5
#define EFFORT_MOST  3.2e6

/* Of a family's rows so many are tried, until the figure moves so many of them, each of these with
 * so many values; between these the logarithm of the time is a line over that of the value. */
enum {
    ROWS_TRIED = 32,
    FAMILIES_MOST = 16,
    ROWS_OFF = 6, /* of these that are off, so many are tried with other values */
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

/* With the figures of the moment. False where the row has no prediction, or one that takes too long
 * to try again. */
static bool predict_off(struct predictor *predictor, const struct record *record, double *off)
{
    struct family_prediction prediction;
    struct error error;
    enum status status = predict_record_loop_again(predictor, record, &prediction, &error);

    if (status != STATUS_OK || !(prediction.loop_ns > 0.0) || prediction.effort > EFFORT_MOST)
        return false;
    *off = log(record->loop_ns / prediction.loop_ns);
    return true;
}

static bool predict_with(const struct trial *trial, size_t row, size_t value, double *off)
{
    predictor_take(trial->predictor, trial->figure, value_at(trial, value / (VALUES - 1.0)));
    bool is_predicted = predict_off(trial->predictor, trial->record[row], off);
    predictor_restore(trial->predictor);
    return is_predicted;
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

/* The clock counts whole units: between values of so narrow a range nothing is to be had. */
#define NARROW (2.0 * VALUES)

/* False where no value is near. */
static bool find_value(const struct trial *trial, struct calibration *found)
{
    size_t step = trial->high - trial->low < NARROW ? BETWEEN : 1, best = 0, first = FINE, last = 0;
    double errors[FINE];

    find_errors(trial, errors);
    for (size_t f = step; f < FINE; f += step)
        best = errors[f] < errors[best] ? f : best;
    for (size_t f = 0; f < FINE; f += step) {
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

static bool is_tried(const struct record *record, const char *family)
{
    return record->usable && record->loop_ns > 0.0 && record->loop_ns <= LOOP_MOST_NS &&
           strcmp(record->benchmark, family) == 0;
}

/* Rows of a family that do not take too long, spread evenly over those that there are, and what the
 * figures of the moment predict of them. */
struct look {
    const char *family; /* the rule's */
    const struct record *record[ROWS_TRIED];
    bool is_off[ROWS_TRIED]; /* by more than REFUTED */
    size_t count;
    size_t calibrations; /* that there were: others change what is predicted */
};

static void look_at(struct look *look, struct predictor *predictor, const struct records *records)
{
    size_t there = 0, seen = 0;

    look->count = 0;
    for (size_t i = 0; i < records->count; i++)
        there += is_tried(&records->record[i], look->family);
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->record[i];
        double off;

        if (!is_tried(record, look->family) || !is_spread(seen++, there, ROWS_TRIED) ||
            !predict_off(predictor, record, &off))
            continue;
        look->is_off[look->count] = fabs(off) > REFUTED;
        look->record[look->count++] = record;
    }
}

static void take_looked_at(struct trial *trial, const struct look *look)
{
    memcpy(trial->record, look->record, sizeof(trial->record));
    trial->count = look->count;
}

/* All families that have been looked at: each once. */
struct looks {
    struct look family[FAMILIES_MOST];
    size_t count;
};

/* NULL without rows that tell of the figure. */
static struct look *find_look(struct looks *looks, struct predictor *predictor,
                              const struct records *records, size_t figure)
{
    const struct figure_rule *rule = predictor_rule(predictor, figure);
    struct look *look = &looks->family[looks->count];

    if (!rule)
        return NULL;
    for (size_t i = 0; i < looks->count; i++) {
        if (!strcmp(looks->family[i].family, rule->family))
            return &looks->family[i];
    }
    if (looks->count == FAMILIES_MOST)
        return NULL;
    look->family = rule->family;
    look_at(look, predictor, records);
    looks->count++;
    return look;
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

/* Whether the figure moves some of the rows that are off. */
static bool is_suspect(const struct trial *trial, const struct look *look)
{
    struct trial off = *trial;

    off.count = 0;
    for (size_t i = 0; i < trial->count && off.count < ROWS_OFF; i++) {
        if (look->is_off[i])
            off.record[off.count++] = trial->record[i];
    }
    keep_moved(&off);
    return off.count >= ROWS_LEAST;
}

/* The median error of the rows with the figure as it is. */
static double error_now(const struct trial *trial)
{
    double off[ROWS_MOST];

    for (size_t i = 0; i < trial->count; i++) {
        if (!predict_off(trial->predictor, trial->record[i], &off[i]))
            return 0.0;
        off[i] = fabs(off[i]);
    }
    return stats_select_quantile(off, trial->count, 0.5);
}

/* Whether what was measured of the figure has to be doubted, so that all that the base assumes is
 * tried; the rows have to come out twice as near, *most. */
static bool is_refuted(struct trial *trial, struct look *look, const struct records *records,
                       size_t calibrations, double *most)
{
    if (!predictor_assumed(trial->predictor, trial->figure, &trial->low, &trial->high))
        return false;
    if (look->calibrations != calibrations)
        look_at(look, trial->predictor, records);
    look->calibrations = calibrations;
    take_looked_at(trial, look);
    if (!is_suspect(trial, look))
        return false;
    keep_moved(trial);
    *most = trial->count ? error_now(trial) / 2.0 : 0.0;
    return *most >= REFUTED / 2.0;
}

static void calibrate(struct model *model, struct predictor *predictor,
                      const struct records *records, size_t figure, struct looks *looks)
{
    struct trial trial = {.predictor = predictor, .figure = figure};
    struct look *look = find_look(looks, predictor, records, figure);
    struct calibration found;
    double most = INFINITY;

    if (model->calibration_count == MODEL_CALIBRATIONS_MAX || !look)
        return;
    take_looked_at(&trial, look);
    if (take_range(&trial))
        keep_moved(&trial);
    else if (!is_refuted(&trial, look, records, model->calibration_count, &most))
        return;
    if (trial.count < ROWS_LEAST || !predict_between(&trial) || !find_value(&trial, &found) ||
        found.off > most)
        return;
    model->calibration[model->calibration_count++] = found;
    predictor_know(predictor, &found);
}

void figures_calibrate(struct model *model, struct predictor *predictor,
                       const struct records *records)
{
    size_t order[VESIM_FIGURE_COUNT];
    size_t count = predictor_figures_in_order(predictor, order);
    struct looks looks = {.count = 0};

    model->calibration_count = 0;
    for (size_t i = 0; predictor_families(predictor) && i < count; i++)
        calibrate(model, predictor, records, order[i], &looks);
}
