#include "report/plot-view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct plot_mark mark_of(const struct plot *plot, const struct plot_point *point)
{
    unsigned by_panel = point->panel_size, by_series = point->series_size;
    struct plot_mark mark = {.point = point, .group = point->panel, .method = point->series};

    mark.subgroup_size = by_panel ? by_panel : by_series;
    if (!mark.subgroup_size && point->record)
        mark.subgroup_size = point->record->subgroup_size;
    if (by_series)
        mark.method = "";
    if (by_panel && plot->shape == PLOT_LINES) { /* one drawing, so that sizes can be compared */
        mark.group = mark.method;
        mark.method = "";
    } else if (by_panel) {
        mark.group = "";
    }
    return mark;
}

static void add_method(struct plot_view *view, const struct plot_mark *mark)
{
    size_t method = 0;

    if (!plot_mark_is_measured(mark))
        return;
    while (method < view->method_count && strcmp(view->methods[method], mark->method) != 0)
        method++;
    if (method == view->method_count && method < PLOT_METHODS_MAX)
        view->methods[view->method_count++] = mark->method;
}

static int by_group(const void *left, const void *right)
{
    const struct plot_mark *a = left, *b = right;
    int order = (a->point->order > b->point->order) - (a->point->order < b->point->order);

    if (!order)
        order = strcmp(a->group, b->group);
    if (!order)
        order = (a->subgroup_size > b->subgroup_size) - (a->subgroup_size < b->subgroup_size);
    return order ? order : (a->point > b->point) - (a->point < b->point);
}

/* A label of a plot of times begins with the unit that they usually have. */
static void label_y(struct plot_view *view)
{
    static const char usual[] = "clock cycles";
    const char *label = view->plot->y_label;
    const struct record *record = NULL;

    for (size_t i = 0; !record && i < view->count; i++)
        record = view->mark[i].point->record;
    bool other = record && record->shown_in != TIME_AUTO && record->shown_in != TIME_CYCLES &&
                 view->plot->y == PLOT_TIME && !strncmp(label, usual, sizeof(usual) - 1);

    snprintf(view->y_label, sizeof(view->y_label), "%s%s", other ? plot_time_name(record) : "",
             other ? label + sizeof(usual) - 1 : label);
}

enum status plot_view_make(struct plot_view *view, const struct plot *plot,
                           const struct plot_data *data, struct error *error)
{
    *view = (struct plot_view){.plot = plot, .note = data->note};
    view->mark = calloc(data->count ? data->count : 1, sizeof(*view->mark));
    if (!view->mark)
        return error_out_of_memory(error);
    for (; view->count < data->count; view->count++)
        view->mark[view->count] = mark_of(plot, &data->point[view->count]);
    qsort(view->mark, view->count, sizeof(*view->mark), by_group);
    for (size_t i = 0; i < view->count; i++)
        add_method(view, &view->mark[i]);
    label_y(view);
    return STATUS_OK;
}

void plot_view_free(struct plot_view *view)
{
    free(view->mark);
    *view = (struct plot_view){0};
}

size_t plot_view_group(const struct plot_view *view, size_t first)
{
    size_t end = first;

    while (end < view->count && !strcmp(view->mark[end].group, view->mark[first].group) &&
           view->mark[end].point->order == view->mark[first].point->order)
        end++;
    return end - first;
}

unsigned plot_view_method(const struct plot_view *view, const struct plot_mark *mark)
{
    unsigned method = 0;

    while (method + 1 < view->method_count && strcmp(view->methods[method], mark->method) != 0)
        method++;
    return method;
}

bool plot_mark_is_measured(const struct plot_mark *mark)
{
    const char *style = mark->point->style;

    return !style[0] || !strcmp(style, "points") || !strcmp(style, "joined");
}

static void append(char hint[PLOT_HINT_BYTES], const char *between, const char *text)
{
    size_t used = strlen(hint);

    if (*text)
        snprintf(hint + used, PLOT_HINT_BYTES - used, "%s%s", used ? between : "", text);
}

void plot_view_hint(const struct plot_view *view, const struct plot_mark *mark,
                    char hint[PLOT_HINT_BYTES])
{
    const struct plot_point *p = mark->point;
    char text[160];

    hint[0] = '\0';
    append(hint, ", ", p->category);
    append(hint, ", ", mark->method);
    if (mark->subgroup_size) {
        snprintf(text, sizeof(text), "sub-groups of %u", mark->subgroup_size);
        append(hint, ", ", text);
    }
    if (!p->category[0] && view->plot->x_label) {
        struct scale scale = {.is_bytes = view->plot->x_is_bytes};
        char value[SCALE_TEXT_BYTES];

        scale_text(&scale, p->x, value);
        snprintf(text, sizeof(text), "%s %s", view->plot->x_label, value);
        append(hint, ", ", text);
    }
    if (isfinite(p->lo) && isfinite(p->hi) && p->lo < p->hi)
        snprintf(text, sizeof(text), "%.4g (%.4g to %.4g) ", p->y, p->lo, p->hi);
    else
        snprintf(text, sizeof(text), "%.4g ", p->y);
    append(hint, ": ", text);
    append(hint, "", view->y_label);
}
