/* The points of a plot. */
#ifndef VEBENCH_PLOT_DATA_H
#define VEBENCH_PLOT_DATA_H

#include "model/model.h"
#include "model/records.h"

#include <stdio.h>

#define PLOT_TEXT_BYTES 80
#define PLOT_NOTE_BYTES 400

struct plot_point {
    unsigned order;                 /* of the panel among the others, before its name */
    char panel[PLOT_TEXT_BYTES];    /* drawing of its own; "": there is only one */
    char series[PLOT_TEXT_BYTES];   /* no spaces */
    char category[PLOT_TEXT_BYTES]; /* of bars; no spaces */
    const char *style;              /* docs/report.md has them; a literal */
    char label[PLOT_TEXT_BYTES];
    double x, y, lo, hi;
    double in_flight;            /* bytes, as the axis of that name has them; 0: no such axis */
    const struct record *record; /* that it comes from, or NULL */
};

struct plot_data {
    struct plot_point *point; /* owned */
    size_t count, room;
    char note[PLOT_NOTE_BYTES]; /* what the reader has to know of this data; "" */
    bool out_of_memory;
};

void plot_data_free(struct plot_data *data);

/* A copy of `point` at the end. What does not fit into memory is noted in `out_of_memory`. */
void plot_data_add(struct plot_data *data, const struct plot_point *point);

/* Adds to the note, as printf() does. */
void plot_data_note(struct plot_data *data, const char *format, ...);

/* By panel, category, series, style and x; numbers in names by their value. */
void plot_data_sort(struct plot_data *data);

/* Keeps the rows that have the same value of the axis: the one that most rows have. Says which one
 * in the note, if there was a choice. Axes are those of the families, "threads" (hardware threads
 * of a work-group), "in_flight" and "work_items" of the launch. With "most_" before its name it is
 * the largest value that has at least half as many rows as the fullest one. */
void plot_data_slice(struct plot_data *data, const char *axis);

/* The value of such an axis. */
double plot_axis(const struct plot_point *point, const char *axis);

/* How many different x there are. */
size_t plot_data_different_x(const struct plot_data *data);

/* The number of points from `first` on that are in the same panel. */
size_t plot_data_panel(const struct plot_data *data, size_t first);

/* The same for panel and series. */
size_t plot_data_run(const struct plot_data *data, size_t first);

#endif
