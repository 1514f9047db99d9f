/* The parts of the page, each in a file of its own. */
#ifndef VEBENCH_PAGE_PARTS_H
#define VEBENCH_PAGE_PARTS_H

#include "page/plots.h"

#include <stdio.h>

/* A plot with its panels, drawn in the folder: page-plot.c. */
enum status page_put_plot(FILE *out, const struct plot *plot, const struct plot_source *source,
                          const char *directory, struct error *error);

/* The table of parameters, and what is absent: page-model.c. */
void page_put_model(FILE *out, const struct model *model);

/* What to keep in mind, and where it was measured: page-caveats.c. */
void page_put_caveats(FILE *out, const struct records *records);
void page_put_environment(FILE *out, const struct records *records);

#endif
