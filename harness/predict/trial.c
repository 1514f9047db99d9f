#include "predict/trial.h"

#include "base/processors.h"
#include "base/stats.h"
#include "predict/attempts.h"
#include "predict/uncertainty.h"

#include <math.h>
#include <string.h>

/* Rows tell of a figure if it moves them by so much, as a logarithm; of two values, as a switch
 * has, by half as much, if they are made for it. */
#define MOVES        0.1
#define MOVES_SWITCH 0.05

/* Rows that it moves by less than this share of what it moves another one tell too little beside
 * that. */
#define MOVES_OF_MOST 0.25

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
 * than this, it is taken, but others may be the one. Loops of one work-group come nearer if they
 * are of the predictor's rules; those of many may not. */
#define NEAR_FEW 0.05

/* Values within this of the least error are as good: other figures are assumed as well. Where these
 * move the rows as much, within twice what they move them by, in the mean of so many draws. */
#define AS_GOOD 0.05
enum { OTHERS = 4 };

/* An emulation that takes more effort is not repeated, of rows that are made for a figure, which
 * are few, and of others. */
#define EFFORT_MOST_OWN 1e8
#define EFFORT_MOST     3.2e6

/* The values tried, or every one that hardware may have where there are few: each twice the one
 * before, or whole units of the clock. Between values the logarithm of the time is a line over that
 * of the value or, in a range from 0, the time over the value; where it is none, the value that
 * comes out shows that once it is tried, and up to VALUES_MORE are. */
enum {
    VALUES = 5,
    VALUES_MORE = 2,
    SWITCH = 2,
    BETWEEN = 16,
    FINE_MOST = (TRIAL_VALUES_MOST - 1) * BETWEEN + 1
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
    for (size_t v = 0; v < trial->values; v++) {
        double value = value_between(trial, low, high, (double)v / (values - 1.0));

        trial->value[v] = trial->has_all ? round(value) : value;
    }
}

void trial_set_range(struct trial *trial, double low, double high)
{
    bool of_ways = uncertainty_is_of_ways(trial->figure);
    double power_low = of_ways ? log2(low) : ceil(log2(low)); /* of the first value */
    double powers = floor(log2(high) - power_low) + 1.0;
    double whole_low = ceil(low), units = floor(high) - whole_low + 1.0;
    bool has_powers = (of_ways || uncertainty_is_power_of_two(trial->figure)) && powers > 1.0 &&
                      powers <= TRIAL_VALUES_MOST;
    bool has_units = !has_powers && units > 1.0 && units <= TRIAL_VALUES_MOST;

    trial->has_all = has_powers || has_units;
    if (has_powers)
        set_values(trial, exp2(power_low), exp2(power_low + powers - 1.0), powers, true);
    else if (has_units)
        set_values(trial, whole_low, whole_low + units - 1.0, units, false);
    else
        set_values(trial, low, high, VALUES, low > 0.0);
}

double trial_effort_most(bool has_own_rows)
{
    return has_own_rows ? EFFORT_MOST_OWN : EFFORT_MOST;
}

/* The fine values are from 0 to before this; those that are possible are fine_step() apart. */
static size_t fine_end(const struct trial *trial)
{
    return (trial->values - 1) * BETWEEN + 1;
}

static size_t fine_step(const struct trial *trial)
{
    return trial->has_all ? BETWEEN : 1;
}

static double fine_value(const struct trial *trial, size_t fine)
{
    size_t value = fine / BETWEEN, beyond = fine % BETWEEN;

    return beyond ? value_between(trial, trial->value[value], trial->value[value + 1],
                                  (double)beyond / BETWEEN)
                  : trial->value[value];
}

static struct attempt attempt_of(const struct trial *trial, size_t row, double value)
{
    return (struct attempt){.record = trial->record[row],
                            .value = value,
                            .other = trial->other,
                            .other_value = trial->other_value,
                            .off = NAN};
}

static void make(const struct trial *trial, struct attempt *attempts, size_t count)
{
    attempts_make(trial->predictor, trial->figure, trial_effort_most(trial->has_own_rows), attempts,
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

    if (!(fabs(high - low) >= (is_own_switch ? MOVES_SWITCH : MOVES)) ||
        trial->count == TRIAL_ROWS_MOST)
        return;
    trial->record[trial->count] = ends[0].record;
    trial->off[trial->count][0] = low;
    trial->off[trial->count++][trial->values - 1] = high;
}

/* Keeps the rows that the figure moves, with both ends of its range predicted: as many at a time as
 * there are processors, since none is tried once there are enough. */
void trial_keep_moved(struct trial *trial)
{
    struct attempt ends[TRIAL_ROWS_TRIED][2];
    size_t there = trial->count, at_a_time = processors_available();

    trial->count = 0;
    for (size_t first = 0; first < there && trial->count < TRIAL_ROWS_MOST; first += at_a_time) {
        size_t rows = there - first < at_a_time ? there - first : at_a_time;

        for (size_t i = 0; i < rows; i++) {
            ends[i][0] = attempt_of(trial, first + i, trial->value[0]);
            ends[i][1] = attempt_of(trial, first + i, trial->value[trial->values - 1]);
        }
        make(trial, ends[0], 2 * rows);
        for (size_t i = 0; i < rows; i++)
            keep_if_moved(trial, ends[i]);
    }
    keep_moved_most(trial);
}

/* Of the values from `first` to before `end`. */
static bool predict_values(struct trial *trial, size_t first, size_t end)
{
    struct attempt attempts[TRIAL_ROWS_MOST * TRIAL_VALUES_MOST];
    size_t values = end - first, count = trial->count * values;

    for (size_t i = 0; i < count; i++)
        attempts[i] = attempt_of(trial, i / values, trial->value[first + i % values]);
    make(trial, attempts, count);
    for (size_t i = 0; i < count; i++) {
        if (isnan(attempts[i].off))
            return false;
        trial->off[i / values][first + i % values] = attempts[i].off;
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

/* What a row is off by with a fine value. Over evenly spread values, the time between two of them
 * is a line. */
static double off_at(const struct trial *trial, size_t row, size_t fine)
{
    size_t value = fine / BETWEEN < trial->values - 1 ? fine / BETWEEN : trial->values - 2;
    double share = (double)(fine - value * BETWEEN) / BETWEEN;
    double low = trial->off[row][value], high = trial->off[row][value + 1];

    if (trial->by_logarithm)
        return low * (1.0 - share) + high * share;
    return -log(exp(-low) * (1.0 - share) + exp(-high) * share);
}

/* The error of the rows at each of the fine values. */
static void find_errors(const struct trial *trial, double *errors)
{
    for (size_t f = 0; f < fine_end(trial); f++) {
        double off[TRIAL_ROWS_MOST];

        for (size_t i = 0; i < trial->count; i++)
            off[i] = fabs(off_at(trial, i, f));
        errors[f] = error_of(trial, off);
    }
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
    size_t step = fine_step(trial), end = fine_end(trial), best = 0;

    find_errors(trial, errors);
    for (size_t f = step; f < end; f += step)
        best = errors[f] < errors[best] ? f : best;
    return best;
}

/* Tries a value of a whole unit between two others. False where that is one of them, or a row of it
 * cannot be predicted. */
static bool try_more(struct trial *trial, double value)
{
    struct attempt attempts[TRIAL_ROWS_MOST];
    size_t at = 1;

    value = round(value);
    while (at < trial->values && trial->value[at] < value)
        at++;
    if (at == trial->values || value <= trial->value[at - 1] || value >= trial->value[at])
        return false;
    for (size_t i = 0; i < trial->count; i++)
        attempts[i] = attempt_of(trial, i, value);
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

bool trial_predict(struct trial *trial)
{
    if (!predict_values(trial, 1, trial->values - 1))
        return false;
    refine(trial);
    return true;
}

/* By how much other figures that are not known move the rows together, as logarithms. */
static double moved_by_others(const struct trial *trial)
{
    struct attempt attempts[(OTHERS + 1) * TRIAL_ROWS_MOST];
    double errors[FINE_MOST], squares = 0.0;
    double best = fine_value(trial, find_best(trial, errors));

    for (size_t i = 0; i < (OTHERS + 1) * trial->count; i++) {
        attempts[i] = attempt_of(trial, i % trial->count, best);
        attempts[i].draw = i / trial->count;
    }
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

/* Whether another rule moves the rows as well: a value comes out, and is not near. */
static bool is_of_other_rule(const struct trial *trial, double off)
{
    return off > NEAR_FEW && is_of_one_group(trial);
}

/* Whether one of a few values comes out only because another rule moves the rows. */
static bool may_be_other(const struct trial *trial, double off)
{
    return trial->has_own_rows && trial->has_all && trial->values > SWITCH &&
           is_of_other_rule(trial, off);
}

/* By how much a row is faster than predicted with a fine value, at the most: a logarithm, or 0. */
static double faster_by(const struct trial *trial, size_t fine)
{
    double most = 0.0;

    for (size_t i = 0; i < trial->count; i++)
        most = fmax(most, -off_at(trial, i, fine));
    return most;
}

/* The least that a row is faster than predicted by, over the fine values. What a device's rules
 * have that the emulator's lack makes rows slower, not faster: a row that is faster than predicted
 * contradicts the value. */
static double least_faster(const struct trial *trial)
{
    double least = INFINITY;

    for (size_t f = 0; f < fine_end(trial); f += fine_step(trial))
        least = fmin(least, faster_by(trial, f));
    return least;
}

/* The fine value of the least error of those that rows contradict least. */
static size_t least_contradicted(const struct trial *trial, const double *errors)
{
    double least = least_faster(trial);
    size_t end = fine_end(trial), found = end;

    for (size_t f = 0; f < end; f += fine_step(trial)) {
        if (faster_by(trial, f) <= least + AS_GOOD && (found == end || errors[f] < errors[found]))
            found = f;
    }
    return found;
}

/* Fine values from `first` to `last`, and the one of them that is taken. */
struct span {
    size_t first, last, taken;
};

static void span_add(struct span *span, size_t fine)
{
    span->first = fine < span->first ? fine : span->first;
    span->last = fine > span->last ? fine : span->last;
}

/* The fine value that brings a row nearest, if it were the only one. */
static size_t best_of_row(const struct trial *trial, size_t row)
{
    size_t step = fine_step(trial), end = fine_end(trial), best = 0;

    for (size_t f = step; f < end; f += step)
        best = fabs(off_at(trial, row, f)) < fabs(off_at(trial, row, best)) ? f : best;
    return best;
}

/* The values that are as good. Where another rule moves the rows as well, they differ in what they
 * say, and the span has what each says alone. */
static struct span find_span(const struct trial *trial, const double *errors, size_t best)
{
    size_t step = fine_step(trial), end = fine_end(trial);
    bool of_other_rule = is_of_other_rule(trial, errors[best]);
    double most = (of_other_rule ? 1.0 : 2.0) * errors[best] + trial->as_good;
    struct span span = {best, best, best};

    for (size_t f = 0; f < end; f += step) {
        if (errors[f] <= most)
            span_add(&span, f);
    }
    if (!of_other_rule)
        return span;
    span.taken = least_contradicted(trial, errors);
    span_add(&span, span.taken);
    for (size_t i = 0; i < trial->count; i++)
        span_add(&span, best_of_row(trial, i));
    return span;
}

/* Adds the values that rows contradict by no more than another one: how much the other rule moves
 * them is not known. */
static void span_add_others(struct span *span, const struct trial *trial)
{
    double least = least_faster(trial);

    for (size_t f = 0; f < fine_end(trial); f += fine_step(trial)) {
        if (faster_by(trial, f) <= least + 2.0 * AS_GOOD)
            span_add(span, f);
    }
}

/* False where no value is near. */
static bool find_value(const struct trial *trial, struct calibration *found)
{
    double errors[FINE_MOST];
    size_t best = find_best(trial, errors);
    struct span span = find_span(trial, errors, best);

    if (may_be_other(trial, errors[best]))
        span_add_others(&span, trial);
    *found = (struct calibration){
        .rows = trial->count,
        .value = fine_value(trial, span.taken),
        .interval = in_whole_units(fine_value(trial, span.first), fine_value(trial, span.last)),
        .off = errors[best]};
    snprintf(found->figure, sizeof(found->figure), "%s", predictor_figure_name(trial->figure));
    return errors[best] <= near_enough(trial);
}

double trial_error_now(const struct trial *trial)
{
    struct attempt attempts[TRIAL_ROWS_MOST];
    double off[TRIAL_ROWS_MOST];

    for (size_t i = 0; i < trial->count; i++)
        attempts[i] = attempt_of(trial, i, NAN);
    make(trial, attempts, trial->count);
    for (size_t i = 0; i < trial->count; i++) {
        if (isnan(attempts[i].off))
            return 0.0;
        off[i] = fabs(attempts[i].off);
    }
    return error_of(trial, off);
}

/* Takes one more that is near. */
static void take_also(struct calibration *found, bool has_one, const struct calibration *one)
{
    struct interval all = has_one ? found->interval : one->interval;

    if (!has_one || one->off < found->off)
        *found = *one;
    found->interval =
        (struct interval){fmin(all.low, one->interval.low), fmax(all.high, one->interval.high)};
}

/* As trial_find(), which has found one if `is_near`. */
static bool find_with_other(const struct trial *trial, enum vesim_figure_index other, bool is_near,
                            struct calibration *found)
{
    const struct uncertain_figure *figure =
        uncertainty_of(predictor_uncertainty(trial->predictor), other);
    struct trial others = {.figure = other}, with = *trial;
    double has = predictor_figure(trial->predictor, other); /* what has been tried */

    trial_set_range(&others, figure->low, figure->high);
    with.other = other;
    for (size_t v = 0; v < others.values; v++) {
        struct calibration one;

        with.other_value = others.value[v];
        if (with.other_value == has || !predict_values(&with, 0, with.values) ||
            !find_value(&with, &one))
            continue;
        take_also(found, is_near, &one);
        is_near = true;
    }
    return is_near;
}

bool trial_find(struct trial *trial, enum vesim_figure_index other, struct calibration *found)
{
    trial->as_good = AS_GOOD;
    if (trial->is_moved_by_others)
        trial->as_good = fmax(AS_GOOD, 2.0 * moved_by_others(trial));
    bool is_near = find_value(trial, found);
    return other ? find_with_other(trial, other, is_near, found) : is_near;
}
