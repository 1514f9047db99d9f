/* Points over x, with what a model says about them; colour shows the sub-group size, shape the
 * method. */
#include "report/plot-view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEIGHT     290.0
#define LEFT       58.0
#define RIGHT      16.0
#define TOP        12.0
#define BOTTOM     46.0
#define LABELS_MAX 64

/* From a line to the base of its label. */
#define LABEL_ABOVE 5.0
#define LABEL_BELOW 14.0

struct axes {
    struct scale x, y;
};

/* Labels drawn so far, so that none overlaps another. */
struct labels {
    struct {
        double left, right, base;
    } label[LABELS_MAX];
    size_t count;
};

static bool has_style(const struct plot_point *point, const char *style)
{
    return !strcmp(point->style, style);
}

/* Whether a curve says nothing: not a number, or a band wider than twice the value. */
static bool is_nothing(const struct plot_point *p)
{
    return !isfinite(p->y) ||
           (has_style(p, "fit") && isfinite(p->hi) && p->hi - p->lo > 2.0 * fabs(p->y));
}

static bool is_on(const struct axes *axes, double x, double y)
{
    return (!axes->x.is_log || x > 0.0) && (!axes->y.is_log || y > 0.0);
}

struct span {
    double low, high;
};

static void widen(struct span *span, double value, bool is_log)
{
    if (!isfinite(value) || (is_log && !(value > 0.0)))
        return;
    span->low = fmin(span->low, value);
    span->high = fmax(span->high, value);
}

/* The model's points extend the axes only if the view shows no rows. */
static struct axes axes_of(const struct plot_view *view)
{
    bool log_x = strchr(view->plot->log, 'x') != NULL, log_y = strchr(view->plot->log, 'y') != NULL;
    struct span x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    struct axes axes;

    for (size_t i = 0; i < view->count; i++) {
        const struct plot_point *p = view->mark[i].point;

        if (!plot_mark_is_measured(&view->mark[i]) && !has_style(p, "roof") &&
            !has_style(p, "guide") && !has_style(p, "level"))
            continue;
        widen(&x, p->x, log_x);
        widen(&y, p->y, log_y);
        if (plot_mark_is_measured(&view->mark[i]) && p->hi > p->lo) {
            widen(&y, p->hi, log_y);
            if (p->lo > 0.0)
                widen(&y, p->lo, log_y);
        }
    }
    if (!(x.low <= x.high))
        x = (struct span){1.0, 2.0};
    if (!(y.low <= y.high))
        y = (struct span){1.0, 2.0};
    axes.x = scale_over(x.low, x.high, log_x, view->plot->x_is_bytes);
    axes.y = scale_over(y.low, y.high, log_y, false);
    axes.x.from = LEFT;
    axes.x.to = DRAWING_WIDTH - RIGHT;
    axes.y.from = HEIGHT - BOTTOM;
    axes.y.to = TOP;
    return axes;
}

static void draw_axes(FILE *out, const struct plot_view *view, const struct axes *axes)
{
    double ticks[SCALE_TICKS_MAX], bottom = HEIGHT - BOTTOM;
    size_t count = scale_ticks(&axes->x, ticks);
    char text[SCALE_TEXT_BYTES];

    for (size_t i = 0; i < count; i++) {
        double x = scale_at(&axes->x, ticks[i]);

        scale_text(&axes->x, ticks[i], text);
        drawing_line(out, x, TOP, x, bottom, "g");
        drawing_text(out, x, bottom + 19.0, ANCHOR_MIDDLE, "d", text);
    }
    count = scale_ticks(&axes->y, ticks);
    for (size_t i = 0; i < count; i++) {
        double y = scale_at(&axes->y, ticks[i]);

        scale_text(&axes->y, ticks[i], text);
        drawing_line(out, axes->x.from, y, axes->x.to, y, "g");
        drawing_text(out, axes->x.from - 6.0, y + 4.0, ANCHOR_END, "d", text);
    }
    drawing_line(out, axes->x.from, bottom, axes->x.to, bottom, "a");
    drawing_text(out, (axes->x.from + axes->x.to) / 2.0, HEIGHT - 8.0, ANCHOR_MIDDLE, "d",
                 view->plot->x_label ? view->plot->x_label : "");
    fprintf(out, "<g transform=\"translate(13 %.1f) rotate(-90)\">", (TOP + bottom) / 2.0);
    drawing_text(out, 0.0, 0.0, ANCHOR_MIDDLE, "d", view->y_label);
    fputs("</g>\n", out);
}

static double within(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

static double place_y(const struct axes *axes, double y)
{
    double low = axes->y.is_log ? axes->y.low : fmin(axes->y.low, axes->y.high);

    return within(scale_at(&axes->y, fmax(y, low)), axes->y.to, axes->y.from);
}

/* Whether two marks belong to the same line. */
static bool same_line(const struct plot_mark *a, const struct plot_mark *b)
{
    return !strcmp(a->point->series, b->point->series) &&
           !strcmp(a->point->panel, b->point->panel) && !strcmp(a->point->style, b->point->style);
}

/* Draws a run of marks as a line, with a band around it for a fit. */
static void draw_run(FILE *out, const struct axes *axes, const struct plot_mark *marks,
                     size_t count, const char *classes)
{
    fprintf(out, "<polyline class=\"%s\" points=\"", classes);
    for (size_t i = 0; i < count; i++) {
        const struct plot_point *p = marks[i].point;

        if (is_on(axes, p->x, p->y) && !is_nothing(p))
            fprintf(out, "%.1f,%.1f ", within(scale_at(&axes->x, p->x), axes->x.from, axes->x.to),
                    place_y(axes, p->y));
    }
    fputs("\"/>\n", out);
}

static void draw_band(FILE *out, const struct axes *axes, const struct plot_mark *marks,
                      size_t count)
{
    fprintf(out, "<polygon class=\"n %s\" points=\"", drawing_size_class(marks->subgroup_size));
    for (size_t i = 0; i < 2 * count; i++) {
        const struct plot_point *p = marks[i < count ? i : 2 * count - 1 - i].point;
        double y = i < count ? p->hi : p->lo;

        if (is_on(axes, p->x, p->y) && !is_nothing(p) && isfinite(y))
            fprintf(out, "%.1f,%.1f ", within(scale_at(&axes->x, p->x), axes->x.from, axes->x.to),
                    place_y(axes, y));
    }
    fputs("\"/>\n", out);
}

/* Would the label overlap another one? */
static bool is_taken(const struct labels *labels, double left, double right, double base)
{
    for (size_t i = 0; i < labels->count; i++) {
        if (left < labels->label[i].right + 4.0 && right > labels->label[i].left - 4.0 &&
            fabs(base - labels->label[i].base) < 13.0)
            return true;
    }
    return false;
}

/* Draws text at the end of a line, above it or else below, unless it would overlap another label
 * there, too. */
static void draw_label(FILE *out, struct labels *labels, double x, double y, const char *text)
{
    double width = drawing_text_width(text);
    bool to_the_left = x + width > DRAWING_WIDTH - 2.0;
    double left = to_the_left ? x - width : x, base = y - LABEL_ABOVE;

    if (is_taken(labels, left, left + width, base) || base < TOP + 8.0)
        base = y + LABEL_BELOW;
    if (!*text || labels->count == LABELS_MAX || left < LEFT ||
        is_taken(labels, left, left + width, base))
        return;
    labels->label[labels->count].left = left;
    labels->label[labels->count].right = left + width;
    labels->label[labels->count++].base = base;
    drawing_text(out, x, base, to_the_left ? ANCHOR_END : ANCHOR_START, "d h", text);
}

/* Draws a memory level, or the range in which it ends. */
static void draw_level(FILE *out, const struct axes *axes, const struct plot_mark *mark)
{
    const struct plot_point *p = mark->point;
    double y = place_y(axes, p->y);
    char classes[24];

    if (!is_on(axes, p->lo, p->y) || !(p->hi > p->lo))
        return;
    snprintf(classes, sizeof(classes), has_style(p, "edge") ? "l e %s" : "l %s",
             drawing_size_class(mark->subgroup_size));
    drawing_line(out, within(scale_at(&axes->x, p->lo), axes->x.from, axes->x.to), y,
                 within(scale_at(&axes->x, p->hi), axes->x.from, axes->x.to), y, classes);
}

static void draw_line_of(FILE *out, const struct plot_view *view, const struct axes *axes,
                         const struct plot_mark *marks, size_t count)
{
    const struct plot_point *p = marks->point;
    char classes[24];

    (void)view;
    if (has_style(p, "level") || has_style(p, "edge")) {
        for (size_t i = 0; i < count; i++)
            draw_level(out, axes, &marks[i]);
        return;
    }
    if (count < 2 || has_style(p, "points"))
        return;
    snprintf(classes, sizeof(classes), "%s %s", has_style(p, "fit") ? "l" : "w",
             drawing_size_class(marks->subgroup_size));
    if (has_style(p, "fit"))
        draw_band(out, axes, marks, count);
    draw_run(out, axes, marks, count,
             has_style(p, "roof")    ? "w r"
             : has_style(p, "guide") ? "w q"
                                     : classes);
}

static void draw_mark(FILE *out, const struct plot_view *view, const struct axes *axes,
                      const struct plot_mark *mark)
{
    const struct plot_point *p = mark->point;
    double x = scale_at(&axes->x, p->x);
    char hint[PLOT_HINT_BYTES], classes[16];

    if (!is_on(axes, p->x, p->y))
        return;
    double y = place_y(axes, p->y);
    if (p->hi > p->lo && isfinite(p->hi - p->lo)) {
        snprintf(classes, sizeof(classes), "w %s", drawing_size_class(mark->subgroup_size));
        drawing_line(out, x, place_y(axes, p->lo), x, place_y(axes, p->hi), classes);
    }
    plot_view_hint(view, mark, hint);
    drawing_mark(out, x, y, plot_view_method(view, mark), drawing_size_class(mark->subgroup_size),
                 hint);
}

/* Names roofs and levels where there is room. */
static void draw_labels(FILE *out, const struct axes *axes, const struct plot_mark *marks,
                        size_t count)
{
    struct labels labels = {.count = 0};

    for (size_t i = 0; i < count; i++) {
        const struct plot_point *p = marks[i].point;
        bool last = i + 1 == count || !same_line(&marks[i], &marks[i + 1]);
        char text[PLOT_TEXT_BYTES];

        snprintf(text, sizeof(text), "%s", has_style(p, "roof") && last ? p->series : p->label);
        for (char *c = text; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        if (plot_mark_is_measured(&marks[i]) || !is_on(axes, p->x, p->y))
            continue;
        draw_label(out, &labels,
                   within(scale_at(&axes->x, has_style(p, "level") ? p->lo : p->x), axes->x.from,
                          axes->x.to),
                   place_y(axes, p->y), text);
    }
}

double plot_draw_points(FILE *out, const struct plot_view *view, size_t first, size_t count)
{
    struct axes axes = axes_of(view);
    const struct plot_mark *marks = &view->mark[first];

    draw_axes(out, view, &axes);
    for (size_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && same_line(&marks[i], &marks[i + run]);)
            run++;
        draw_line_of(out, view, &axes, &marks[i], run);
    }
    for (size_t i = 0; i < count; i++) {
        if (plot_mark_is_measured(&marks[i]))
            draw_mark(out, view, &axes, &marks[i]);
    }
    draw_labels(out, &axes, marks, count);
    return HEIGHT;
}
