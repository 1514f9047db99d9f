#include "measure/evaluate.h"

#include <math.h>
#include <stdio.h>

/* What counts as steady. */
#define LEAST_R_SQUARED 0.99
#define WIDEST_OF_LOOP  0.05
#define WIDEST_OF_VALUE 0.10

static struct line_fit fit_series(const struct series *series, size_t at)
{
    double x[EVALUATION_POINTS];

    for (size_t p = 0; p < EVALUATION_POINTS; p++)
        x[p] = (double)series->iterations * (double)(p + 1);
    return stats_fit_line(x, series->values + at, EVALUATION_POINTS);
}

/* By how much the time of the variant's own loop changed for good in the course of the rounds,
 * relative to it, as when the clock steps: the rounds' costs are then those of different clocks,
 * and their mean is that of none. 0 where it did not. */
static double change_of(double *values, unsigned rounds)
{
    size_t before = stats_find_change(values, rounds);

    return before > 0 && before < rounds ? stats_change_size(values, rounds, before) : 0.0;
}

static double loop_change(const struct evaluation *e, double *slopes)
{
    for (unsigned round = 0; round < e->rounds; round++)
        slopes[round] = fit_series(&e->own, round * e->stride).slope;
    return change_of(slopes, e->rounds);
}

/* Fills `costs`, the worst R^2 and the loop's own time; returns the variance of a cost that the
 * rounding of timestamps alone makes. */
static double fit_rounds(const struct evaluation *e, double *costs, struct measurement *m)
{
    double tick_sd = stats_quantisation_sd(e->tick_ns);
    double variance = 0.0;

    m->r_squared = 1.0;
    m->iteration_ns = 0.0;
    for (unsigned round = 0; round < e->rounds; round++) {
        size_t at = round * e->stride;
        struct line_fit own = fit_series(&e->own, at);
        double sd = stats_slope_sd(tick_sd, own.sxx) / e->units;

        costs[round] = own.slope;
        variance = sd * sd;
        /* Paired with the baseline of the same round: what drifted, drifted for both. */
        if (e->baseline.values) {
            struct line_fit baseline = fit_series(&e->baseline, at);

            costs[round] -= baseline.slope;
            sd = stats_slope_sd(tick_sd, baseline.sxx) / e->units;
            variance += sd * sd;
        }
        costs[round] /= e->units;
        m->iteration_ns += own.slope / e->rounds;
        m->r_squared = fmin(m->r_squared, own.r_squared);
    }
    return variance;
}

static void doubt(struct measurement *m, const struct evaluation *e, double half)
{
    m->outcome = OUTCOME_UNRELIABLE;
    if (m->r_squared < LEAST_R_SQUARED) {
        snprintf(m->reason, sizeof m->reason,
                 "time is no straight line over iterations (worst R^2 %.4f, below %.2f)",
                 m->r_squared, LEAST_R_SQUARED);
    } else if (half > WIDEST_OF_LOOP * fabs(m->iteration_ns / e->units) &&
               half > WIDEST_OF_VALUE * fabs(m->values.median)) {
        snprintf(m->reason, sizeof m->reason,
                 "unsteady over %u rounds: the interval is +- %.3g ns around %.3g ns", e->rounds,
                 half, m->values.mean);
    } else if (e->spill_bytes > 0) {
        snprintf(m->reason, sizeof m->reason,
                 "the kernel spills %u bytes of registers per thread to memory",
                 (unsigned)e->spill_bytes);
    } else if (e->shortest_ticks < EVALUATION_FEWEST_TICKS) {
        snprintf(m->reason, sizeof m->reason, "a launch took only %.0f ticks of the timer",
                 e->shortest_ticks);
    } else {
        m->outcome = OUTCOME_OK;
        m->reason[0] = '\0';
    }
}

/* Distribution and interval; returns half the interval's width. `change` is that of the clock: the
 * interval then holds the value at either. */
static double describe(struct measurement *m, double *costs, unsigned rounds, double systematic_sd,
                       double change)
{
    double half;

    m->values = stats_describe(costs, rounds);
    half = hypot(stats_ci95_half_width(m->values.stddev, rounds, systematic_sd),
                 change * m->values.mean);
    m->ci95_lo = m->values.mean - half;
    m->ci95_hi = m->values.mean + half;
    return half;
}

void evaluate(const struct evaluation *e, double *costs, struct measurement *m)
{
    double change = loop_change(e, costs);
    double variance = fit_rounds(e, costs, m);

    m->iterations = e->own.iterations * EVALUATION_POINTS;
    doubt(m, e, describe(m, costs, e->rounds, sqrt(variance), change));
}

void evaluate_observed(const double *values, size_t stride, unsigned rounds, double tick,
                       double *costs, struct measurement *m)
{
    double half, change;

    for (unsigned round = 0; round < rounds; round++)
        costs[round] = values[round * stride];
    change = change_of(costs, rounds);
    half = describe(m, costs, rounds, stats_quantisation_sd(tick), change);
    m->r_squared = NAN;
    m->iterations = 0;
    m->iteration_ns = 0.0;
    m->outcome = OUTCOME_OK;
    m->reason[0] = '\0';
    if (half > WIDEST_OF_VALUE * fabs(m->values.median)) {
        m->outcome = OUTCOME_UNRELIABLE;
        snprintf(m->reason, sizeof m->reason,
                 "unsteady over %u rounds: the interval is +- %.3g around %.3g", rounds, half,
                 m->values.mean);
    }
}
