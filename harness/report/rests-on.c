#include "report/rests-on.h"

#include "base/processors.h"
#include "model/model.h"
#include "predict/predict-record.h"

#include <math.h>
#include <string.h>

/* A finding is weak if more than one draw in so many contradicts it. */
#define STRONG 0.95

/* Figures that are tried one by one, where a finding does not hold in all draws. */
#define SUSPECTS 4

/* Launches with more work-items take too long to be tried again and again. */
#define ITEMS_MOST 8192u

/* One finding that is tried. */
struct trial {
    struct predictor *predictor;
    struct finding *finding;
    bool holds[UNCERTAINTY_DRAWS];
    size_t held;
};

/* The cost of a row's work as the predictor's device has it now; NAN if it cannot be predicted. */
static double cost_now(const struct trial *t, const struct record *r, bool for_all_units)
{
    struct family_prediction prediction;
    struct error ignored;

    if (predict_record_again(t->predictor, r, &prediction, &ignored) != STATUS_OK)
        return NAN;
    return for_all_units ? prediction.value * record_units(r) : prediction.value;
}

/* Do the rows count their work in as many units, or else the same work in others? */
static bool is_same_work(const struct record *a, const struct record *b)
{
    return a->work_bytes == b->work_bytes && a->work_flops == b->work_flops &&
           record_same_task(a, b);
}

/* By how much the claim holds, relative to the dearer row: above 0 it does; NAN: unknown. */
static double margin_now(const struct trial *t)
{
    const struct claim *claim = &t->finding->claim;
    bool whole = claim->less && is_same_work(claim->less, claim->more);
    double less = claim->less ? cost_now(t, claim->less, whole) : 0.0;
    double more = cost_now(t, claim->more, whole);

    return claim->less ? (more - less) / fabs(more) : more;
}

/* Tries all draws. False where a prediction is not possible. */
static bool try_draws(struct trial *t)
{
    for (size_t d = 0; d < UNCERTAINTY_DRAWS; d++) {
        predictor_take_draw(t->predictor, d);
        double margin = margin_now(t);
        if (isnan(margin)) {
            predictor_restore(t->predictor);
            return false;
        }
        t->holds[d] = margin > 0.0;
        t->held += t->holds[d];
    }
    predictor_restore(t->predictor);
    return true;
}

/* How far apart a figure's values are in draws where the claim holds and in those where it does
 * not, in parts of its range. */
static double separation(const struct trial *t, size_t figure)
{
    const struct uncertain_figure *f = &predictor_uncertainty(t->predictor)->figure[figure];
    const struct uncertainty_draws *draws = predictor_draws(t->predictor);
    double sums[2] = {0.0, 0.0};

    for (size_t d = 0; d < UNCERTAINTY_DRAWS; d++)
        sums[t->holds[d]] += draws->value[d][figure];
    double fails = sums[0] / (double)(UNCERTAINTY_DRAWS - t->held);
    double holds = t->held ? sums[1] / (double)t->held : (f->low + f->high) / 2.0;
    return fabs(fails - holds) / (f->high - f->low);
}

/* Does the claim fail with this figure at one end of its range, everything else as it is? */
static bool hangs_on(const struct trial *t, const struct uncertain_figure *figure)
{
    bool fails = false;

    for (unsigned end = 0; end < 2 && !fails; end++) {
        predictor_take(t->predictor, figure->index, end ? figure->high : figure->low);
        fails = !(margin_now(t) > 0.0);
        predictor_restore(t->predictor);
    }
    return fails;
}

/* The figure that the claim depends on, or NULL if it is none alone. */
static const struct uncertain_figure *find_figure(const struct trial *t)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(t->predictor);
    bool asked[VESIM_FIGURE_COUNT] = {false};

    for (size_t i = 0; i < SUSPECTS && i < uncertainty->count; i++) {
        size_t suspect = uncertainty->count;

        for (size_t f = 0; f < uncertainty->count; f++) {
            if (!asked[f] &&
                (suspect == uncertainty->count || separation(t, f) > separation(t, suspect)))
                suspect = f;
        }
        asked[suspect] = true;
        if (hangs_on(t, &uncertainty->figure[suspect]))
            return &uncertainty->figure[suspect];
    }
    return NULL;
}

static void put_trial(struct trial *t)
{
    struct finding *finding = t->finding;

    if (t->held == UNCERTAINTY_DRAWS) {
        snprintf(finding->rests_on, FINDING_BYTES,
                 "Holds in %d of %d draws of the assumed figures.", UNCERTAINTY_DRAWS,
                 UNCERTAINTY_DRAWS);
        return;
    }
    const struct uncertain_figure *figure = find_figure(t);
    finding->is_weak = (double)t->held < STRONG * UNCERTAINTY_DRAWS;
    if (figure)
        snprintf(finding->rests_on, FINDING_BYTES,
                 "Depends on %s (assumed %g to %g %s): holds in %zu of %d draws of the assumed "
                 "figures.",
                 predictor_figure_name(figure->index), figure->low, figure->high,
                 predictor_figure_unit(figure->index), t->held, UNCERTAINTY_DRAWS);
    else
        snprintf(finding->rests_on, FINDING_BYTES,
                 "Depends on several assumed figures: holds in %zu of %d draws of them.", t->held,
                 UNCERTAINTY_DRAWS);
}

static bool is_small(const struct record *r)
{
    return !r || (double)r->workgroup_size * r->workgroup_count <= ITEMS_MOST;
}

static void try_finding(struct predictor *predictor, struct finding *finding)
{
    struct trial trial = {.predictor = predictor, .finding = finding};

    if (is_small(finding->claim.less) && is_small(finding->claim.more) && try_draws(&trial))
        put_trial(&trial);
    else
        snprintf(finding->rests_on, FINDING_BYTES,
                 "Not tried with other values of the assumed figures: %s.",
                 is_small(finding->claim.less) && is_small(finding->claim.more)
                     ? "the rows are not predicted from machine code"
                     : "the launch is too large");
}

/* Findings, in memory that processes share if there is more than one. */
struct trying {
    struct predictor *predictor;
    struct findings *findings;
};

static void try_each(void *context, size_t i, size_t end)
{
    const struct trying *trying = context;

    for (; i < end; i++)
        try_finding(trying->predictor, &trying->findings->line[i]);
}

static void try_all(struct predictor *predictor, struct findings *findings)
{
    struct findings *shared = processors_allocate(sizeof(*shared));
    struct trying trying = {predictor, shared ? shared : findings};

    for (size_t i = 0; i < findings->count; i++)
        snprintf(findings->line[i].rests_on, FINDING_BYTES,
                 "Not tried with other values of the assumed figures: the process that tried has "
                 "ended.");
    if (shared)
        *shared = *findings;
    processors_divide(findings->count, 1, shared ? processors_available() : 1, try_each, &trying);
    if (shared)
        *findings = *shared;
    processors_free(shared, sizeof(*shared));
}

static void try_on_model(struct findings *findings, const struct records *records,
                         const struct family_models *models,
                         const struct family_figures_list *figures,
                         const struct family_list *families)
{
    struct predictor *predictor;
    struct error ignored;
    struct model model;

    /* Of a model without parameters: the device's own description, with all that it assumes. */
    model_init(&model, models);
    memcpy(model.device_name, records->device_name, sizeof(model.device_name));
    memcpy(model.device_uuid, records->device_uuid, sizeof(model.device_uuid));
    memcpy(model.device_kind, records->device_kind, sizeof(model.device_kind));
    model.clock_mhz = records->count ? records->record[0].clock_mhz : NAN;
    const struct predictor_settings settings = {
        .model = &model, .figures = figures, .families = families};
    if (predictor_open(&predictor, &settings, &ignored) == STATUS_OK) {
        try_all(predictor, findings);
        predictor_close(predictor);
    }
    model_free(&model);
}

static const char *text_of(const struct record *r, bool is_day)
{
    return is_day ? r->time_utc : r->run_id;
}

/* Different runs of the rows, or days of them, by the first characters of either. */
static size_t count_different(const struct records *records, bool is_day)
{
    size_t bytes = is_day ? sizeof("2026-01-01") - 1 : 64;
    size_t count = 0;

    for (size_t i = 0; i < records->count; i++) {
        const char *text = text_of(&records->record[i], is_day);
        size_t j = 0;

        while (j < i && strncmp(text_of(&records->record[j], is_day), text, bytes) != 0)
            j++;
        count += j == i;
    }
    return count;
}

static void count_runs(struct findings *findings, const struct records *records)
{
    size_t runs = count_different(records, false);
    size_t days = count_different(records, true);

    for (size_t i = 0; i < findings->count; i++)
        snprintf(findings->line[i].rests_on, FINDING_BYTES, "Measured in %zu run%s on %zu day%s.",
                 runs, runs == 1 ? "" : "s", days, days == 1 ? "" : "s");
}

/* Weak ones last, otherwise in the order that they had. */
static void sort_by_strength(struct findings *findings)
{
    struct findings sorted = {.count = 0};

    for (unsigned weak = 0; weak < 2; weak++) {
        for (size_t i = 0; i < findings->count; i++) {
            if (findings->line[i].is_weak == weak)
                sorted.line[sorted.count++] = findings->line[i];
        }
    }
    *findings = sorted;
}

void rests_on_find(struct findings *findings, const struct records *records,
                   const struct family_models *models, const struct family_figures_list *figures,
                   const struct family_list *families)
{
    if (device_kind_is_emulated(records->device_kind))
        try_on_model(findings, records, models, figures, families);
    else
        count_runs(findings, records);
    sort_by_strength(findings);
}
