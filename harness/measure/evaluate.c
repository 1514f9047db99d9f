#include "measure/evaluate.h"

#include "base/robust.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Limits for a steady measurement. */
#define LEAST_R_SQUARED 0.99
#define LARGEST_BEND    0.05
#define SURE_OF_BEND    1.5 /* half-widths of its 95 % interval: once in 300 by chance */
#define WIDEST_OF_LOOP  0.05
#define WIDEST_OF_VALUE 0.10
#define MOST_BELOW_ZERO 0.01 /* of the loop's own time: less may be code that lies elsewhere */

/* If some launches take this much longer than the others, with none in between, they ran at two
 * clocks; fewer launches than this cannot show it. */
#define LEAST_MODE_GAP    0.01
#define FEWEST_FOR_MODES  30u
#define FEWEST_MODE_TICKS 4.0
#define QUICK             0.1

static const double *at_round(const struct evaluation *e, const struct series *series,
                              unsigned round)
{
    return series->values + round * e->stride;
}

static void iteration_counts(const struct evaluation *e, const struct series *series,
                             double x[EVALUATION_POINTS_MAX])
{
    for (unsigned p = 0; p < e->points; p++)
        x[p] = (double)series->iterations * (double)(p + 1);
}

/* ns per iteration in one round. */
static double slope_of(const struct evaluation *e, const struct series *series, unsigned round)
{
    double x[EVALUATION_POINTS_MAX];

    iteration_counts(e, series, x);
    return robust_slope(x, at_round(e, series, round), e->points);
}

/* The slope at the largest count minus that at the middle of the counts, in ns per iteration, in
 * one round: the change of the derivative of c p^2 over half of the counts. */
static double bend_of(const struct evaluation *e, const struct series *series, unsigned round)
{
    return robust_curvature(at_round(e, series, round), e->points, NULL) * (e->points - 1) /
           series->iterations;
}

static double worth_of(const struct evaluation *e, unsigned round,
                       double of(const struct evaluation *, const struct series *, unsigned),
                       bool baseline_too)
{
    double own = of(e, &e->own, round);

    /* Paired with the baseline of the same round: drift affects both. */
    return baseline_too && e->baseline.values ? own - of(e, &e->baseline, round) : own;
}

/* Standard deviations of a slope and of a bend due to timestamp rounding alone, with or without the
 * baseline's. More rounds do not reduce them: on a quiet device all rounds round alike. */
struct rounding {
    double slope, bend;
};

static struct rounding rounding_of(const struct evaluation *e, bool baseline_too)
{
    double sd = stats_quantisation_sd(e->tick_ns), n = e->points, factor = 0.0;
    double own = 1.0 / e->own.iterations, inverse = own;
    struct rounding rounding;

    if (baseline_too && e->baseline.values)
        inverse = hypot(own, 1.0 / e->baseline.iterations);
    robust_curvature(e->own.values, e->points, &factor);
    rounding.slope = stats_slope_sd(sd, n * (n * n - 1.0) / 12.0) * inverse;
    rounding.bend = sd * factor * (n - 1.0) * inverse;
    return rounding;
}

/* Relative lasting change of the variant's own loop time during the rounds, as when the clock
 * steps: the rounds' costs then belong to different clocks, and their mean to neither. 0 if there
 * is none. */
static double change_of(double *values, unsigned rounds)
{
    size_t before = stats_find_change(values, rounds);

    return before > 0 && before < rounds ? stats_change_size(values, rounds, before) : 0.0;
}

/* The bend, and the half-width of its interval. */
static double mean_bend(const struct evaluation *e, bool baseline_too, double *room, double *half)
{
    double rounding = rounding_of(e, baseline_too).bend;

    for (unsigned round = 0; round < e->rounds; round++)
        room[round] = worth_of(e, round, bend_of, baseline_too);
    struct robust_mean bend = robust_mean(room, e->rounds, rounding, room + e->rounds);
    *half = e->rounds > 1 ? robust_ci95_half(&bend, rounding) : STATS_Z975 * rounding;
    return bend.mean;
}

static bool bends(const struct evaluation *e, const struct series *series, double *room)
{
    struct evaluation alone = *e;
    double half;

    alone.own = *series;
    return series->values && fabs(mean_bend(&alone, false, room, &half)) > SURE_OF_BEND * half;
}

/* How far the bend may move the cost away from that at the middle of the counts, in ns per unit of
 * work. 0 unless the loop or its baseline significantly bends, or has bent; their difference is too
 * uncertain to test itself. */
static double reach_of_bend(const struct evaluation *e, double *room)
{
    double half;

    if (!e->has_bent && !bends(e, &e->own, room) && !bends(e, &e->baseline, room))
        return 0.0;
    double bend = mean_bend(e, true, room, &half);
    return (fabs(bend) + half) / e->units;
}

static double median_r_squared(const struct evaluation *e, double *room)
{
    double x[EVALUATION_POINTS_MAX];

    iteration_counts(e, &e->own, x);
    for (unsigned round = 0; round < e->rounds; round++)
        room[round] = stats_fit_line(x, at_round(e, &e->own, round), e->points).r_squared;
    return stats_describe(room, e->rounds).median;
}

/* Describes the variant's own loop: time, linearity and changes. */
static double describe_loop(const struct evaluation *e, double *room, struct measurement *m)
{
    double half;

    for (unsigned round = 0; round < e->rounds; round++)
        room[round] = slope_of(e, &e->own, round);
    double change = change_of(room, e->rounds);
    for (unsigned round = 0; round < e->rounds; round++)
        room[round] = slope_of(e, &e->own, round);
    m->iteration_ns =
        robust_mean(room, e->rounds, rounding_of(e, false).slope, room + e->rounds).mean;
    m->r_squared = median_r_squared(e, room);
    double bend = mean_bend(e, false, room, &half);
    m->bend = fabs(bend) > SURE_OF_BEND * half ? 2.0 * bend / m->iteration_ns : 0.0;
    return change;
}

/* Launches with the same iteration count differ only by noise: counts the outliers and checks
 * whether the others fall into two groups. */
static void compare_launches(const struct evaluation *e, double *room, struct measurement *m)
{
    double *values = room, *spare = room + e->rounds, *ratios = room + 2 * (size_t)e->rounds;
    double longest = 0.0;
    struct two_modes modes;
    size_t count = 0;

    m->outliers = 0;
    m->mode_gap = 0.0;
    for (unsigned p = 0; p < e->points; p++) {
        for (unsigned round = 0; round < e->rounds; round++)
            values[round] = at_round(e, &e->own, round)[p];
        m->outliers +=
            (unsigned)robust_wild(values, e->rounds, stats_quantisation_sd(e->tick_ns), spare);
        /* Lies in the faster group if there are two; the median may lie in either. */
        double quick = stats_quantile(values, e->rounds, QUICK);
        longest = fmax(longest, e->tick_ns / quick);
        for (unsigned round = 0; round < e->rounds; round++)
            ratios[count++] = values[round] / quick;
    }
    if (count >= FEWEST_FOR_MODES &&
        robust_two_modes(ratios, count, fmax(LEAST_MODE_GAP, FEWEST_MODE_TICKS * longest), &modes))
        m->mode_gap = modes.high / modes.low - 1.0;
}

/* Is the cost, even at the high end of its interval, so far below zero that the baseline does
 * something that the variant does not? Then it is no cost of the operation. */
static bool is_below_zero(const struct measurement *m, const struct evaluation *e)
{
    return e->baseline.values && m->ci95_hi < -MOST_BELOW_ZERO * fabs(m->iteration_ns / e->units);
}

static void doubt(struct measurement *m, const struct evaluation *e, double half)
{
    m->outcome = OUTCOME_UNRELIABLE;
    m->may_settle = true;
    m->is_bent = fabs(m->bend) > LARGEST_BEND;
    if (m->is_bent) {
        snprintf(m->reason, sizeof(m->reason),
                 "time is not a straight line over iterations: the last ones take %.3g %% %s than "
                 "the first",
                 100.0 * fabs(m->bend), m->bend > 0.0 ? "longer" : "less");
    } else if (m->r_squared < LEAST_R_SQUARED) {
        snprintf(m->reason, sizeof(m->reason),
                 "time is not a straight line over iterations (R^2 %.4f, below %.2f)", m->r_squared,
                 LEAST_R_SQUARED);
    } else if (m->mode_gap > 0.0 && !e->is_clock_constant) {
        snprintf(m->reason, sizeof(m->reason),
                 "launches of the same length take one of two times, %.3g %% apart: the clock has "
                 "two states",
                 100.0 * m->mode_gap);
    } else if (half > WIDEST_OF_LOOP * fabs(m->iteration_ns / e->units) &&
               half > WIDEST_OF_VALUE * fabs(m->value)) {
        snprintf(m->reason, sizeof(m->reason),
                 "unsteady over %u rounds: the interval is +- %.3g ns around %.3g ns", e->rounds,
                 half, m->value);
    } else if (e->shortest_ticks <
               (e->fewest_ticks > 0.0 ? e->fewest_ticks : EVALUATION_FEWEST_TICKS)) {
        snprintf(m->reason, sizeof(m->reason), "a launch took only %.0f ticks of the timer",
                 e->shortest_ticks);
    } else if (is_below_zero(m, e)) {
        m->may_settle = false;
        snprintf(m->reason, sizeof(m->reason),
                 "faster than its baseline by %.3g %% of the loop, so this is no cost of the "
                 "operation",
                 -100.0 * m->value * e->units / fabs(m->iteration_ns));
    } else {
        m->outcome = OUTCOME_OK;
        snprintf(m->reason, sizeof(m->reason), "%s",
                 e->baseline.values && m->ci95_hi < 0.0 ? "faster than its baseline" : "");
    }
}

/* What sets rounds apart: on an emulated device contents alone, or nothing but rounding. */
enum scatter { SCATTER_ANY, SCATTER_CONTENTS, SCATTER_ROUNDING };

static enum scatter scatter_of(const struct evaluation *e)
{
    if (!e->is_clock_constant)
        return SCATTER_ANY;
    return e->own.scatter > 0.0 || e->baseline.scatter > 0.0 ? SCATTER_CONTENTS : SCATTER_ROUNDING;
}

/* One round has no scatter of its own: what is known of it is from launches that were tried. */
static struct robust_mean mean_of_one(double value, double scatter)
{
    return (struct robust_mean){
        .mean = value, .standard_error = scatter, .degrees = EVALUATION_CONTENTS - 1};
}

/* Such rounds differ by no more standard errors of their rounding. */
#define ROUNDING_ALONE 2.0

/* What contents do is no outlier, however few do it. */
static struct robust_mean plain_mean(const struct distribution *values)
{
    return (struct robust_mean){.mean = values->mean,
                                .standard_error = values->stddev / sqrt((double)values->count),
                                .degrees = values->count - 1};
}

/* How the mean of the rounds is found, and what is known about it beside them. */
struct manner {
    enum scatter scatter;
    double tried_sd;    /* of one round, by the launches that were tried */
    double rounding_sd; /* of any number of rounds */
    unsigned least_rounds;
};

static struct robust_mean mean_of(const struct manner *how, const struct distribution *values,
                                  double *costs, unsigned rounds)
{
    if (how->scatter != SCATTER_ANY && rounds == 1)
        return mean_of_one(costs[0], how->tried_sd);
    if (how->scatter == SCATTER_CONTENTS)
        return plain_mean(values);
    return robust_mean(costs, rounds, how->rounding_sd, costs + rounds);
}

/* Sets value, distribution and interval; returns the interval's half-width. `change` is that of the
 * clock, `bend` that of the slope between the middle and the ends of the counts: the interval
 * covers the value at either clock and at either end. Rounds that only rounding sets apart have no
 * other error. */
static double describe(struct measurement *m, double *costs, unsigned rounds,
                       const struct manner *how, double change, double bend)
{
    m->values = stats_describe(costs, rounds);
    struct robust_mean mean = mean_of(how, &m->values, costs, rounds);
    /* The number of rounds depends on their scatter, so only the minimum number of rounds counts
     * towards the degrees of freedom (Stein 1945). */
    if (how->least_rounds < rounds)
        mean.degrees = robust_degrees(how->least_rounds);
    /* Costs that cancel leave what the sum was rounded by. */
    if (fabs(mean.mean) < DBL_EPSILON * fmax(fabs(m->values.min), fabs(m->values.max)))
        mean.mean = 0.0;
    m->value = mean.mean;
    m->standard_error = hypot(mean.standard_error, how->rounding_sd);
    m->is_rounding_alone = m->standard_error <= ROUNDING_ALONE * how->rounding_sd;
    double own = how->scatter == SCATTER_ROUNDING && m->is_rounding_alone
                     ? STATS_Z975 * m->standard_error
                     : robust_ci95_half(&mean, how->rounding_sd);
    double half = hypot(own, change * mean.mean) + bend;
    m->ci95_lo = mean.mean - half;
    m->ci95_hi = mean.mean + half;
    return half;
}

void evaluate(const struct evaluation *e, double *room, struct measurement *m)
{
    double change = describe_loop(e, room, m);
    double bend = reach_of_bend(e, room);
    const struct manner how = {.scatter = scatter_of(e),
                               .tried_sd = hypot(e->own.scatter, e->baseline.scatter) / e->units,
                               .rounding_sd = rounding_of(e, true).slope / e->units,
                               .least_rounds = e->least_rounds};

    compare_launches(e, room, m);
    for (unsigned round = 0; round < e->rounds; round++)
        room[round] = worth_of(e, round, slope_of, true) / e->units;
    m->iterations = e->own.iterations * e->points;
    doubt(m, e, describe(m, room, e->rounds, &how, change, bend));
}

void evaluate_observed(const double *values, size_t stride, unsigned rounds, unsigned least_rounds,
                       double tick, double *room, struct measurement *m)
{
    for (unsigned round = 0; round < rounds; round++)
        room[round] = values[round * stride];
    double change = change_of(room, rounds);
    /* change_of() has sorted the parts; their order no longer matters. */
    const struct manner how = {.scatter = SCATTER_ANY,
                               .rounding_sd = stats_quantisation_sd(tick),
                               .least_rounds = least_rounds};
    double half = describe(m, room, rounds, &how, change, 0.0);
    m->r_squared = NAN;
    m->bend = 0.0;
    m->is_bent = false;
    m->mode_gap = 0.0;
    m->outliers = 0;
    m->iterations = 0;
    m->iteration_ns = 0.0;
    m->outcome = OUTCOME_OK;
    m->reason[0] = '\0';
    if (half > WIDEST_OF_VALUE * fabs(m->value)) {
        m->outcome = OUTCOME_UNRELIABLE;
        snprintf(m->reason, sizeof(m->reason),
                 "unsteady over %u rounds: the interval is +- %.3g around %.3g", rounds, half,
                 m->value);
    }
}
