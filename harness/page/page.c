#include "page/page.h"

#include "model/fit.h"
#include "page/findings.h"
#include "page/gnuplot.h"
#include "page/html.h"
#include "page/page-parts.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 4096

static enum status write_lines(const char *directory, const char *name, const char *const *lines,
                               struct error *error)
{
    char path[PATH_BYTES];
    bool failed = false;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "wb");
    for (; file && *lines; lines++)
        failed |= fputs(*lines, file) == EOF;
    if (!file || fclose(file) != 0 || failed)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    return STATUS_OK;
}

/* The policy lets the page fetch nothing and run nothing. */
static void put_head(FILE *out, const struct records *records)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'\">\n<title>",
          out);
    html_put(out, records->device_name);
    fprintf(out, ": vebench</title>\n<style>\n%s</style></head><body>\n", html_style);
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
    fputs("<h2>What to change in a kernel</h2>\n<ol class=\"findings\">\n", out);
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
}

static enum status put_page(FILE *out, const struct plot_source *source, const char *directory,
                            struct error *error)
{
    const struct plot *plot = NULL;
    enum status status = STATUS_OK;

    put_head(out, source->records);
    put_findings(out, source);
    while (status == STATUS_OK && (plot = plots_next(source->pages, plot)))
        status = page_put_plot(out, plot, source, directory, error);
    if (source->model)
        page_put_model(out, source->model);
    page_put_caveats(out, source->records);
    page_put_environment(out, source->records);
    fputs("</body></html>\n", out);
    return status;
}

static enum status make_folder(const char *directory, struct error *error)
{
    static const enum plot_shape shapes[] = {PLOT_LINES, PLOT_BARS};
    enum status status = STATUS_OK;

    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_FAILED, "cannot make the folder %s: %s", directory,
                         strerror(errno));
    for (size_t i = 0; status == STATUS_OK && i < 2; i++)
        status = write_lines(directory, gnuplot_script_name(shapes[i]),
                             gnuplot_script_lines(shapes[i]), error);
    return status;
}

enum status page_write(const struct plot_source *source, const char *directory, struct error *error)
{
    char path[PATH_BYTES], temporary[PATH_BYTES];
    enum status status =
        source->model ? fit_same_device(source->model, source->records, error) : STATUS_OK;
    FILE *out;

    if (status == STATUS_OK)
        status = make_folder(directory, error);
    if (status != STATUS_OK)
        return status;
    /* Under another name until it is whole. */
    snprintf(path, sizeof path, "%s/index.html", directory);
    snprintf(temporary, sizeof temporary, "%s/index.html.part", directory);
    out = fopen(temporary, "wb");
    if (!out)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", temporary, strerror(errno));
    status = put_page(out, source, directory, error);
    if (fclose(out) != 0 && status == STATUS_OK)
        status = error_set(error, STATUS_FAILED, "cannot write %s: %s", temporary, strerror(errno));
    if (status == STATUS_OK && rename(temporary, path) != 0)
        status = error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    if (status != STATUS_OK)
        unlink(temporary);
    return status;
}
