/* Turns the times of a variant's launches into its measurement: slopes, costs, interval, and
 * whether it is reliable. docs/measurement.md has the formulas and the reasons for the limits. */
#ifndef VEBENCH_EVALUATE_H
#define VEBENCH_EVALUATE_H

#include "measure/measure.h"

/* Timed at n, 2n, ... iterations: three counts are the fewest that can show whether times lie on a
 * line, and are enough without noise; with five, one of them may be wrong. */
#define EVALUATION_POINTS_MAX      5
#define EVALUATION_POINTS_MODEL    3
#define EVALUATION_POINTS_HARDWARE 5

/* In a launch shorter than this many ticks, rounding dominates. */
#define EVALUATION_FEWEST_TICKS 1000.0

/* An emulated device's clock is exact, and its launches cost host time in proportion to their
 * threads: all threads of a launch together run for so many ticks, fewer if its time is no part of
 * a difference and its messages are waited for. But no launch is longer than on hardware, or than
 * MOST_TICKS if its time is no part of a difference, and none shorter than FEWEST_TICKS_CORE, or
 * _WIDE if there are more threads than one Xe-core has: caches that several share take longer to be
 * as they stay. The interval has the rounding, which puts the slope of the shortest of them 0.2 %
 * off (one standard deviation). */
#define EVALUATION_THREAD_TICKS      8000.0
#define EVALUATION_THREAD_TICKS_LOOP 5000.0
#define EVALUATION_MOST_TICKS        500.0
#define EVALUATION_FEWEST_TICKS_CORE 125.0
#define EVALUATION_FEWEST_TICKS_WIDE 250.0

/* So many times as long where nothing waits for the messages: the first ones only fill queues. */
#define EVALUATION_POSTED 2.0

/* So many rounds of an emulated device that differ by no more than their rounding are enough. */
#define ROUNDS_TO_AGREE 3u

/* So many launches with contents of their own `scatter` is of. */
#define EVALUATION_CONTENTS 5u

/* Size of `room` in doubles for an evaluation of so many rounds. */
#define EVALUATION_ROOM(rounds) ((size_t)(rounds) * (EVALUATION_POINTS_MAX + 2))

/* The launches of one variant: in round r, `points` values from values + r * stride. */
struct series {
    const double *values; /* ns */
    uint32_t iterations;  /* n */
    double scatter; /* ns, an iteration's standard deviation over contents; 0 within rounding */
};

struct evaluation {
    struct series own;
    struct series baseline; /* values NULL if there is none */
    size_t stride;          /* in doubles */
    unsigned points;        /* iteration counts, 3 to EVALUATION_POINTS_MAX */
    unsigned rounds;
    unsigned least_rounds;  /* the stop rule's minimum */
    double units;           /* of work per iteration */
    double tick_ns;         /* timestamp resolution */
    double shortest_ticks;  /* the shortest launch of either series */
    double fewest_ticks;    /* minimum for a launch; 0: EVALUATION_FEWEST_TICKS */
    bool has_bent;          /* either, in shorter launches: rounding may hide the rest */
    bool is_clock_constant; /* an emulated device's: it has no noise but the series' scatter */
};

/* Sets everything in `m` that is derived from the times: OUTCOME_OK or OUTCOME_UNRELIABLE with its
 * reason, value, distribution, interval, fit and iterations. `room` for EVALUATION_ROOM doubles. */
void evaluate(const struct evaluation *evaluation, double *room, struct measurement *m);

/* The same for observed rather than fitted values, `stride` doubles apart from round to round.
 * `tick` is the resolution of the underlying clock in the values' unit, 0 for none. */
void evaluate_observed(const double *values, size_t stride, unsigned rounds, unsigned least_rounds,
                       double tick, double *room, struct measurement *m);

#endif
