/* How the points of a plot are shown: what is a sub-group size gets a colour, what is something
 * else a drawing, a row or a shape of its own. */
#ifndef VEBENCH_PLOT_VIEW_H
#define VEBENCH_PLOT_VIEW_H

#include "page/drawing.h"
#include "page/plots.h"
#include "page/scale.h"

#define PLOT_WAYS_MAX   6
#define PLOT_HINT_BYTES 400

/* One point, seen so. Texts are borrowed from it. */
struct plot_mark {
    const struct plot_point *point;
    const char *group;      /* drawing; "" */
    const char *way;        /* shape; "" */
    unsigned subgroup_size; /* colour; 0: none */
};

struct plot_view {
    const struct plot *plot;
    struct plot_mark *mark; /* owned; by group, in their order */
    size_t count;
    const char *ways[PLOT_WAYS_MAX]; /* "": there are none; further ones look like the last */
    size_t way_count;
};

enum status plot_view_make(struct plot_view *view, const struct plot *plot,
                           const struct plot_data *data, struct error *error);
void plot_view_free(struct plot_view *view);

/* The number of marks from `first` on that are in the same group. */
size_t plot_view_group(const struct plot_view *view, size_t first);

/* Index of a mark's way, its shape. */
unsigned plot_view_way(const struct plot_view *view, const struct plot_mark *mark);

/* Whether it is a row, not what a model says. */
bool plot_mark_is_measured(const struct plot_mark *mark);

/* "shuffle, registers, sub-groups of 16: 23 (22 to 24) clock cycles". */
void plot_view_hint(const struct plot_view *view, const struct plot_mark *mark,
                    char hint[PLOT_HINT_BYTES]);

/* Draws marks `first` to `first + count`: a row for each category, or points over x. Along axes
 * that hold all marks of the view, so that its drawings compare. Returns the height of the drawing.
 */
double plot_draw_dots(FILE *out, const struct plot_view *view, size_t first, size_t count);
double plot_draw_points(FILE *out, const struct plot_view *view, size_t first, size_t count);

#endif
