/* How the points of a plot are shown: a sub-group size gets a colour; anything else gets a drawing,
 * a row or a shape of its own. */
#ifndef VEBENCH_PLOT_VIEW_H
#define VEBENCH_PLOT_VIEW_H

#include "drawing/drawing.h"
#include "drawing/scale.h"
#include "report/plots.h"

#define PLOT_METHODS_MAX 6
#define PLOT_HINT_BYTES  400
#define PLOT_LABEL_BYTES 80

/* How one point is shown. Texts are borrowed from it. */
struct plot_mark {
    const struct plot_point *point;
    const char *group;      /* title of its drawing; may be empty */
    const char *method;     /* shown as shape; may be empty */
    unsigned subgroup_size; /* shown as colour; 0: none */
};

struct plot_view {
    const struct plot *plot;
    const char *note;               /* of the data; borrowed */
    char y_label[PLOT_LABEL_BYTES]; /* with the unit that its times are shown in */
    struct plot_mark *mark;         /* owned; sorted by group */
    size_t count;
    const char *methods[PLOT_METHODS_MAX]; /* "": none; methods beyond the last share its look */
    size_t method_count;
};

enum status plot_view_make(struct plot_view *view, const struct plot *plot,
                           const struct plot_data *data, struct error *error);
void plot_view_free(struct plot_view *view);

/* The number of marks from `first` on that share its group. */
size_t plot_view_group(const struct plot_view *view, size_t first);

/* Index of the mark's method, which selects its shape. */
unsigned plot_view_method(const struct plot_view *view, const struct plot_mark *mark);

/* Whether the mark is a measured row rather than a model's. */
bool plot_mark_is_measured(const struct plot_mark *mark);

/* "shuffle, registers, sub-groups of 16: 23 (22 to 24) clock cycles". */
void plot_view_hint(const struct plot_view *view, const struct plot_mark *mark,
                    char hint[PLOT_HINT_BYTES]);

/* Draws the `count` marks from `first` on: a row per category, or points over x. The axes span all
 * marks of the view, so that its drawings can be compared. Returns the height of the drawing. */
double plot_draw_dots(FILE *out, const struct plot_view *view, size_t first, size_t count);
double plot_draw_points(FILE *out, const struct plot_view *view, size_t first, size_t count);

#endif
