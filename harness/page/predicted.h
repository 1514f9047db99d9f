/* What a model predicts against what was measured. */
#ifndef VEBENCH_PREDICTED_H
#define VEBENCH_PREDICTED_H

#include "page/plots.h"

/* In a panel each: the rows of files that the model was fitted to, those of other files, and whole
 * kernels, by their machine code. Rows that are a parameter themselves, and those that are not
 * above 0, are left out; the note says how many, and the errors of the others. */
void predicted_collect(const struct plot_source *source, struct plot_data *data);

/* Was the model fitted to the file of this row, and has it a parameter of the row's family? By the
 * file's last name and its number of rows: files are moved, but seldom changed. */
bool predicted_is_seen(const struct model *model, const struct record *record);

#endif
