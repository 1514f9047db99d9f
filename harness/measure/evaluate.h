/* From the times of a variant's launches to its measurement: slopes, costs, interval, and whether
 * to believe it. docs/measurement.md has the formulas and argues for the limits. */
#ifndef VEBENCH_EVALUATE_H
#define VEBENCH_EVALUATE_H

#include "measure/measure.h"

/* Timed at n, 2n, ... iterations: three counts are the fewest that show whether a line is one,
 * which does where nothing is noisy; five let one of them be wrong. */
#define EVALUATION_POINTS_MAX      5
#define EVALUATION_POINTS_MODEL    3
#define EVALUATION_POINTS_HARDWARE 5

/* A launch shorter than this many ticks is mostly rounding. */
#define EVALUATION_FEWEST_TICKS 1000.0

/* A model's clock is exact, and its launches cost the host as much as they have threads: those that
 * fill half the device are a quarter as long, and their intervals the wider. */
#define EVALUATION_FEWEST_TICKS_WIDE 250.0

/* Doubles of room that an evaluation of so many rounds needs. */
#define EVALUATION_ROOM(rounds) ((size_t)(rounds) * (EVALUATION_POINTS_MAX + 2))

/* The launches of one variant: in round r, `points` values from values + r * stride. */
struct series {
    const double *values; /* ns */
    uint32_t iterations;  /* n */
};

struct evaluation {
    struct series own;
    struct series baseline; /* values NULL where there is none */
    size_t stride;          /* in doubles */
    unsigned points;        /* iteration counts, 3 to EVALUATION_POINTS_MAX */
    unsigned rounds;
    unsigned least_rounds; /* of the stop rule */
    double units;          /* of work per iteration */
    double tick_ns;        /* step in which timestamps move */
    double shortest_ticks; /* the shortest launch of either series */
    double fewest_ticks;   /* that a launch should take; 0: EVALUATION_FEWEST_TICKS */
    uint32_t spill_bytes;  /* 0 also where spilling is what is measured */
};

/* Sets everything in `m` that follows from the times: OUTCOME_OK or OUTCOME_UNRELIABLE with its
 * reason, value, distribution, interval, fit and iterations. `room` for EVALUATION_ROOM doubles. */
void evaluate(const struct evaluation *evaluation, double *room, struct measurement *m);

/* The same for values that were observed, not fitted; `stride` doubles from one round to the next.
 * `tick` is what one step of the clock behind them is in their unit, 0 for none. */
void evaluate_observed(const double *values, size_t stride, unsigned rounds, unsigned least_rounds,
                       double tick, double *room, struct measurement *m);

#endif
