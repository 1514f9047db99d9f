/* Answers with intervals: the same question on devices with other possible figures. */
#ifndef VEBENCH_INTERVAL_H
#define VEBENCH_INTERVAL_H

#include "predict/predict.h"

#define CAUSES_MAX 3

/* A figure that the answer depends on. */
struct cause {
    const char *figure, *unit;
    bool assumed;           /* otherwise measured */
    double low, high;       /* its range */
    double at_low, at_high; /* the answer with the figure at either end */
};

struct answer {
    double value;     /* with the figures as they are */
    double low, high; /* what other figures that are possible make of it: see docs/model.md */
    size_t draws;     /* devices that were asked; 0: there is no interval */
    struct cause cause[CAUSES_MAX]; /* largest first */
    size_t cause_count;
};

/* A question about the device that the predictor has at the moment. */
struct question {
    struct predictor *predictor;
    void *context;
    enum status (*ask)(void *context, double *value, struct error *error);

    /* Called before each question, of which there may be fewer than `of`; may be NULL. */
    void (*progress)(void *context, size_t asked, size_t of);
    size_t draws_most;
};

/* Finds the interval of `value`, the answer for the figures as they are. Leaves the predictor with
 * these. */
enum status answer_with_interval(const struct question *question, double value,
                                 struct answer *answer, struct error *error);

#endif
