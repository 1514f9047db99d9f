/* Predictions of rows of results with values of a figure, on all processors. */
#ifndef VEBENCH_ATTEMPTS_H
#define VEBENCH_ATTEMPTS_H

#include "predict/predict.h"
#include "rows/records.h"

/* The loop of a row, from few iterations. */
struct attempt {
    const struct record *record; /* borrowed */
    double value;                /* of the figure; NAN: as the predictor has it */
    size_t draw;                 /* that has the others, from 1 on; 0: as the predictor has them */
    double off;                  /* the logarithm of measured over predicted; NAN where there is no
                                    prediction, or one that took more than the most effort */
    enum vesim_figure_index other; /* that has `other_value`; 0: none */
    double other_value;
};

/* Finds `off` of each. `figure` is an index of vesim_figures[], and the effort that of struct
 * outcome. A module is compiled once, whatever the number of processes. */
void attempts_make(struct predictor *predictor, size_t figure, double effort_most,
                   struct attempt *attempts, size_t count);

#endif
