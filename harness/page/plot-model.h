/* What a model says of what a plot shows: for `explain` of struct plot. */
#ifndef VEBENCH_PLOT_MODEL_H
#define VEBENCH_PLOT_MODEL_H

#include "page/plots.h"

/* A line through what is predicted of the rows themselves. */
void explain_rows(const struct plot *plot, const struct model *model, struct plot_data *data);

/* Adds what the model says of the run of points from `first` on. */
typedef void (*plot_explain_run)(const struct model *model, struct plot_data *data, size_t first,
                                 size_t count);

/* The points that are there before anything is added, run by run. */
void plot_each_run(const struct model *model, struct plot_data *data, plot_explain_run explain);

/* A point of the same panel and series, at 0. */
struct plot_point plot_beside(const struct plot_point *point, const char *style);

#endif
