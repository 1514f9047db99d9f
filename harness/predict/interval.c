#include "predict/interval.h"

#include <math.h>
#include <stdlib.h>

/* Fewer draws say nothing of a range. */
enum { DRAWS_LEAST = 6 };

/* The share of the spread that the extremes of n draws are moved out by is this over n: an
 * answer that is spread evenly lies as far beyond them on average. */
#define BEYOND 2.5

/* A figure explains the draws if its squared correlation with them is this large. */
#define EXPLAINS 0.1

struct asking {
    const struct question *question;
    struct answer *answer;
    double drawn[UNCERTAINTY_DRAWS];
    size_t asked, of;
};

static enum status ask(struct asking *asking, double *value, struct error *error)
{
    const struct question *question = asking->question;

    if (question->progress)
        question->progress(question->context, asking->asked, asking->of);
    asking->asked++;
    return question->ask(question->context, value, error);
}

static enum status ask_draws(struct asking *asking, struct error *error)
{
    struct predictor *predictor = asking->question->predictor;
    enum status status = STATUS_OK;

    for (size_t d = 0; status == STATUS_OK && d < asking->answer->draws; d++) {
        predictor_take_draw(predictor, d);
        status = ask(asking, &asking->drawn[d], error);
    }
    predictor_restore(predictor);
    return status;
}

static void span_draws(struct asking *asking)
{
    struct answer *answer = asking->answer;
    double least = answer->value, most = answer->value;

    for (size_t d = 0; d < answer->draws; d++) {
        least = fmin(least, asking->drawn[d]);
        most = fmax(most, asking->drawn[d]);
    }
    double beyond = (most - least) * BEYOND / (double)answer->draws;
    answer->low = fmax(least - beyond, fmin(least, 0.0));
    answer->high = most + beyond;
}

/* The squared correlation of the drawn answers with a figure's drawn values. */
static double explained(const struct asking *asking, size_t figure)
{
    const struct uncertainty_draws *draws = predictor_draws(asking->question->predictor);
    double n = (double)asking->answer->draws, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;

    for (size_t d = 0; d < asking->answer->draws; d++) {
        double a = draws->value[d][figure], b = asking->drawn[d];

        x += a / n;
        y += b / n;
    }
    for (size_t d = 0; d < asking->answer->draws; d++) {
        double a = draws->value[d][figure] - x, b = asking->drawn[d] - y;

        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    return xx > 0.0 && yy > 0.0 ? xy * xy / (xx * yy) : 0.0;
}

/* The answer with one figure at the ends of its range. */
static enum status ask_ends(struct asking *asking, size_t figure, struct error *error)
{
    struct predictor *predictor = asking->question->predictor;
    const struct uncertain_figure *uncertain = &predictor_uncertainty(predictor)->figure[figure];
    struct answer *answer = asking->answer;
    struct cause cause = {.figure = vesim_figures[uncertain->index].name,
                          .unit = vesim_figures[uncertain->index].unit,
                          .assumed = uncertain->assumed,
                          .low = uncertain->low,
                          .high = uncertain->high};

    predictor_take(predictor, uncertain->index, uncertain->low);
    enum status status = ask(asking, &cause.at_low, error);
    predictor_restore(predictor);
    predictor_take(predictor, uncertain->index, uncertain->high);
    if (status == STATUS_OK)
        status = ask(asking, &cause.at_high, error);
    predictor_restore(predictor);
    if (status != STATUS_OK || cause.at_low == cause.at_high)
        return status;
    answer->low = fmin(answer->low, fmin(cause.at_low, cause.at_high));
    answer->high = fmax(answer->high, fmax(cause.at_low, cause.at_high));
    answer->cause[answer->cause_count++] = cause;
    return STATUS_OK;
}

static int by_effect(const void *left, const void *right)
{
    const struct cause *a = left, *b = right;
    double a_effect = fabs(a->at_high - a->at_low), b_effect = fabs(b->at_high - b->at_low);

    return (a_effect < b_effect) - (a_effect > b_effect);
}

static enum status ask_causes(struct asking *asking, struct error *error)
{
    size_t count = predictor_uncertainty(asking->question->predictor)->count;
    bool asked[VESIM_FIGURE_COUNT] = {false};
    enum status status = STATUS_OK;

    for (size_t c = 0; status == STATUS_OK && c < CAUSES_MAX; c++) {
        double most = EXPLAINS;
        size_t figure = count;

        for (size_t f = 0; f < count; f++) {
            double share = asked[f] ? 0.0 : explained(asking, f);

            if (share > most) {
                most = share;
                figure = f;
            }
        }
        if (figure == count)
            break;
        asked[figure] = true;
        status = ask_ends(asking, figure, error);
    }
    qsort(asking->answer->cause, asking->answer->cause_count, sizeof(asking->answer->cause[0]),
          by_effect);
    return status;
}

/* Figures that are measured to less than a unit: the clock counts whole ones, so each moves by one,
 * and the change counts in proportion. They err independently: squares add up. */
static enum status ask_fine(struct asking *asking, struct error *error)
{
    struct predictor *predictor = asking->question->predictor;
    const struct uncertainty *uncertainty = predictor_uncertainty(predictor);
    struct answer *answer = asking->answer;
    enum status status = STATUS_OK;
    double squares = 0.0;

    for (size_t i = 0; status == STATUS_OK && i < uncertainty->fine_count; i++) {
        const struct uncertain_figure *fine = &uncertainty->fine[i];
        double value;

        predictor_take(predictor, fine->index, predictor_figure(predictor, fine->index) + 1.0);
        status = ask(asking, &value, error);
        predictor_restore(predictor);
        double change =
            status == STATUS_OK ? (value - answer->value) * (fine->high - fine->low) / 2.0 : 0.0;
        squares += change * change;
    }
    answer->low -= sqrt(squares);
    answer->high += sqrt(squares);
    return status;
}

enum status answer_with_interval(const struct question *question, double value,
                                 struct answer *answer, struct error *error)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(question->predictor);
    struct asking asking = {.question = question, .answer = answer};

    *answer = (struct answer){.value = value, .low = value, .high = value};
    if (question->draws_most < DRAWS_LEAST)
        return STATUS_OK;
    answer->draws =
        question->draws_most < UNCERTAINTY_DRAWS ? question->draws_most : UNCERTAINTY_DRAWS;
    asking.of = (uncertainty->count ? answer->draws + 2 * CAUSES_MAX : 0) + uncertainty->fine_count;
    if (uncertainty->count == 0)
        return ask_fine(&asking, error);
    enum status status = ask_draws(&asking, error);
    if (status != STATUS_OK)
        return status;
    span_draws(&asking);
    status = ask_causes(&asking, error);
    if (status == STATUS_OK)
        status = ask_fine(&asking, error);
    return status;
}
