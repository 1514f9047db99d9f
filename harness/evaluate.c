#include "evaluate.h"

#include <math.h>
#include <stdio.h>

/* What counts as steady. */
#define LEAST_R_SQUARED 0.99
#define WIDEST_OF_LOOP  0.05
#define WIDEST_OF_VALUE 0.10

/* Fills `costs` and the worst R^2, returns the loop's mean time per unit of work. */
static double fit_rounds(const struct evaluation *e, double *costs, struct measurement *m,
                         double *sxx)
{
    double x[EVALUATION_POINTS];
    double loop_ns = 0.0;

    for (size_t p = 0; p < EVALUATION_POINTS; p++)
        x[p] = (double)e->iterations * (double)(p + 1);
    m->r_squared = 1.0;
    for (unsigned round = 0; round < e->rounds; round++) {
        size_t at = round * e->stride;
        struct line_fit own = stats_fit_line(x, e->own_ns + at, EVALUATION_POINTS);
        double cost = own.slope;

        /* Paired with the baseline of the same round: what drifted, drifted for both. */
        if (e->baseline_ns)
            cost -= stats_fit_line(x, e->baseline_ns + at, EVALUATION_POINTS).slope;
        costs[round] = cost / e->work_per_iteration;
        loop_ns += own.slope / e->work_per_iteration / e->rounds;
        m->r_squared = fmin(m->r_squared, own.r_squared);
        *sxx = own.sxx;
    }
    return loop_ns;
}

static void judge(const struct evaluation *e, double loop_ns, double half, struct measurement *m)
{
    m->outcome = OUTCOME_UNRELIABLE;
    if (m->r_squared < LEAST_R_SQUARED) {
        snprintf(m->reason, sizeof m->reason,
                 "time is no straight line over iterations (worst R^2 %.4f, below %.2f)",
                 m->r_squared, LEAST_R_SQUARED);
    } else if (half > WIDEST_OF_LOOP * fabs(loop_ns) &&
               half > WIDEST_OF_VALUE * fabs(m->ns.median)) {
        snprintf(m->reason, sizeof m->reason,
                 "unsteady over %u rounds: the interval is +- %.3g ns around %.3g ns", e->rounds,
                 half, m->ns.mean);
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

void evaluate(const struct evaluation *e, double *costs, struct measurement *m)
{
    double sxx = 0.0;
    double loop_ns = fit_rounds(e, costs, m, &sxx);
    double slope_sd =
        stats_slope_sd(stats_quantisation_sd(e->tick_ns), sxx) / e->work_per_iteration;
    double half;

    if (e->baseline_ns)
        slope_sd *= sqrt(2.0); /* a difference of two slopes */
    m->ns = stats_describe(costs, e->rounds);
    half = stats_ci95_half_width(m->ns.stddev, e->rounds, slope_sd);
    m->ci95_lo_ns = m->ns.mean - half;
    m->ci95_hi_ns = m->ns.mean + half;
    m->iterations = e->iterations * EVALUATION_POINTS;
    judge(e, loop_ns, half, m);
}
