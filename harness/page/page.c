#include "page/page.h"

#include "model/fit.h"
#include "page/findings.h"
#include "page/html.h"
#include "page/page-parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 4096

/* The style sheet hides drawings and tables of sizes that are not ticked, without a script. */
static const char filters[] =
    "<input class=\"filter\" type=\"checkbox\" id=\"only8\" checked>"
    "<label class=\"filters k s8\" for=\"only8\">8</label>\n"
    "<input class=\"filter\" type=\"checkbox\" id=\"only16\" checked>"
    "<label class=\"filters k s16\" for=\"only16\">16</label>\n"
    "<input class=\"filter\" type=\"checkbox\" id=\"only32\" checked>"
    "<label class=\"filters k s32\" for=\"only32\">32 <span class=\"dim\">sub-group sizes "
    "shown</span></label>\n<main>\n";

/* The content security policy lets the page fetch and run nothing. */
static void put_head(FILE *out, const struct records *records)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'\">\n<title>",
          out);
    html_put(out, records->device_name);
    fprintf(out, "</title>\n<style>\n%s%s%s</style></head><body>\n", drawing_style, html_style,
            html_style_of_parts);
    fputs(filters, out);
    html_element(out, "h1", records->device_name);
    if (strcmp(records->device_kind, "hardware") != 0)
        fputs("\n<p class=\"emulated\">Emulated. Every time on this page is a model's, not a "
              "GPU's.</p>",
              out);
    fprintf(out, "\n<p class=\"dim\">%zu rows, driver ", records->count);
    html_put(out, records->driver_version);
    if (records->count && records->record[0].clock_mhz > 0.0)
        fprintf(out, ", %g MHz", records->record[0].clock_mhz);
    if (records->count && records->record[0].xe_cores)
        fprintf(out, ", %u Xe-cores of %u hardware threads", records->record[0].xe_cores,
                records->record[0].threads_per_xe_core);
    fputs(". Numbers in brackets are 95 % intervals.</p>\n", out);
}

static void put_findings(FILE *out, const struct plot_source *source)
{
    struct findings findings;

    findings_collect(&findings, source->pages, source->records);
    fputs("<section><h2>What to change in a kernel</h2>\n<ol class=\"findings\">\n", out);
    for (size_t i = 0; i < findings.count; i++) {
        fputs("<li>", out);
        html_element(out, "b", findings.line[i].advice);
        fputc(' ', out);
        html_element(out, "span", findings.line[i].evidence);
        fputs("</li>\n", out);
    }
    fputs("</ol>\n", out);
    if (findings.count == 0)
        fputs("<p>These rows support no advice: nothing differs by more than the intervals.</p>\n",
              out);
    fputs("</section>\n", out);
}

/* Links to the plots, by title. */
static void put_contents(FILE *out, const struct plot_source *source)
{
    const struct plot *plot = NULL;

    fputs("<nav><b>On this page</b><ul>\n", out);
    while ((plot = plots_next(source->pages, plot))) {
        fprintf(out, "<li><a href=\"#%s\">", plot->name);
        html_put(out, plot->title);
        fputs("</a></li>\n", out);
    }
    if (source->model)
        fputs("<li><a href=\"#model\">Parameters of the model</a></li>\n", out);
    fputs("<li><a href=\"#caveats\">What to keep in mind</a></li>\n</ul></nav>\n", out);
}

static enum status put_page(FILE *out, const struct plot_source *source, struct export *export,
                            struct error *error)
{
    const struct plot *plot = NULL;
    enum status status;

    put_head(out, source->records);
    status = page_put_heat(out, source, error);
    put_findings(out, source);
    put_contents(out, source);
    while (status == STATUS_OK && (plot = plots_next(source->pages, plot)))
        status = page_put_plot(out, plot, source, export, error);
    if (source->model)
        page_put_model(out, source->model);
    page_put_caveats(out, source->records);
    page_put_environment(out, source->records);
    fputs("</main></body></html>\n", out);
    return status;
}

static enum status write_page(const struct plot_source *source, struct export *export,
                              struct error *error)
{
    char path[PATH_BYTES], temporary[PATH_BYTES];
    enum status status;
    FILE *out;

    /* Written under a temporary name until it is complete. */
    snprintf(path, sizeof(path), "%s/index.html", export->directory);
    snprintf(temporary, sizeof(temporary), "%s/index.html.part", export->directory);
    out = fopen(temporary, "wb");
    if (!out)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", temporary, strerror(errno));
    status = put_page(out, source, export, error);
    if (fclose(out) != 0 && status == STATUS_OK)
        status = error_set(error, STATUS_FAILED, "cannot write %s: %s", temporary, strerror(errno));
    if (status == STATUS_OK && rename(temporary, path) != 0)
        status = error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    if (status != STATUS_OK)
        unlink(temporary);
    return status;
}

enum status page_write(const struct plot_source *source, const char *directory, struct error *error)
{
    struct export *export;
    enum status status =
        source->model ? fit_same_device(source->model, source->records, error) : STATUS_OK;

    if (status != STATUS_OK)
        return status;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_FAILED, "cannot make the folder %s: %s", directory,
                         strerror(errno));
    export = calloc(1, sizeof(*export));
    if (!export)
        return error_set(error, STATUS_FAILED, "out of memory");
    export->directory = directory;
    export->records = source->records;
    status = write_page(source, export, error);
    if (status == STATUS_OK)
        status = export_pictures(export, error);
    free(export);
    return status;
}
