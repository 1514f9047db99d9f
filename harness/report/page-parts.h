/* The parts of the page, each in a file of its own. */
#ifndef VEBENCH_PAGE_PARTS_H
#define VEBENCH_PAGE_PARTS_H

#include "report/export.h"
#include "report/plots.h"

#include <stdio.h>

/* A sentence and bars for each group of families: page-verdicts.c. */
enum status page_put_verdicts(FILE *out, const struct plot_source *source, struct error *error);

/* Every operation by sub-group size: heat-map.c. */
enum status page_put_heat(FILE *out, const struct plot_source *source, struct error *error);

/* A plot and its drawings, which are also exported: page-plot.c. */
enum status page_put_plot(FILE *out, const struct plot *plot, const struct plot_source *source,
                          struct export *export, struct error *error);

/* The table of parameters, and what is missing: page-model.c. */
void page_put_model(FILE *out, const struct model *model);

/* What to keep in mind, and where it was measured: page-caveats.c. */
void page_put_caveats(FILE *out, const struct records *records);
void page_put_environment(FILE *out, const struct records *records);

#endif
