/* Intervals of predictions: the same time on devices with other possible figures. */
#ifndef VEBENCH_INTERVAL_H
#define VEBENCH_INTERVAL_H

#include "predict/predict.h"

#define CAUSES_MAX 3

/* Fewer evaluations give no interval. */
#define INTERVAL_EVALUATIONS_LEAST 9

/* A figure that the prediction depends on. */
struct cause {
    const char *figure, *unit;
    bool assumed;           /* otherwise measured */
    const char *sweep;      /* a command that measures it, or NULL */
    double low, high;       /* its range */
    double at_low, at_high; /* the prediction with the figure at either end */
};

struct prediction_interval {
    double value;     /* with the figures as they are */
    double low, high; /* what other figures that are possible make of it: see docs/model.md */
    size_t draws;     /* devices that were evaluated; 0: there is no interval */
    struct cause cause[CAUSES_MAX]; /* largest first */
    size_t cause_count;
};

/* Predicts one value for the device that the predictor has at the moment. */
struct evaluator {
    struct predictor *predictor;
    void *context;
    enum status (*evaluate)(void *context, double *value, struct error *error);

    /* Called before each evaluation, of which there may be fewer than `of`; may be NULL. */
    void (*progress)(void *context, size_t done, size_t of);
    size_t evaluations_most; /* that the interval may take */

    /* One of vesim_figures[], which is asked for first, whatever the draws say; NULL: none. */
    const struct vesim_figure *depends_on;
};

/* Finds the interval of `value`, the prediction for the figures as they are. Leaves the predictor
 * with these. */
enum status prediction_interval_find(const struct evaluator *evaluator, double value,
                                     struct prediction_interval *interval, struct error *error);

/* Sets the ends from the value and the extremes of the interval's `draws`, of which `count` are
 * there, in units of which each is `unit` of the interval's. The ends lie beyond the extremes by a
 * share of their spread, so that nine of ten further draws are within; the more draws, the smaller
 * is the share. Below it is one of the ratio, because no time is negative. */
void interval_span(struct prediction_interval *interval, const double *drawn, size_t count,
                   double unit);

/* Widens an interval of a time by another error, independent of its own: logarithms of the factors
 * by which the time may be shorter and longer. */
void interval_widen(struct prediction_interval *interval, double shorter, double longer);

#endif
