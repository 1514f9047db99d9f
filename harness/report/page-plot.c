#include "report/page-parts.h"

#include "base/streams.h"
#include "drawing/html.h"
#include "report/answers/names.h"
#include "report/plot-key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Longer tables are only in the CSV next to the page. */
#define TABLE_ROWS_MAX 400

static void put_missing(FILE *out, const struct plot *plot)
{
    fprintf(out, "<section id=\"%s\">\n", plot->name);
    html_element(out, "h2", plot->title);
    fputs("\n<p class=\"dim\">No rows. To measure them: <code>", out);
    html_put(out, plot->command);
    fputs("</code></p></section>\n", out);
}

static enum status put_drawing(FILE *out, const struct plot_view *view, size_t first, size_t count,
                               struct export *export, struct error *error)
{
    const char *group = view->mark[first].group;
    const char *title = group[0] ? group : view->plot->title;
    char *inside = NULL;
    size_t bytes;
    FILE *drawing = stream_open_text(&inside, &bytes);

    if (!drawing)
        return error_out_of_memory(error);
    double height = view->plot->shape == PLOT_BARS ? plot_draw_dots(drawing, view, first, count)
                                                   : plot_draw_points(drawing, view, first, count);
    if (stream_close_text(drawing, &inside, error) != STATUS_OK)
        return error->status;
    fputs("<div>", out);
    if (group[0]) {
        fputs("<h3>", out);
        html_put_spaced(out, group);
        fputs("</h3>\n", out);
    }
    drawing_put(out, title, height, inside);
    fputs("</div>\n", out);
    enum status status = export_drawing(export, view, first, count, height, inside, error);
    free(inside);
    return status;
}

static void put_number(FILE *out, double number)
{
    if (isfinite(number))
        fprintf(out, "<td class=\"number\">%.4g</td>", number);
    else
        fputs("<td class=\"number\"></td>", out);
}

static void put_row(FILE *out, const struct plot_mark *mark)
{
    const struct plot_point *p = mark->point;

    fprintf(out, "<tr class=\"%s\"><td>", drawing_size_class(mark->subgroup_size));
    html_put_spaced(out, mark->group);
    fputs("</td><td>", out);
    html_put_spaced(out, p->category);
    fputs("</td><td>", out);
    html_put_spaced(out, mark->method);
    fprintf(out, "</td><td class=\"number\">%u</td>", mark->subgroup_size);
    put_number(out, p->category[0] ? NAN : p->x);
    put_number(out, p->y);
    put_number(out, p->lo);
    put_number(out, p->hi);
    fputs("</tr>\n", out);
}

static void put_table(FILE *out, const struct plot_view *view)
{
    size_t rows = 0;

    for (size_t i = 0; i < view->count; i++)
        rows += plot_mark_is_measured(&view->mark[i]);
    fprintf(out, "<details><summary>%zu rows as a table</summary>\n", rows);
    if (rows > TABLE_ROWS_MAX) {
        fprintf(out,
                "<p class=\"dim\">Too many for this page: they are in %s.csv beside it.</p>"
                "</details>\n",
                view->plot->name);
        return;
    }
    fputs("<div class=\"scroll\"><table><tr><th></th><th>operation</th><th>method</th>"
          "<th class=\"number\">sub-group</th><th class=\"number\">",
          out);
    html_put(out, view->plot->x_label ? view->plot->x_label : "");
    fputs("</th><th class=\"number\">", out);
    html_put(out, view->y_label);
    fputs("</th><th class=\"number\">from</th><th class=\"number\">to</th></tr>\n", out);
    for (size_t i = 0; i < view->count; i++) {
        if (plot_mark_is_measured(&view->mark[i]))
            put_row(out, &view->mark[i]);
    }
    fputs("</table></div></details>\n", out);
}

static enum status put_figure(FILE *out, const struct plot_view *view,
                              const struct plot_source *source, struct export *export,
                              struct error *error)
{
    const struct plot *plot = view->plot;
    struct plot_key key;
    enum status status = STATUS_OK;

    fputs("<section>\n", out);
    html_element(out, "h2", plot->title);
    fprintf(out, "\n<figure id=\"%s\"><figcaption>", plot->name);
    html_put(out, plot->caption);
    html_put(out, view->note);
    fputs("</figcaption>\n", out);
    plot_key_make(&key, view, 0, view->count);
    plot_key_put(out, &key);
    fputs("<div class=\"panels\">\n", out);
    for (size_t i = 0, count; status == STATUS_OK && i < view->count; i += count) {
        count = plot_view_group(view, i);
        status = put_drawing(out, view, i, count, export, error);
    }
    fputs("</div>\n", out);
    put_table(out, view);
    if (plot->family)
        names_put(out, source, plot->family);
    fputs("</figure></section>\n", out);
    return status;
}

enum status page_put_plot(FILE *out, const struct plot *plot, const struct plot_source *source,
                          struct export *export, struct error *error)
{
    struct plot_data data;
    struct plot_view view;
    enum status status = plot_collect(plot, source, &data, error);

    if (status != STATUS_OK)
        return status;
    if (data.count == 0) {
        put_missing(out, plot);
        plot_data_free(&data);
        return STATUS_OK;
    }
    status = plot_view_make(&view, plot, &data, error);
    if (status == STATUS_OK) {
        status = put_figure(out, &view, source, export, error);
        plot_view_free(&view);
    }
    plot_data_free(&data);
    return status;
}
