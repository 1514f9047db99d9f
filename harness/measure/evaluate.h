/* From the times of a variant's launches to its measurement: slopes, costs, interval, and whether
 * to believe it. docs/measurement.md has the formulas and argues for the limits. */
#ifndef VEBENCH_EVALUATE_H
#define VEBENCH_EVALUATE_H

#include "measure/measure.h"

/* Timed at n, 2n and 3n iterations: the fewest points that show whether a line is one. */
#define EVALUATION_POINTS 3

/* A launch shorter than this many ticks is mostly rounding. */
#define EVALUATION_FEWEST_TICKS 1000.0

/* The launches of one variant: in round r, EVALUATION_POINTS values from values + r * stride. */
struct series {
    const double *values; /* ns */
    uint32_t iterations;  /* n */
};

struct evaluation {
    struct series own;
    struct series baseline; /* values NULL where there is none */
    size_t stride;          /* in doubles */
    unsigned rounds;
    double units;          /* of work per iteration */
    double tick_ns;        /* step in which timestamps move */
    double shortest_ticks; /* the shortest launch of either series */
    uint32_t spill_bytes;  /* 0 also where spilling is what is measured */
};

/* Sets everything in `m` that follows from the times: OUTCOME_OK or OUTCOME_UNRELIABLE with its
 * reason, distribution, interval, fit and iterations. `costs` is room for one double per round. */
void evaluate(const struct evaluation *evaluation, double *costs, struct measurement *m);

/* The same for values that were observed, not fitted; `stride` doubles from one round to the next.
 * `tick` is what one step of the clock behind them is in their unit, 0 for none. */
void evaluate_observed(const double *values, size_t stride, unsigned rounds, double tick,
                       double *costs, struct measurement *m);

#endif
