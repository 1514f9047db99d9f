/* A row per category, sorted by the best value; colour shows the sub-group size, shape the method.
 */
#include "report/plot-view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW_HEIGHT  19.0
#define LANE        4.6 /* distance between the sub-group sizes of a row */
#define LABEL_MOST  200.0
#define ROW_RIGHT   14.0
#define AXIS_HEIGHT 38.0
#define ROWS_TOP    6.0
#define ROWS_MAX    256

struct dot_row {
    const char *category;
    double best;
};

struct rows {
    struct dot_row row[ROWS_MAX];
    size_t count;
};

static bool less_is_better(const struct plot_view *view)
{
    return view->plot->y == PLOT_TIME;
}

static void collect_rows(struct rows *rows, const struct plot_view *view, size_t first,
                         size_t count)
{
    rows->count = 0;
    for (size_t i = first; i < first + count; i++) {
        const struct plot_point *p = view->mark[i].point;
        size_t at = 0;

        while (at < rows->count && strcmp(rows->row[at].category, p->category) != 0)
            at++;
        if (at == ROWS_MAX)
            continue;
        if (at == rows->count)
            rows->row[rows->count++] = (struct dot_row){p->category, p->y};
        else if (less_is_better(view) ? p->y < rows->row[at].best : p->y > rows->row[at].best)
            rows->row[at].best = p->y;
    }
}

static int ascending(const void *left, const void *right)
{
    const struct dot_row *a = left, *b = right;

    return (a->best > b->best) - (a->best < b->best);
}

static int descending(const void *left, const void *right)
{
    return ascending(right, left);
}

/* Where a value is drawn: what costs less than a cycle, or seems to cost less than nothing, stands
 * at the end of the axis, which would otherwise be mostly of its noise. */
static double place_of(const struct plot_view *view, double value, bool is_log)
{
    return less_is_better(view) ? fmax(value, is_log ? 1.0 : 0.0) : value;
}

/* Spans all marks of the view; a logarithmic scale leaves out values that are not positive. */
static struct scale scale_of(const struct plot_view *view)
{
    bool is_log = strchr(view->plot->log, 'y') != NULL;
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < view->count; i++) {
        const struct plot_point *p = view->mark[i].point;
        double y = place_of(view, p->y, is_log), hi = isfinite(p->hi) ? fmax(p->hi, y) : y;

        if (is_log && !(y > 0.0))
            continue;
        low = fmin(low, y);
        high = fmax(high, hi);
    }
    return low <= high ? scale_over(low, high, is_log, false) : scale_over(0.0, 1.0, false, false);
}

static double label_width(const struct rows *rows)
{
    double width = 0.0;

    for (size_t i = 0; i < rows->count; i++)
        width = fmax(width, drawing_text_width(rows->row[i].category));
    return fmin(width, LABEL_MOST) + 14.0;
}

static void draw_axis(FILE *out, const struct plot_view *view, const struct scale *scale,
                      double bottom)
{
    double ticks[SCALE_TICKS_MAX];
    size_t count = scale_ticks(scale, ticks);
    char text[SCALE_TEXT_BYTES];

    for (size_t i = 0; i < count; i++) {
        double x = scale_at(scale, ticks[i]);

        scale_text(scale, ticks[i], text);
        drawing_line(out, x, ROWS_TOP, x, bottom, "g");
        drawing_text(out, x, bottom + 14.0, ANCHOR_MIDDLE, "d", text);
    }
    drawing_text(out, (scale->from + scale->to) / 2.0, bottom + 30.0, ANCHOR_MIDDLE, "d",
                 view->y_label);
}

/* Offsets the sub-group sizes of a row vertically. */
static double lane_of(unsigned subgroup_size)
{
    return subgroup_size == 8 ? -LANE : subgroup_size == 32 ? LANE : 0.0;
}

static void draw_dot(FILE *out, const struct plot_view *view, const struct plot_mark *mark,
                     const struct scale *scale, double y)
{
    const struct plot_point *p = mark->point;
    char hint[PLOT_HINT_BYTES], classes[16];
    double value = fmax(p->y, scale->low), lo = fmax(p->lo, scale->low);

    y += lane_of(mark->subgroup_size);
    if (isfinite(p->lo) && isfinite(p->hi) && p->lo < p->hi) {
        snprintf(classes, sizeof(classes), "w %s", drawing_size_class(mark->subgroup_size));
        drawing_line(out, scale_at(scale, lo), y, scale_at(scale, fmin(p->hi, scale->high)), y,
                     classes);
    }
    plot_view_hint(view, mark, hint);
    drawing_mark(out, scale_at(scale, value), y, plot_view_method(view, mark),
                 drawing_size_class(mark->subgroup_size), hint);
}

/* A label that does not fit is cut; a hint shows it in full. */
static void draw_row_label(FILE *out, const char *category, double x, double y)
{
    size_t most = (size_t)(LABEL_MOST / DRAWING_CHARACTER);
    char text[PLOT_TEXT_BYTES + 4];

    if (strlen(category) <= most)
        snprintf(text, sizeof(text), "%s", category);
    else
        snprintf(text, sizeof(text), "%.*s…", (int)most - 1, category);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    drawing_text(out, x, y, ANCHOR_END, "", text);
}

double plot_draw_dots(FILE *out, const struct plot_view *view, size_t first, size_t count)
{
    struct scale scale = scale_of(view);
    struct rows *rows = malloc(sizeof(*rows));

    if (!rows)
        return 0.0;
    collect_rows(rows, view, first, count);
    qsort(rows->row, rows->count, sizeof(rows->row[0]),
          less_is_better(view) ? ascending : descending);
    double bottom = ROWS_TOP + ROW_HEIGHT * (double)rows->count;
    scale.from = label_width(rows);
    scale.to = DRAWING_WIDTH - ROW_RIGHT;
    draw_axis(out, view, &scale, bottom);
    for (size_t row = 0; row < rows->count; row++) {
        double y = ROWS_TOP + ROW_HEIGHT * ((double)row + 0.5);

        drawing_line(out, scale.from, y, scale.to, y, "g");
        draw_row_label(out, rows->row[row].category, scale.from - 8.0, y + 4.0);
        for (size_t i = first; i < first + count; i++) {
            if (!strcmp(view->mark[i].point->category, rows->row[row].category))
                draw_dot(out, view, &view->mark[i], &scale, y);
        }
    }
    free(rows);
    return bottom + AXIS_HEIGHT;
}
