/* The plots of a report: which rows of which family, over what, in series of what. */
#ifndef VEBENCH_PLOTS_H
#define VEBENCH_PLOTS_H

#include "records.h"

#include <stdio.h>

enum plot_shape { PLOT_LINES, PLOT_BARS };

/* What is drawn against `x`. */
enum plot_value { PLOT_VALUE, PLOT_CYCLES, PLOT_GB_PER_S, PLOT_GFLOP_PER_S };

struct plot {
    const char *name; /* of the files: NAME.csv, NAME.svg, NAME.png */
    const char *title;
    const char *caption; /* how to read it, for the page */
    const char *family;
    enum plot_shape shape;
    const char *x; /* an axis of the family; NULL: the variants are the categories of bars */
    const char *x_label;
    enum plot_value y;
    const char *y_label;
    const char *log;     /* axes with logarithmic scale: "", "x", "y", "xy" */
    const char *only;    /* variants that begin so; NULL: all */
    bool with_baselines; /* rows without a baseline, too */
};

extern const struct plot plots[];
extern const size_t plot_count;

/* Writes the plot's data as CSV: series,x,y,lo,hi. Returns the number of rows; with none there is
 * nothing to draw. */
size_t plot_write_data(const struct plot *plot, const struct records *records, FILE *out);

#endif
