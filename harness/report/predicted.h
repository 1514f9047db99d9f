/* A model's predictions against measurements. */
#ifndef VEBENCH_PREDICTED_H
#define VEBENCH_PREDICTED_H

#include "report/plots.h"

/* One panel each for rows of files that the model was fitted to, for rows of other files, and for
 * whole kernels, predicted from their machine code. Leaves out rows that are model parameters
 * themselves, and rows whose value is not above 0; the note says how many, and gives the errors of
 * the rest. */
void predicted_collect(const struct plot_source *source, struct plot_data *data);

/* Whether the model was fitted to this row's file and has a parameter of the row's family. Files
 * are identified by base name and number of rows, as they are moved more often than changed. */
bool predicted_is_seen(const struct model *model, const struct record *record);

#endif
