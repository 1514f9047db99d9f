#include "predict/interval.h"

#include <math.h>
#include <stdlib.h>

/* Fewer draws say nothing of a range. */
enum { DRAWS_LEAST = 6 };

/* The share of the spread that the extremes of n draws are moved out by is this over n: a
 * prediction that is spread evenly lies as far beyond them on average. */
#define BEYOND 2.5

/* A figure explains the draws if its squared correlation with them is this large. */
#define EXPLAINS 0.1

struct evaluation_run {
    const struct evaluator *evaluator;
    struct prediction_interval *interval;
    double drawn[UNCERTAINTY_DRAWS];
    size_t done, of;
};

static enum status evaluate(struct evaluation_run *run, double *value, struct error *error)
{
    const struct evaluator *evaluator = run->evaluator;

    if (evaluator->progress)
        evaluator->progress(evaluator->context, run->done, run->of);
    run->done++;
    return evaluator->evaluate(evaluator->context, value, error);
}

static enum status evaluate_draws(struct evaluation_run *run, struct error *error)
{
    struct predictor *predictor = run->evaluator->predictor;
    enum status status = STATUS_OK;

    for (size_t d = 0; status == STATUS_OK && d < run->interval->draws; d++) {
        predictor_take_draw(predictor, d);
        status = evaluate(run, &run->drawn[d], error);
    }
    predictor_restore(predictor);
    return status;
}

static void span_draws(struct evaluation_run *run)
{
    struct prediction_interval *interval = run->interval;
    double least = interval->value, most = interval->value;

    for (size_t d = 0; d < interval->draws; d++) {
        least = fmin(least, run->drawn[d]);
        most = fmax(most, run->drawn[d]);
    }
    double beyond = (most - least) * BEYOND / (double)interval->draws;
    interval->low = fmax(least - beyond, fmin(least, 0.0));
    interval->high = most + beyond;
}

/* The squared correlation of the drawn predictions with a figure's drawn values. */
static double explained(const struct evaluation_run *run, size_t figure)
{
    const struct uncertainty_draws *draws = predictor_draws(run->evaluator->predictor);
    double n = (double)run->interval->draws, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;

    for (size_t d = 0; d < run->interval->draws; d++) {
        double a = draws->value[d][figure], b = run->drawn[d];

        x += a / n;
        y += b / n;
    }
    for (size_t d = 0; d < run->interval->draws; d++) {
        double a = draws->value[d][figure] - x, b = run->drawn[d] - y;

        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    return xx > 0.0 && yy > 0.0 ? xy * xy / (xx * yy) : 0.0;
}

/* The prediction with one figure at the ends of its range. */
static enum status ask_ends(struct evaluation_run *run, size_t figure, struct error *error)
{
    struct predictor *predictor = run->evaluator->predictor;
    const struct uncertain_figure *uncertain = &predictor_uncertainty(predictor)->figure[figure];
    struct prediction_interval *interval = run->interval;
    struct cause cause = {.figure = vesim_figures[uncertain->index].name,
                          .unit = vesim_figures[uncertain->index].unit,
                          .assumed = uncertain->assumed,
                          .sweep = predictor_sweep(predictor, uncertain->index),
                          .low = uncertain->low,
                          .high = uncertain->high};

    predictor_take(predictor, uncertain->index, uncertain->low);
    enum status status = evaluate(run, &cause.at_low, error);
    predictor_restore(predictor);
    predictor_take(predictor, uncertain->index, uncertain->high);
    if (status == STATUS_OK)
        status = evaluate(run, &cause.at_high, error);
    predictor_restore(predictor);
    if (status != STATUS_OK || cause.at_low == cause.at_high)
        return status;
    interval->low = fmin(interval->low, fmin(cause.at_low, cause.at_high));
    interval->high = fmax(interval->high, fmax(cause.at_low, cause.at_high));
    interval->cause[interval->cause_count++] = cause;
    return STATUS_OK;
}

static int by_effect(const void *left, const void *right)
{
    const struct cause *a = left, *b = right;
    double a_effect = fabs(a->at_high - a->at_low), b_effect = fabs(b->at_high - b->at_low);

    return (a_effect < b_effect) - (a_effect > b_effect);
}

static enum status ask_causes(struct evaluation_run *run, struct error *error)
{
    size_t count = predictor_uncertainty(run->evaluator->predictor)->count;
    bool asked[VESIM_FIGURE_COUNT] = {false};
    enum status status = STATUS_OK;

    for (size_t c = 0; status == STATUS_OK && c < CAUSES_MAX; c++) {
        double most = EXPLAINS;
        size_t figure = count;

        for (size_t f = 0; f < count; f++) {
            double share = asked[f] ? 0.0 : explained(run, f);

            if (share > most) {
                most = share;
                figure = f;
            }
        }
        if (figure == count)
            break;
        asked[figure] = true;
        status = ask_ends(run, figure, error);
    }
    qsort(run->interval->cause, run->interval->cause_count, sizeof(run->interval->cause[0]),
          by_effect);
    return status;
}

/* Figures that are measured to less than a unit: the clock counts whole ones, so each moves by one,
 * and the change counts in proportion. They err independently: squares add up. */
static enum status ask_fine(struct evaluation_run *run, struct error *error)
{
    struct predictor *predictor = run->evaluator->predictor;
    const struct uncertainty *uncertainty = predictor_uncertainty(predictor);
    struct prediction_interval *interval = run->interval;
    enum status status = STATUS_OK;
    double squares = 0.0;

    for (size_t i = 0; status == STATUS_OK && i < uncertainty->fine_count; i++) {
        const struct uncertain_figure *fine = &uncertainty->fine[i];
        double value;

        predictor_take(predictor, fine->index, predictor_figure(predictor, fine->index) + 1.0);
        status = evaluate(run, &value, error);
        predictor_restore(predictor);
        double change =
            status == STATUS_OK ? (value - interval->value) * (fine->high - fine->low) / 2.0 : 0.0;
        squares += change * change;
    }
    interval->low -= sqrt(squares);
    interval->high += sqrt(squares);
    return status;
}

enum status prediction_interval_find(const struct evaluator *evaluator, double value,
                                     struct prediction_interval *interval, struct error *error)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(evaluator->predictor);
    struct evaluation_run run = {.evaluator = evaluator, .interval = interval};

    *interval = (struct prediction_interval){.value = value, .low = value, .high = value};
    if (evaluator->draws_most < DRAWS_LEAST)
        return STATUS_OK;
    interval->draws =
        evaluator->draws_most < UNCERTAINTY_DRAWS ? evaluator->draws_most : UNCERTAINTY_DRAWS;
    run.of = (uncertainty->count ? interval->draws + 2 * CAUSES_MAX : 0) + uncertainty->fine_count;
    if (uncertainty->count == 0)
        return ask_fine(&run, error);
    enum status status = evaluate_draws(&run, error);
    if (status != STATUS_OK)
        return status;
    span_draws(&run);
    status = ask_causes(&run, error);
    if (status == STATUS_OK)
        status = ask_fine(&run, error);
    return status;
}
