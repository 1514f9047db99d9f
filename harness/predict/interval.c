#include "predict/interval.h"

#include "predict/family-figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer draws say nothing of a range. Of so many figures some explain a few draws by chance, and
 * their ends show that they move nothing: others are tried. More evaluations than these are never
 * needed. */
enum {
    DRAWS_LEAST = INTERVAL_EVALUATIONS_LEAST * 2 / 3,
    TRIES_MOST = 2 * CAUSES_MAX,
    EVALUATIONS_MOST = UNCERTAINTY_DRAWS + 2 * TRIES_MOST + VESIM_FIGURE_COUNT
};

/* An interval holds nine of ten further draws. For that, the extremes of n draws are moved out by
 * FEW / n^2 - ENOUGH of their spread, if that is above 0, found by simulation: where two figures or
 * six decide, a further draw is within the interval in 88 to 94 of 100 cases, from six draws on;
 * where one does, in more. Draws that were no Latin hypercube would need nearly twice as much. */
#define FEW    7.5
#define ENOUGH 0.02

/* Evaluations for the ends of a figure's range. */
enum { ENDS = 2 };

/* A figure explains the draws if its squared correlation with them is this large. */
#define EXPLAINS 0.1

struct evaluation_run {
    const struct evaluator *evaluator;
    struct prediction_interval *interval;
    double drawn[UNCERTAINTY_DRAWS];
    size_t done, of, most; /* evaluations */
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

/* The share of their spread that the extremes of so many draws are moved out by. */
static double beyond(double draws)
{
    return fmax(FEW / (draws * draws) - ENOUGH, 0.0);
}

void interval_span(struct prediction_interval *interval, const double *drawn, size_t count,
                   double unit)
{
    double low = interval->value, high = interval->value;
    double share = beyond((double)interval->draws);

    for (size_t d = 0; d < count && d < interval->draws; d++) {
        low = fmin(low, unit * drawn[d]);
        high = fmax(high, unit * drawn[d]);
    }
    interval->low = low > 0.0 ? low * pow(low / high, share) : low;
    interval->high = high + share * (high - low);
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
    const struct figure_rule *rule = predictor_rule(predictor, uncertain->index);
    struct prediction_interval *interval = run->interval;
    struct cause cause = {.figure = vesim_figures[uncertain->index].name,
                          .unit = vesim_figures[uncertain->index].unit,
                          .assumed = uncertain->assumed,
                          .sweep = rule ? rule->sweep : NULL,
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

/* Figures that explain the draws, most of them by chance. */
struct suspects {
    size_t figure[VESIM_FIGURE_COUNT];
    size_t count;
};

/* The figure, of those that were not asked for, that explains the draws best; of none that explains
 * them, as many as there are. */
static size_t best_explanation(const struct evaluation_run *run, const bool *asked)
{
    size_t count = predictor_uncertainty(run->evaluator->predictor)->count, best = count;
    double most = EXPLAINS;

    for (size_t f = 0; f < count; f++) {
        double share = asked[f] ? 0.0 : explained(run, f);

        if (share > most) {
            most = share;
            best = f;
        }
    }
    return best;
}

/* Evaluations for causes: one is kept for figures that are measured to less than a unit. */
static size_t evaluations_left(const struct evaluation_run *run)
{
    bool any_fine = predictor_uncertainty(run->evaluator->predictor)->fine_count > 0;

    return run->done + any_fine < run->most ? run->most - run->done - any_fine : 0;
}

/* So many halvings leave one of any number of figures. */
enum { HALVINGS_MOST = 8 };

/* As many as there are evaluations to halve them, and to ask for the ends of one. */
static void find_suspects(const struct evaluation_run *run, const bool *asked,
                          struct suspects *suspects)
{
    size_t count = predictor_uncertainty(run->evaluator->predictor)->count, best;
    size_t left = evaluations_left(run), halvings = left > ENDS ? left - ENDS : 0;
    size_t most = halvings == 0 ? 0 : halvings < HALVINGS_MOST ? (size_t)1 << halvings : count;
    bool taken[VESIM_FIGURE_COUNT];

    memcpy(taken, asked, sizeof(taken));
    for (suspects->count = 0; suspects->count < most; taken[best] = true) {
        best = best_explanation(run, taken);
        if (best == count)
            break;
        suspects->figure[suspects->count++] = best;
    }
}

/* The draw farthest off the value. */
static size_t farthest_draw(const struct evaluation_run *run)
{
    double value = run->interval->value;
    size_t farthest = 0;

    for (size_t d = 1; d < run->interval->draws; d++) {
        if (fabs(run->drawn[d] - value) > fabs(run->drawn[farthest] - value))
            farthest = d;
    }
    return farthest;
}

/* The prediction with the first `count` suspects as in a draw, less that without. */
static enum status ask_some(struct evaluation_run *run, const struct suspects *suspects,
                            size_t count, size_t draw, double *change, struct error *error)
{
    struct predictor *predictor = run->evaluator->predictor;
    const struct uncertainty_draws *draws = predictor_draws(predictor);
    double value = NAN;

    for (size_t i = 0; i < count; i++) {
        size_t f = suspects->figure[i];

        predictor_take(predictor, predictor_uncertainty(predictor)->figure[f].index,
                       draws->value[draw][f]);
    }
    enum status status = evaluate(run, &value, error);
    predictor_restore(predictor);
    *change = value - run->interval->value;
    return status;
}

/* Of the farthest draw's way, figures have to go so much to be its cause. */
#define WAY_LEAST 0.05

/* Leaves one suspect: of those that explain the draws best a half, again and again, if it takes the
 * prediction some of the way to the farthest draw, and otherwise the other half. */
static enum status halve_suspects(struct evaluation_run *run, struct suspects *suspects,
                                  struct error *error)
{
    size_t draw = farthest_draw(run);
    double way = run->drawn[draw] - run->interval->value, change;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && suspects->count > 1) {
        size_t half = suspects->count / 2;

        status = ask_some(run, suspects, half, draw, &change, error);
        if (fabs(change) < WAY_LEAST * fabs(way)) {
            memmove(suspects->figure, suspects->figure + half,
                    (suspects->count - half) * sizeof(suspects->figure[0]));
            suspects->count -= half;
        } else {
            suspects->count = half;
        }
    }
    return status;
}

/* One more cause, where the figures that explain the draws best moved nothing. */
static enum status ask_suspects(struct evaluation_run *run, bool *asked, struct error *error)
{
    struct suspects suspects;

    find_suspects(run, asked, &suspects);
    enum status status = halve_suspects(run, &suspects, error);
    if (status != STATUS_OK || suspects.count == 0)
        return status;
    asked[suspects.figure[0]] = true;
    return ask_ends(run, suspects.figure[0], error);
}

static int by_effect(const void *left, const void *right)
{
    const struct cause *a = left, *b = right;
    double a_effect = fabs(a->at_high - a->at_low), b_effect = fabs(b->at_high - b->at_low);

    return (a_effect < b_effect) - (a_effect > b_effect);
}

/* The figure that the evaluator names, if it is not known exactly. */
static enum status ask_known(struct evaluation_run *run, bool *asked, struct error *error)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(run->evaluator->predictor);

    for (size_t f = 0; f < uncertainty->count; f++) {
        if (&vesim_figures[uncertainty->figure[f].index] != run->evaluator->depends_on)
            continue;
        asked[f] = true;
        return ask_ends(run, f, error);
    }
    return STATUS_OK;
}

static enum status ask_causes(struct evaluation_run *run, struct error *error)
{
    size_t count = predictor_uncertainty(run->evaluator->predictor)->count;
    bool asked[VESIM_FIGURE_COUNT] = {false};
    enum status status = ask_known(run, asked, error);

    for (size_t try = 0; status == STATUS_OK && try < TRIES_MOST &&
                         run->interval->cause_count < CAUSES_MAX && evaluations_left(run) >= ENDS;
         try++) {
        size_t figure = best_explanation(run, asked);

        if (figure == count)
            break;
        asked[figure] = true;
        status = ask_ends(run, figure, error);
        if (status == STATUS_OK && run->interval->cause_count == 0)
            status = ask_suspects(run, asked, error);
    }
    qsort(run->interval->cause, run->interval->cause_count, sizeof(run->interval->cause[0]),
          by_effect);
    return status;
}

/* Moves `count` of the figures that are measured to less than a unit by one, because the clock
 * counts whole ones. The change counts in proportion to the widest of their intervals. */
static enum status ask_together(struct evaluation_run *run, const struct uncertain_figure *fine,
                                size_t count, double *change, struct error *error)
{
    struct predictor *predictor = run->evaluator->predictor;
    double half = 0.0, value = NAN;

    for (size_t i = 0; i < count; i++) {
        predictor_take(predictor, fine[i].index, predictor_figure(predictor, fine[i].index) + 1.0);
        half = fmax(half, (fine[i].high - fine[i].low) / 2.0);
    }
    enum status status = evaluate(run, &value, error);
    predictor_restore(predictor);
    *change = status == STATUS_OK ? (value - run->interval->value) * half : 0.0;
    return status;
}

/* They err independently, so squares add up. Where there are too many to ask for each, all move
 * together. */
static enum status ask_fine(struct evaluation_run *run, struct error *error)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(run->evaluator->predictor);
    size_t count = uncertainty->fine_count;
    size_t at_once = run->done + count <= run->most ? 1 : count;
    enum status status = STATUS_OK;
    double squares = 0.0;

    for (size_t i = 0; status == STATUS_OK && i < count; i += at_once) {
        double change;

        status = ask_together(run, &uncertainty->fine[i], at_once, &change, error);
        squares += change * change;
    }
    run->interval->low -= sqrt(squares);
    run->interval->high += sqrt(squares);
    return status;
}

/* Two thirds of what there is are draws, the rest the ends of ranges. */
static void plan_evaluations(struct evaluation_run *run)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(run->evaluator->predictor);
    size_t wanted = run->evaluator->evaluations_most;
    size_t most = wanted < EVALUATIONS_MOST ? wanted : EVALUATIONS_MOST;
    size_t draws = most * 2 / 3;

    run->most = most;
    run->interval->draws = draws < DRAWS_LEAST         ? 0
                           : draws < UNCERTAINTY_DRAWS ? draws
                                                       : UNCERTAINTY_DRAWS;
    run->of = uncertainty->fine_count;
    if (uncertainty->count)
        run->of += run->interval->draws + 2 * TRIES_MOST;
    run->of = run->of < most ? run->of : most;
}

enum status prediction_interval_find(const struct evaluator *evaluator, double value,
                                     struct prediction_interval *interval, struct error *error)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(evaluator->predictor);
    struct evaluation_run run = {.evaluator = evaluator, .interval = interval};
    enum status status = STATUS_OK;

    *interval = (struct prediction_interval){.value = value, .low = value, .high = value};
    plan_evaluations(&run);
    if (interval->draws == 0)
        return STATUS_OK;
    predictor_draw(evaluator->predictor, interval->draws);
    if (uncertainty->count > 0) {
        status = evaluate_draws(&run, error);
        interval_span(interval, run.drawn, interval->draws, 1.0);
        if (status == STATUS_OK)
            status = ask_causes(&run, error);
    }
    predictor_draw(evaluator->predictor, UNCERTAINTY_DRAWS);
    return status == STATUS_OK ? ask_fine(&run, error) : status;
}

/* How far an end is from the value, both errors taken together. */
static double farther(double value, double end, double error)
{
    return value * exp(copysign(hypot(log(end / value), error), end - value));
}

void interval_widen(struct prediction_interval *interval, double shorter, double longer)
{
    double value = interval->value;

    interval->low = interval->low >= value ? value * exp(-shorter)
                    : interval->low > 0.0  ? farther(value, interval->low, shorter)
                                           : interval->low;
    interval->high =
        interval->high > value ? farther(value, interval->high, longer) : value * exp(longer);
}
