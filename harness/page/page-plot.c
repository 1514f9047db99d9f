#include "page/page-parts.h"

#include "page/gnuplot.h"
#include "page/html.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define PATH_BYTES 4096
#define NAME_BYTES 160

static void put_missing(FILE *out, const struct plot *plot)
{
    html_element(out, "h2", plot->title);
    fputs("\n<p class=\"dim\">No rows. What would give them: <code>", out);
    html_put(out, plot->command);
    fputs("</code></p>\n", out);
}

/* NAME, or NAME-PANEL with what no file name should have left out. */
static void name_of(const struct plot *plot, const char *panel, char *name)
{
    size_t used = (size_t)snprintf(name, NAME_BYTES, "%s%s", plot->name, panel[0] ? "-" : "");

    for (; *panel && used + 1 < NAME_BYTES; panel++) {
        if (isalnum((unsigned char)*panel))
            name[used++] = *panel;
        else if (strchr(" -", *panel) && name[used - 1] != '-')
            name[used++] = '-';
    }
    name[used] = '\0';
}

static enum status write_data(const struct plot_data *data, size_t first, size_t count,
                              const char *path, struct error *error)
{
    FILE *file = fopen(path, "wb");
    bool failed;

    if (!file)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    plot_data_write(data, first, count, file);
    failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    return STATUS_OK;
}

static enum status put_panel(FILE *out, const struct plot *plot, const struct plot_data *data,
                             size_t first, size_t count, const char *directory, struct error *error)
{
    const char *panel = data->point[first].panel;
    const char *title = panel[0] ? panel : plot->title;
    char name[NAME_BYTES], path[PATH_BYTES];
    enum status status;

    name_of(plot, panel, name);
    snprintf(path, sizeof path, "%s/%s.csv", directory, name);
    status = write_data(data, first, count, path, error);
    if (status == STATUS_OK)
        status = gnuplot_draw(plot, name, title, directory, error);
    snprintf(path, sizeof path, "%s/%s.svg", directory, name);
    return status == STATUS_OK ? html_put_svg(out, path, name, title, error) : status;
}

static enum status put_figure(FILE *out, const struct plot *plot, const struct plot_data *data,
                              const char *directory, struct error *error)
{
    enum status status = STATUS_OK;

    html_element(out, "h2", plot->title);
    fprintf(out, "\n<figure id=\"%s\"><div class=\"panels\">\n", plot->name);
    for (size_t i = 0, count; status == STATUS_OK && i < data->count; i += count) {
        count = plot_data_panel(data, i);
        status = put_panel(out, plot, data, i, count, directory, error);
    }
    fputs("</div>\n<figcaption>", out);
    html_put(out, plot->caption);
    html_put(out, data->note);
    fputs("</figcaption></figure>\n", out);
    return status;
}

enum status page_put_plot(FILE *out, const struct plot *plot, const struct plot_source *source,
                          const char *directory, struct error *error)
{
    struct plot_data data;
    enum status status = plot_collect(plot, source, &data, error);

    if (status != STATUS_OK)
        return status;
    if (data.count == 0)
        put_missing(out, plot);
    else
        status = put_figure(out, plot, &data, directory, error);
    plot_data_free(&data);
    return status;
}
