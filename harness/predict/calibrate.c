#include "predict/calibrate.h"

#include "family/family.h"
#include "predict/attempts.h"
#include "predict/check-code.h"
#include "predict/family-figures.h"
#include "predict/trial.h"
#include "predict/uncertainty.h"

#include <math.h>
#include <string.h>

/* A figure whose range is no wider than this share of its value is known well enough. */
#define KNOWN 0.25

/* A measured figure is wrong where rows of its family are farther than this from what it predicts
 * of them, in the middle, and another value brings them nearer than half of that. */
#define REFUTED 0.25

/* Loops that take longer are not tried, unless their rows are made for a figure, which are few. */
#define LOOP_MOST_NS 5e5

/* Rows that have to tell of a figure that any row of its family may tell of; and of those that are
 * off, so many are tried. */
enum { ROWS_LEAST = 2, ROWS_OFF = 6 };

/* Whether variants are made for the figure alone. */
static bool has_own_rows(const struct figure_rule *rule)
{
    return rule->variants != NULL;
}

static bool is_of_rule(const struct record *record, const struct figure_rule *rule)
{
    const char *const *variant = rule->variants;

    if (strcmp(record->benchmark, rule->family) != 0)
        return false;
    while (variant && *variant && strcmp(record->variant, *variant) != 0)
        variant++;
    return !variant || *variant;
}

/* Whether the set that a row goes through is such a one. */
static bool is_of_sets(const struct predictor *predictor, const struct record *record,
                       enum figure_sets sets)
{
    double bytes = record_parameter(record, "working_set", 0.0);
    double l3 = predictor_figure(predictor, VESIM_FIGURE_l3_bytes);
    double first =
        predictor_topology(predictor).xe_cores * predictor_figure(predictor, VESIM_FIGURE_l1_bytes);

    if (sets == SETS_HELD_BY_L3)
        return bytes <= l3 && bytes >= 2.0 * first;
    return sets == SETS_ANY || bytes >= SETS_BEYOND * l3;
}

static bool is_tried(const struct predictor *predictor, const struct record *record,
                     const struct figure_rule *rule)
{
    return record->usable && record->loop_ns > 0.0 &&
           (record->loop_ns <= LOOP_MOST_NS || has_own_rows(rule)) &&
           (record->workgroup_count > 1 || !rule->many_groups) &&
           (record->workgroup_size <= record->subgroup_size || !rule->single_threads) &&
           is_of_sets(predictor, record, rule->sets) &&
           (rule->stride == 0.0 || record_parameter(record, "stride", 0.0) == rule->stride) &&
           is_of_rule(record, rule);
}

/* Rows of a family, or of variants of it, that do not take too long, spread evenly over those that
 * there are, and what the figures of the moment predict of them. */
struct look {
    const struct figure_rule *rule; /* has the family and the variants */
    const struct record *record[TRIAL_ROWS_TRIED];
    bool is_off[TRIAL_ROWS_TRIED]; /* by more than REFUTED */
    size_t count;
    size_t calibrations; /* that there were: others change what is predicted */
};

static void look_at(struct look *look, struct predictor *predictor, const struct records *records)
{
    struct attempt attempts[TRIAL_ROWS_TRIED];
    size_t there = 0, seen = 0, tried = 0;

    for (size_t i = 0; i < records->count; i++)
        there += is_tried(predictor, &records->record[i], look->rule);
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->record[i];

        if (is_tried(predictor, record, look->rule) && is_spread(seen++, there, TRIAL_ROWS_TRIED))
            attempts[tried++] = (struct attempt){.record = record, .value = NAN};
    }
    attempts_make(predictor, look->rule->figure, trial_effort_most(has_own_rows(look->rule)),
                  attempts, tried);
    look->count = 0;
    for (size_t i = 0; i < tried; i++) {
        if (isnan(attempts[i].off))
            continue;
        look->is_off[look->count] = fabs(attempts[i].off) > REFUTED;
        look->record[look->count++] = attempts[i].record;
    }
}

static void take_looked_at(struct trial *trial, const struct look *look)
{
    trial->has_own_rows = has_own_rows(look->rule);
    memcpy(trial->record, look->record, sizeof(trial->record));
    trial->count = look->count;
}

/* All rows that have been looked at, for one rule or several. */
struct looks {
    struct look of[PREDICTOR_RULES_MAX];
    size_t count;
};

static bool have_same_rows(const struct figure_rule *rule, const struct figure_rule *other)
{
    return !strcmp(other->family, rule->family) && other->variants == rule->variants &&
           other->many_groups == rule->many_groups &&
           other->single_threads == rule->single_threads && other->sets == rule->sets &&
           other->stride == rule->stride;
}

static struct look *find_look(struct looks *looks, struct predictor *predictor,
                              const struct records *records, const struct figure_rule *rule)
{
    struct look *look = &looks->of[looks->count];

    for (size_t i = 0; i < looks->count; i++) {
        if (have_same_rows(looks->of[i].rule, rule))
            return &looks->of[i];
    }
    look->rule = rule;
    look_at(look, predictor, records);
    looks->count++;
    return look;
}

/* Whether a range is too wide for the figure to be known well enough. */
static bool is_wide(const struct predictor *predictor, size_t figure, double low, double high)
{
    return high - low > KNOWN * predictor_figure(predictor, figure);
}

/* The figure that moves the rows as much, unless it is known. */
static enum vesim_figure_index unknown_other(const struct predictor *predictor,
                                             const struct figure_rule *rule)
{
    if (!rule->depends_on)
        return 0;
    const struct uncertain_figure *other =
        uncertainty_of(predictor_uncertainty(predictor), rule->depends_on);
    bool is_unknown = other && is_wide(predictor, rule->depends_on, other->low, other->high);
    return is_unknown ? rule->depends_on : 0;
}

/* The range that the predictor has of the figure, or that its rows may show; false where that is
 * narrow. */
static bool take_range(struct trial *trial, const struct figure_rule *rule)
{
    const struct uncertain_figure *figure =
        uncertainty_of(predictor_uncertainty(trial->predictor), trial->figure);

    if (!figure)
        return false;
    trial_set_range(trial, figure->low, fmax(figure->high, rule->most));
    return is_wide(trial->predictor, trial->figure, trial->low, trial->high);
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
    trial_keep_moved(&off);
    return off.count >= ROWS_LEAST;
}

/* Whether what was measured of the figure has to be doubted, so that all that the base assumes is
 * tried; the rows have to come out twice as near, *most. */
static bool is_refuted(struct trial *trial, struct look *look, const struct records *records,
                       size_t calibrations, double *most)
{
    double low, high;

    if (!predictor_assumed(trial->predictor, trial->figure, &low, &high))
        return false;
    trial_set_range(trial, low, high);
    if (look->calibrations != calibrations)
        look_at(look, trial->predictor, records);
    look->calibrations = calibrations;
    take_looked_at(trial, look);
    if (!is_suspect(trial, look))
        return false;
    trial_keep_moved(trial);
    *most = trial->count ? trial_error_now(trial) / 2.0 : 0.0;
    return *most >= REFUTED / 2.0;
}

static bool is_calibrated(const struct model *model, size_t figure)
{
    for (size_t i = 0; i < model->calibration_count; i++) {
        if (!strcmp(model->calibration[i].figure, predictor_figure_name(figure)))
            return true;
    }
    return false;
}

/* Of rows that any figure may move, one alone tells nothing. */
static size_t rows_least(const struct trial *trial)
{
    return trial->has_own_rows ? 1 : ROWS_LEAST;
}

/* Returns whether rows tell of the figure, but no value of it brings them near. */
static bool calibrate(struct model *model, struct predictor *predictor,
                      const struct records *records, const struct figure_rule *rule,
                      struct looks *looks)
{
    struct trial trial = {.predictor = predictor,
                          .figure = rule->figure,
                          .is_moved_by_others = rule->moved_by_others};
    struct calibration found;
    double most = INFINITY;

    if (model->calibration_count == MODEL_CALIBRATIONS_MAX || is_calibrated(model, rule->figure))
        return false;
    struct look *look = find_look(looks, predictor, records, rule);
    take_looked_at(&trial, look);
    if (take_range(&trial, rule))
        trial_keep_moved(&trial);
    else if (!is_refuted(&trial, look, records, model->calibration_count, &most))
        return false;
    if (trial.count < rows_least(&trial) || !trial_predict(&trial))
        return false;
    if (!trial_find(&trial, unknown_other(predictor, rule), &found) || found.off > most)
        return true;
    model->calibration[model->calibration_count++] = found;
    predictor_know(predictor, &found);
    return false;
}

/* What keeps rows off may be another figure, whose turn comes later: once all have had theirs, such
 * figures are tried again. */
void figures_calibrate(struct model *model, struct predictor *predictor,
                       const struct records *records)
{
    const struct figure_rule *rules[PREDICTOR_RULES_MAX];
    size_t known[PREDICTOR_RULES_MAX]; /* figures, after which no value was near */
    size_t count = predictor_rules(predictor, rules);
    struct looks looks = {.count = 0};
    bool is_far[PREDICTOR_RULES_MAX] = {false};

    model->calibration_count = 0;
    if (!predictor_families(predictor))
        return;
    for (size_t i = 0; i < count; i++) {
        is_far[i] = calibrate(model, predictor, records, rules[i], &looks);
        known[i] = model->calibration_count;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_far[i] && known[i] < model->calibration_count)
            calibrate(model, predictor, records, rules[i], &looks);
    }
}
