/* The model's part of a plot: functions for `explain` of struct plot. */
#ifndef VEBENCH_PLOT_MODEL_H
#define VEBENCH_PLOT_MODEL_H

#include "report/plots.h"

/* Adds a line through the predictions for the rows themselves. */
void explain_rows(const struct plot *plot, const struct model *model, struct plot_data *data);

/* Adds what the model says about the run of points that begins at `first`. */
typedef void (*plot_explain_run)(const struct model *model, struct plot_data *data, size_t first,
                                 size_t count);

/* Calls `explain` for each run of the points that exist before the first call. */
void plot_each_run(const struct model *model, struct plot_data *data, plot_explain_run explain);

/* A point in the same panel and series, with coordinates of 0. */
struct plot_point plot_beside(const struct plot_point *point, const char *style);

#endif
