/* The points of a plot. */
#ifndef VEBENCH_PLOT_DATA_H
#define VEBENCH_PLOT_DATA_H

#include "model/model.h"
#include "rows/records.h"

#include <stdio.h>

#define PLOT_TEXT_BYTES 80
#define PLOT_NOTE_BYTES 800

struct plot_point {
    unsigned order;                   /* sorts panels before their names do */
    char panel[PLOT_TEXT_BYTES];      /* title of a drawing of its own; "": the only one */
    char series[PLOT_TEXT_BYTES];     /* no spaces */
    unsigned panel_size, series_size; /* the sub-group size that they stand for; 0: none */
    char category[PLOT_TEXT_BYTES];   /* for bars; no spaces */
    const char *style;                /* one of those in docs/report.md; a literal */
    char label[PLOT_TEXT_BYTES];
    double x, y, lo, hi;
    double in_flight;            /* bytes, as on the in_flight axis; 0: the row has no such axis */
    const struct record *record; /* the row behind the point, or NULL */
};

struct plot_data {
    struct plot_point *point; /* owned */
    size_t count, room;
    char note[PLOT_NOTE_BYTES]; /* what the reader has to know about this data; may be empty */
    bool out_of_memory;
};

void plot_data_free(struct plot_data *data);

/* Appends a copy of `point`. Sets `out_of_memory` if there is no memory for it. */
void plot_data_add(struct plot_data *data, const struct plot_point *point);

/* Appends to the note, as printf() does. */
void plot_data_note(struct plot_data *data, const char *format, ...);

/* Sorts by panel, category, series, style and x; numbers in names compare by value. */
void plot_data_sort(struct plot_data *data);

/* Keeps only the rows that share one value of the axis: the value that most rows have. The note
 * says which, if there was a choice. Axes are those of the families, "threads" (hardware threads
 * per work-group), "in_flight", and "work_items" of the launch. */
void plot_data_slice(struct plot_data *data, const char *axis);

/* The same with the largest value that has at least half as many rows as the most common one. */
void plot_data_slice_largest(struct plot_data *data, const char *axis);

/* The point's value on such an axis. */
double plot_axis(const struct plot_point *point, const char *axis);

/* Whether rows differ in their value on such an axis. */
bool plot_data_varies(const struct plot_data *data, const char *axis);

/* The number of distinct x. */
size_t plot_data_different_x(const struct plot_data *data);

/* The number of points from `first` on that share its panel. */
size_t plot_data_panel(const struct plot_data *data, size_t first);

/* The number of points from `first` on that share its panel and series. */
size_t plot_data_run(const struct plot_data *data, size_t first);

#endif
