/* From the times of a variant's launches to its measurement: slopes, costs, interval, and whether
 * to believe it. docs/measurement.md has the formulas and argues for the limits. */
#ifndef VEBENCH_EVALUATE_H
#define VEBENCH_EVALUATE_H

#include "measure.h"

/* Timed at n, 2n and 3n iterations: the fewest points that show whether a line is one. */
#define EVALUATION_POINTS 3

/* A launch shorter than this many ticks is mostly rounding. */
#define EVALUATION_FEWEST_TICKS 1000.0

struct evaluation {
    const double *own_ns;      /* the variant's launches of round 0; round r begins at r * stride */
    const double *baseline_ns; /* the baseline's, or NULL for the baseline itself */
    size_t stride;             /* in doubles */
    unsigned rounds;
    uint32_t iterations;       /* n */
    double work_per_iteration; /* units of work */
    double tick_ns;            /* period of the timer */
    double shortest_ticks;     /* the shortest launch of all variants */
    uint32_t spill_bytes;
};

/* Sets everything in `m` that follows from the times: OUTCOME_OK or OUTCOME_UNRELIABLE with its
 * reason, distribution, interval, fit and iterations. `costs` is room for one double per round. */
void evaluate(const struct evaluation *evaluation, double *costs, struct measurement *m);

#endif
