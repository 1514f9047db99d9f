#include "predict/calibrate.h"

#include "base/processors.h"
#include "base/stats.h"
#include "family/family.h"
#include "predict/attempts.h"
#include "predict/check-code.h"
#include "predict/family-figures.h"
#include "predict/uncertainty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A figure whose range is no wider than this share of its value is known well enough. */
#define KNOWN 0.25

/* Rows tell of a figure if it moves them by so much, as a logarithm; of two values, as a switch
 * has, by half as much, if they are made for it. */
#define MOVES        0.1
#define MOVES_SWITCH 0.05

/* Rows that it moves by less than this share of what it moves another one tell too little beside
 * that. */
#define MOVES_OF_MOST 0.3

/* Rows that stay farther than this from their prediction, in the middle, are of another rule. */
#define NEAR 0.4

/* The same for a figure of two values, as a switch: there is none in between, so that one of the
 * two comes out whatever moves the rows. */
#define NEAR_SWITCH 0.2

/* And for rows that are made for the figure: what keeps these off is another figure or rule, for
 * which this one would take any value. */
#define NEAR_OWN 0.15

/* Such rows decide between the two values of a switch if what they stay off by is no more than this
 * share of what it moves them by. */
#define NEAR_OF_MOVES 0.25

/* Of a few values one is the nearest whatever moves the rows. Where even that stays off by more
 * than this, it is taken, but any may be the one. Loops of one work-group come nearer if they are
 * of the predictor's rules; those of many may not. */
#define NEAR_FEW 0.05

/* Values within this of the least error are as good: other figures are assumed as well. Where these
 * move the rows as much, within twice what they move them by, in the mean of so many draws. */
#define AS_GOOD 0.05
enum { OTHERS = 4 };

/* A measured figure is wrong where rows of its family are farther than this from what it predicts
 * of them, in the middle, and another value brings them nearer than half of that. */
#define REFUTED 0.25

/* Loops that take longer are not tried, unless their rows are made for a figure, which are few; nor
 * is an emulation repeated that takes more effort, of such rows and of others. */
#define LOOP_MOST_NS    5e5
#define EFFORT_MOST_OWN 2.4e7
#define EFFORT_MOST     3.2e6

/* Of a family's rows so many are tried, until the figure moves so many of them, each of these with
 * so many values, or with every one that hardware may have where there are few: powers of two, or
 * whole units of the clock. Between values the logarithm of the time is a line over that of the
 * value or, in a range from 0, the time over the value; where it is none, the value that comes out
 * shows that once it is tried, and up to VALUES_MORE are. */
enum {
    ROWS_TRIED = 32,
    ROWS_OFF = 6, /* of these that are off, so many are tried with other values */
    ROWS_MOST = 12,
    ROWS_LEAST = 2,
    VALUES = 5,
    VALUES_MORE = 2,
    SWITCH = 2,
    VALUES_MOST = 11,
    BETWEEN = 16,
    FINE_MOST = (VALUES_MOST - 1) * BETWEEN + 1
};

struct trial {
    struct predictor *predictor;
    size_t figure; /* enum vesim_figure_index */
    double low, high;
    double value[VALUES_MOST]; /* that are tried, from `low` to `high` */
    size_t values;
    bool has_all;      /* that are possible */
    bool by_logarithm; /* spaced so; otherwise evenly */
    bool has_own_rows;
    const struct record *record[ROWS_TRIED];
    double off[ROWS_MOST][VALUES_MOST]; /* logarithm of measured over predicted */
    size_t count;
    double as_good; /* beyond the least error */
};

/* What is `share`, 0 to 1, of the way from one value to another. A power of two is one to the last
 * bit. */
static double value_between(const struct trial *trial, double low, double high, double share)
{
    return trial->by_logarithm ? exp2(log2(low) + share * log2(high / low))
                               : low + share * (high - low);
}

static void set_values(struct trial *trial, double low, double high, double values,
                       bool by_logarithm)
{
    trial->low = low;
    trial->high = high;
    trial->values = (size_t)values;
    trial->by_logarithm = by_logarithm;
    for (size_t v = 0; v < trial->values; v++)
        trial->value[v] = value_between(trial, low, high, (double)v / (values - 1.0));
}

/* The range to try: all possible values where these are a few, or some that are spread over it. */
static void set_range(struct trial *trial, double low, double high)
{
    double power_low = ceil(log2(low)), powers = floor(log2(high)) - power_low + 1.0;
    double whole_low = ceil(low), units = floor(high) - whole_low + 1.0;
    bool has_powers =
        uncertainty_is_power_of_two(trial->figure) && powers > 1.0 && powers <= VALUES_MOST;
    bool has_units = !has_powers && units > 1.0 && units <= VALUES_MOST;

    trial->has_all = has_powers || has_units;
    if (has_powers)
        set_values(trial, exp2(power_low), exp2(power_low + powers - 1.0), powers, true);
    else if (has_units)
        set_values(trial, whole_low, whole_low + units - 1.0, units, false);
    else
        set_values(trial, low, high, VALUES, low > 0.0);
}

static double most_effort(bool is_own)
{
    return is_own ? EFFORT_MOST_OWN : EFFORT_MOST;
}

static double fine_value(const struct trial *trial, size_t fine)
{
    size_t value = fine / BETWEEN, beyond = fine % BETWEEN;

    return beyond ? value_between(trial, trial->value[value], trial->value[value + 1],
                                  (double)beyond / BETWEEN)
                  : trial->value[value];
}

static void make(const struct trial *trial, struct attempt *attempts, size_t count)
{
    attempts_make(trial->predictor, trial->figure, most_effort(trial->has_own_rows), attempts,
                  count);
}

static double moved_by(const struct trial *trial, size_t row)
{
    return fabs(trial->off[row][trial->values - 1] - trial->off[row][0]);
}

/* Of rows whose ends have been predicted. */
static void keep_moved_most(struct trial *trial)
{
    double most = 0.0;
    size_t kept = 0;

    for (size_t i = 0; i < trial->count; i++)
        most = fmax(most, moved_by(trial, i));
    for (size_t i = 0; i < trial->count; i++) {
        if (moved_by(trial, i) < MOVES_OF_MOST * most)
            continue;
        trial->record[kept] = trial->record[i];
        memmove(trial->off[kept++], trial->off[i], sizeof(trial->off[i]));
    }
    trial->count = kept;
}

/* Keeps a row, predicted at both ends of the range, if the figure moves it. */
static void keep_if_moved(struct trial *trial, const struct attempt *ends)
{
    double low = ends[0].off, high = ends[1].off;
    bool is_own_switch = trial->has_own_rows && trial->values == SWITCH;

    if (!(fabs(high - low) >= (is_own_switch ? MOVES_SWITCH : MOVES)) || trial->count == ROWS_MOST)
        return;
    trial->record[trial->count] = ends[0].record;
    trial->off[trial->count][0] = low;
    trial->off[trial->count++][trial->values - 1] = high;
}

/* Keeps the rows that the figure moves, with both ends of its range predicted: as many at a time as
 * there are processors, since none is tried once there are enough. */
static void keep_moved(struct trial *trial)
{
    struct attempt ends[ROWS_TRIED][2];
    size_t there = trial->count, at_a_time = processors_available();

    trial->count = 0;
    for (size_t first = 0; first < there && trial->count < ROWS_MOST; first += at_a_time) {
        size_t rows = there - first < at_a_time ? there - first : at_a_time;

        for (size_t i = 0; i < rows; i++) {
            ends[i][0] = (struct attempt){trial->record[first + i], trial->value[0], 0, NAN};
            ends[i][1] =
                (struct attempt){trial->record[first + i], trial->value[trial->values - 1], 0, NAN};
        }
        make(trial, ends[0], 2 * rows);
        for (size_t i = 0; i < rows; i++)
            keep_if_moved(trial, ends[i]);
    }
    keep_moved_most(trial);
}

static bool predict_between(struct trial *trial)
{
    struct attempt attempts[ROWS_MOST * VALUES_MOST];
    size_t between = trial->values - 2, count = trial->count * between;

    for (size_t i = 0; i < count; i++)
        attempts[i] =
            (struct attempt){trial->record[i / between], trial->value[1 + i % between], 0, NAN};
    make(trial, attempts, count);
    for (size_t i = 0; i < count; i++) {
        if (isnan(attempts[i].off))
            return false;
        trial->off[i / between][1 + i % between] = attempts[i].off;
    }
    return true;
}

/* What the rows are off by together: the median or, of rows that are made for the figure alone, the
 * mean, as each tells some of its values apart. */
static double error_of(const struct trial *trial, double *off)
{
    double mean = 0.0;

    if (!trial->has_own_rows)
        return stats_select_quantile(off, trial->count, 0.5);
    for (size_t i = 0; i < trial->count; i++)
        mean += off[i] / (double)trial->count;
    return mean;
}

/* Between two values. Over evenly spread ones, the time is a line. */
static double off_between(const struct trial *trial, size_t row, size_t value, double share)
{
    double low = trial->off[row][value], high = trial->off[row][value + 1];

    if (trial->by_logarithm)
        return low * (1.0 - share) + high * share;
    return -log(exp(-low) * (1.0 - share) + exp(-high) * share);
}

/* The error of the rows at each of the fine values. */
static void find_errors(const struct trial *trial, double *errors)
{
    for (size_t f = 0; f <= (trial->values - 1) * BETWEEN; f++) {
        size_t v = f / BETWEEN < trial->values - 1 ? f / BETWEEN : trial->values - 2;
        double share = (double)(f - v * BETWEEN) / BETWEEN, off[ROWS_MOST];

        for (size_t i = 0; i < trial->count; i++)
            off[i] = fabs(off_between(trial, i, v, share));
        errors[f] = error_of(trial, off);
    }
}

/* Of the fine values, those that are possible are so far apart. */
static size_t fine_step(const struct trial *trial)
{
    return trial->has_all ? BETWEEN : 1;
}

/* The clock counts whole units: between two of them, either may be the one. */
static struct interval in_whole_units(double low, double high)
{
    return (struct interval){floor(low), ceil(high)};
}

/* What the two values of a switch move its rows by, in the mean. */
static double mean_move(const struct trial *trial)
{
    double mean = 0.0;

    for (size_t i = 0; i < trial->count; i++)
        mean += moved_by(trial, i) / (double)trial->count;
    return mean;
}

static double near_enough(const struct trial *trial)
{
    bool is_switch = trial->values == SWITCH;

    if (trial->has_own_rows)
        return is_switch ? fmin(NEAR_OWN, NEAR_OF_MOVES * mean_move(trial)) : NEAR_OWN;
    return is_switch ? NEAR_SWITCH : NEAR;
}

/* The fine value of the least error. Fills `errors`, FINE_MOST of them. */
static size_t find_best(const struct trial *trial, double *errors)
{
    size_t step = fine_step(trial), end = (trial->values - 1) * BETWEEN + 1, best = 0;

    find_errors(trial, errors);
    for (size_t f = step; f < end; f += step)
        best = errors[f] < errors[best] ? f : best;
    return best;
}

/* Tries a value of a whole unit between two others. False where that is one of them, or a row of it
 * cannot be predicted. */
static bool try_more(struct trial *trial, double value)
{
    struct attempt attempts[ROWS_MOST];
    size_t at = 1;

    value = round(value);
    while (at < trial->values && trial->value[at] < value)
        at++;
    if (at == trial->values || value <= trial->value[at - 1] || value >= trial->value[at])
        return false;
    for (size_t i = 0; i < trial->count; i++)
        attempts[i] = (struct attempt){trial->record[i], value, 0, NAN};
    make(trial, attempts, trial->count);
    for (size_t i = 0; i < trial->count; i++) {
        if (isnan(attempts[i].off))
            return false;
    }
    memmove(&trial->value[at + 1], &trial->value[at],
            (trial->values - at) * sizeof(trial->value[0]));
    trial->value[at] = value;
    for (size_t i = 0; i < trial->count; i++) {
        memmove(&trial->off[i][at + 1], &trial->off[i][at],
                (trial->values - at) * sizeof(trial->off[i][0]));
        trial->off[i][at] = attempts[i].off;
    }
    trial->values++;
    return true;
}

/* Tries the value that comes out, and what then does. */
static void refine(struct trial *trial)
{
    double errors[FINE_MOST];
    size_t more = 0;

    while (!trial->has_all && more < VALUES_MORE &&
           try_more(trial, fine_value(trial, find_best(trial, errors))))
        more++;
}

/* By how much other figures that are not known move the rows together, as logarithms. */
static double moved_by_others(const struct trial *trial)
{
    struct attempt attempts[(OTHERS + 1) * ROWS_MOST];
    double errors[FINE_MOST], squares = 0.0;
    double best = fine_value(trial, find_best(trial, errors));

    for (size_t i = 0; i < (OTHERS + 1) * trial->count; i++)
        attempts[i] =
            (struct attempt){trial->record[i % trial->count], best, i / trial->count, NAN};
    make(trial, attempts, (OTHERS + 1) * trial->count);
    for (size_t draw = 1; draw <= OTHERS; draw++) {
        double moved = 0.0;

        for (size_t i = 0; i < trial->count; i++) {
            double off = attempts[draw * trial->count + i].off - attempts[i].off;

            moved += isnan(off) ? 0.0 : off / (double)trial->count;
        }
        squares += moved * moved / OTHERS;
    }
    return sqrt(squares);
}

/* Whether all rows are of one work-group. */
static bool is_of_one_group(const struct trial *trial)
{
    bool is_of_one = true;

    for (size_t i = 0; i < trial->count; i++)
        is_of_one &= trial->record[i]->workgroup_count == 1;
    return is_of_one;
}

/* Whether one of a few values comes out only because another rule moves the rows. */
static bool may_be_any(const struct trial *trial, double off)
{
    return trial->has_own_rows && trial->has_all && trial->values > SWITCH && off > NEAR_FEW &&
           is_of_one_group(trial);
}

/* False where no value is near. */
static bool find_value(const struct trial *trial, struct calibration *found)
{
    size_t step = fine_step(trial), end = (trial->values - 1) * BETWEEN + 1;
    size_t first = end, last = 0;
    double errors[FINE_MOST];
    size_t best = find_best(trial, errors);

    for (size_t f = 0; f < end; f += step) {
        if (errors[f] > 2.0 * errors[best] + trial->as_good)
            continue;
        first = f < first ? f : first;
        last = f;
    }
    *found = (struct calibration){
        .rows = trial->count,
        .value = fine_value(trial, best),
        .interval = in_whole_units(fine_value(trial, first), fine_value(trial, last)),
        .off = errors[best]};
    if (may_be_any(trial, errors[best]))
        found->interval = in_whole_units(trial->low, trial->high);
    snprintf(found->figure, sizeof(found->figure), "%s", predictor_figure_name(trial->figure));
    return errors[best] <= near_enough(trial);
}

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

static bool is_tried(const struct record *record, const struct figure_rule *rule)
{
    return record->usable && record->loop_ns > 0.0 &&
           (record->loop_ns <= LOOP_MOST_NS || has_own_rows(rule)) &&
           (record->workgroup_count > 1 || !rule->many_groups) &&
           (record->workgroup_size <= record->subgroup_size || !rule->single_threads) &&
           is_of_rule(record, rule);
}

/* Rows of a family, or of variants of it, that do not take too long, spread evenly over those that
 * there are, and what the figures of the moment predict of them. */
struct look {
    const struct figure_rule *rule; /* has the family and the variants */
    const struct record *record[ROWS_TRIED];
    bool is_off[ROWS_TRIED]; /* by more than REFUTED */
    size_t count;
    size_t calibrations; /* that there were: others change what is predicted */
};

static void look_at(struct look *look, struct predictor *predictor, const struct records *records)
{
    struct attempt attempts[ROWS_TRIED];
    size_t there = 0, seen = 0, tried = 0;

    for (size_t i = 0; i < records->count; i++)
        there += is_tried(&records->record[i], look->rule);
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->record[i];

        if (is_tried(record, look->rule) && is_spread(seen++, there, ROWS_TRIED))
            attempts[tried++] = (struct attempt){record, NAN, 0, NAN};
    }
    attempts_make(predictor, look->rule->figure, most_effort(has_own_rows(look->rule)), attempts,
                  tried);
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
           other->many_groups == rule->many_groups && other->single_threads == rule->single_threads;
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

/* The range that the predictor has of the figure, or that its rows may show; false where that is
 * narrow. */
static bool take_range(struct trial *trial, const struct figure_rule *rule)
{
    const struct uncertain_figure *figure =
        uncertainty_of(predictor_uncertainty(trial->predictor), trial->figure);

    if (!figure)
        return false;
    set_range(trial, figure->low, fmax(figure->high, rule->most));
    return trial->high - trial->low > KNOWN * predictor_figure(trial->predictor, trial->figure);
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

/* The error of the rows with the figure as it is. */
static double error_now(const struct trial *trial)
{
    struct attempt attempts[ROWS_MOST];
    double off[ROWS_MOST];

    for (size_t i = 0; i < trial->count; i++)
        attempts[i] = (struct attempt){trial->record[i], NAN, 0, NAN};
    make(trial, attempts, trial->count);
    for (size_t i = 0; i < trial->count; i++) {
        if (isnan(attempts[i].off))
            return 0.0;
        off[i] = fabs(attempts[i].off);
    }
    return error_of(trial, off);
}

/* Whether what was measured of the figure has to be doubted, so that all that the base assumes is
 * tried; the rows have to come out twice as near, *most. */
static bool is_refuted(struct trial *trial, struct look *look, const struct records *records,
                       size_t calibrations, double *most)
{
    double low, high;

    if (!predictor_assumed(trial->predictor, trial->figure, &low, &high))
        return false;
    set_range(trial, low, high);
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
    struct trial trial = {.predictor = predictor, .figure = rule->figure};
    struct calibration found;
    double most = INFINITY;

    if (model->calibration_count == MODEL_CALIBRATIONS_MAX || is_calibrated(model, rule->figure))
        return false;
    struct look *look = find_look(looks, predictor, records, rule);
    take_looked_at(&trial, look);
    if (take_range(&trial, rule))
        keep_moved(&trial);
    else if (!is_refuted(&trial, look, records, model->calibration_count, &most))
        return false;
    if (trial.count < rows_least(&trial) || !predict_between(&trial))
        return false;
    refine(&trial);
    trial.as_good = AS_GOOD;
    if (rule->moved_by_others)
        trial.as_good = fmax(AS_GOOD, 2.0 * moved_by_others(&trial));
    if (!find_value(&trial, &found) || found.off > most)
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
