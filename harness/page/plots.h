/* The plots of a report: which rows, over what, in which series, and what a model says of them. */
#ifndef VEBENCH_PLOTS_H
#define VEBENCH_PLOTS_H

#include "page/findings.h"
#include "page/plot-data.h"

enum plot_shape { PLOT_LINES, PLOT_BARS };

/* What is drawn against `x`. */
enum plot_value { PLOT_CYCLES, PLOT_GB_PER_S, PLOT_GFLOP_PER_S };

/* What a report is about. */
struct plot_source {
    const struct records *records;
    const struct model *model; /* NULL: none */
    const struct family_pages *pages;
    const struct family_list *families;        /* whose kernels can be predicted; NULL: none */
    const struct family_figures_list *figures; /* to predict them with */
};

struct plot {
    const char *name; /* of the files: NAME.csv, or NAME-PANEL.csv, and the same in .svg and .png */
    unsigned rank;    /* of lower rank: further up on the page */
    const char *title;
    const char *caption; /* how to read it, for the page */
    const char *command; /* that measures what it shows */
    enum plot_shape shape;
    const char *x_label;
    const char *y_label;
    const char *log; /* as the scripts take it: "", "x", "y", "xy", and "10" for decades along x */

    /* Of rows of `family`: puts the row in its place (panel, series, x or category), or leaves it
     * out (false). NULL: `collect` does it all. */
    const char *family;
    bool (*place)(const struct record *record, struct plot_point *point);
    enum plot_value y;
    const char *style;        /* of the points: "points" or "joined"; bars have none */
    const char *const *slice; /* axes that are held at one value; ends with NULL */
    bool with_baselines;      /* rows without a baseline, too */
    unsigned least_x;         /* with fewer different x than this it shows nothing */

    /* Adds what the model says, in the same panels and series. NULL: nothing. */
    void (*explain)(const struct plot *plot, const struct model *model, struct plot_data *data);

    void (*collect)(const struct plot_source *source, struct plot_data *data);
    bool needs_model;
};

/* The plot next in rank after `before`, or the first where that is NULL; NULL after the last. Those
 * of the families, and those of all rows together. */
const struct plot *plots_next(const struct family_pages *pages, const struct plot *before);

/* Fills `data`, sorted by panel; with no points there is nothing to draw. STATUS_FAILED only when
 * out of memory. */
enum status plot_collect(const struct plot *plot, const struct plot_source *source,
                         struct plot_data *data, struct error *error);

/* The factor from nanoseconds, as a row has them, to what the plot shows; for PLOT_CYCLES. */
double plot_cycles(const struct record *record);

#endif
