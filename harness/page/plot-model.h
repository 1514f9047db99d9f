/* What a model says of what a plot shows: see `explain` of struct plot. */
#ifndef VEBENCH_PLOT_MODEL_H
#define VEBENCH_PLOT_MODEL_H

#include "page/plots.h"

void explain_barrier(const struct plot *plot, const struct model *model, struct plot_data *data);
void explain_latency(const struct plot *plot, const struct model *model, struct plot_data *data);
void explain_in_flight(const struct plot *plot, const struct model *model, struct plot_data *data);

/* A line through what is predicted of the rows themselves. */
void explain_rows(const struct plot *plot, const struct model *model, struct plot_data *data);

#endif
