/* The plots of a report: which rows, over which x, in which series, and what a model adds. */
#ifndef VEBENCH_PLOTS_H
#define VEBENCH_PLOTS_H

#include "report/findings.h"
#include "report/plot-data.h"

enum plot_shape { PLOT_LINES, PLOT_BARS };

/* The quantity on the y axis. */
enum plot_value { PLOT_TIME, PLOT_GB_PER_S, PLOT_GFLOP_PER_S };

/* What a report is about. */
struct plot_source {
    const struct records *records;
    const struct model *model; /* NULL: none */
    const struct family_pages *pages;
    const struct family_list *families;        /* to predict kernels with; NULL: none */
    const struct family_figures_list *figures; /* device figures to predict with */
    const struct findings *findings; /* of the rows; NULL: the page collects them itself */
    const struct findings *verdicts; /* of groups, with what they rest on; NULL: not known */
};

struct plot {
    const char *name; /* of the files: NAME or NAME-PANEL with .csv, .svg and .png */
    unsigned rank;    /* lower ranks come first on the page */
    const char *title;
    const char *caption; /* how to read it, for the page */
    const char *command; /* that measures the data */
    enum plot_shape shape;
    const char *x_label;
    bool x_is_bytes;
    const char *y_label;
    const char *log; /* as in the plot scripts: "", "x", "y", "xy", and "10" for decades along x */

    /* Places a row of `family` in the plot (panel, series, x or category), or leaves it out
     * (false). NULL: `collect` does everything. */
    const char *family;
    bool (*place)(const struct record *record, struct plot_point *point);
    enum plot_value y;
    const char *style;        /* "points" or "joined"; none for bars */
    const char *const *slice; /* axes held at one value; ends with NULL */
    const char *largest;      /* an axis that is then held at a large one; NULL: none */
    bool with_baselines;      /* also rows without a baseline */
    unsigned least_x;         /* nothing is shown with fewer distinct x */
    const char *varies;       /* nor where all rows have one value of this axis; NULL: no matter */
    bool in_heat_map;         /* lines: costs at the largest x are shown by sub-group size, too */

    /* Adds what the model says to the same panels and series. NULL: nothing. */
    void (*explain)(const struct plot *plot, const struct model *model, struct plot_data *data);

    void (*collect)(const struct plot_source *source, struct plot_data *data);
    bool needs_model;
};

/* The plot next in rank after `before`, the first if that is NULL; NULL after the last. Includes
 * both the families' plots and those that belong to no family. */
const struct plot *plots_next(const struct family_pages *pages, const struct plot *before);

/* Fills `data`, sorted by panel; no points means nothing to draw. STATUS_NO_MEMORY only when out of
 * memory. */
enum status plot_collect(const struct plot *plot, const struct plot_source *source,
                         struct plot_data *data, struct error *error);

/* For PLOT_TIME: the factor from a row's nanoseconds to what the plot shows: clock cycles, unless
 * another unit was asked for. NaN where that takes a clock and the row has none. */
double plot_time(const struct record *record);

/* The same from the model's unit of time. */
double plot_model_time(const struct model *model, const struct record *record);

/* Of that unit: "cycles". */
const char *plot_time_name(const struct record *record);

#endif
