#include "page.h"

#include "findings.h"
#include "gnuplot.h"
#include "plots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 4096

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1b1f;--paper:#fff;--dim:#5c5c66;--line:#d8d8de;"
    "--warn:#9a3b00}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e6ea;--paper:#16161a;--dim:#a0a0aa;"
    "--line:#38383f;--warn:#ffb27a}}\n"
    "@media print{:root{--ink:#000;--paper:#fff;--dim:#444;--line:#bbb;--warn:#000}"
    "figure{break-inside:avoid}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:70rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}\n"
    ".emulated{border:2px solid var(--warn);color:var(--warn);padding:.5rem 1rem;"
    "font-weight:600}\n"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2rem .6rem;"
    "border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}\n"
    "td.number,th.number{text-align:right;white-space:nowrap}\n"
    "figure{margin:1rem 0}figcaption,.dim{color:var(--dim);font-size:.9rem}\n"
    ".scroll{overflow-x:auto}\n"
    "figure svg{width:100%;min-width:40rem;height:auto}\n"
    "svg [color=\"black\"]{color:var(--ink)}svg [stroke=\"black\"]{stroke:var(--ink)}"
    "svg [fill=\"black\"]{fill:var(--ink)}\n";

/* Text in HTML. */
static void put(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

static void put_head(FILE *out, const struct records *records)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          out);
    put(out, records->device_name);
    fprintf(out, ": vebench</title>\n<style>\n%s</style></head><body>\n<h1>", style);
    put(out, records->device_name);
    fputs("</h1>\n", out);
    if (strcmp(records->device_kind, "hardware") != 0)
        fputs("<p class=\"emulated\">Emulated. Every time on this page is a model's, not a "
              "GPU's.</p>\n",
              out);
}

static void put_findings(FILE *out, const struct records *records)
{
    struct findings findings;

    findings_collect(&findings, records);
    fputs("<h2>What matters</h2>\n<ul>\n", out);
    for (size_t i = 0; i < findings.count; i++) {
        fputs("<li>", out);
        put(out, findings.line[i]);
        fputs("</li>\n", out);
    }
    if (findings.count == 0)
        fputs("<li>No row of this file can be said anything about.</li>\n", out);
    fputs("</ul>\n", out);
}

/* The drawing, without the XML declaration that stands before it in its own file. */
static enum status put_svg(FILE *out, const char *path, struct error *error)
{
    FILE *file = fopen(path, "rb");
    char line[65536];
    bool inside = false;

    if (!file)
        return error_set(error, STATUS_FAILED, "cannot read %s: %s", path, strerror(errno));
    while (fgets(line, sizeof line, file)) {
        const char *start = inside ? line : strstr(line, "<svg");

        if (start) {
            inside = true;
            fputs(start, out);
        }
    }
    fclose(file);
    if (!inside)
        return error_set(error, STATUS_FAILED, "gnuplot left no drawing in %s", path);
    return STATUS_OK;
}

static enum status write_text(const char *directory, const char *name, const char *text,
                              struct error *error)
{
    char path[PATH_BYTES];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "wb");
    if (!file || fputs(text, file) == EOF || fclose(file) != 0)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    return STATUS_OK;
}

static void put_missing(FILE *out, const struct plot *plot)
{
    fputs("<h2>", out);
    put(out, plot->title);
    fprintf(out,
            "</h2>\n<p class=\"dim\">No rows: <code>vebench run %s</code> would give them.</p>\n",
            plot->family);
}

static enum status put_plot(FILE *out, const struct plot *plot, const struct records *records,
                            const char *directory, struct error *error)
{
    char path[PATH_BYTES];
    size_t rows;
    FILE *data;
    enum status status;

    snprintf(path, sizeof path, "%s/%s.csv", directory, plot->name);
    data = fopen(path, "wb");
    if (!data)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    rows = plot_write_data(plot, records, data);
    if (fclose(data) != 0)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    if (rows == 0) {
        unlink(path);
        put_missing(out, plot);
        return STATUS_OK;
    }
    status = gnuplot_draw(plot, directory, error);
    if (status != STATUS_OK)
        return status;
    fputs("<h2>", out);
    put(out, plot->title);
    fprintf(out, "</h2>\n<figure id=\"%s\"><div class=\"scroll\">\n", plot->name);
    snprintf(path, sizeof path, "%s/%s.svg", directory, plot->name);
    status = put_svg(out, path, error);
    fputs("</div>\n<figcaption>", out);
    put(out, plot->caption);
    fprintf(out, " %zu rows.</figcaption></figure>\n", rows);
    return status;
}

/* A row that took no part, each reason once. */
static void put_reasons(FILE *out, const struct records *records)
{
    fprintf(out,
            "<h2>What to keep in mind</h2>\n<p>%zu of %zu rows are measured and verified; the "
            "other %zu take no part in anything above.</p>\n",
            records->count - records->unusable, records->count, records->unusable);
    if (records->unusable == 0)
        return;
    fputs("<table><tr><th>family</th><th>status</th><th>reason</th><th class=\"number\">rows</th>"
          "</tr>\n",
          out);
    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        size_t same = 0;
        bool first = true;

        if (r->usable)
            continue;
        for (size_t k = 0; k < records->count; k++) {
            const struct record *other = &records->record[k];

            if (other->usable || strcmp(other->benchmark, r->benchmark) != 0 ||
                strcmp(other->status, r->status) != 0 || strcmp(other->reason, r->reason) != 0)
                continue;
            first = first && k >= i;
            same++;
        }
        if (!first)
            continue;
        fputs("<tr><td>", out);
        put(out, r->benchmark);
        fputs("</td><td>", out);
        put(out, r->status);
        fputs("</td><td>", out);
        put(out, r->reason);
        fprintf(out, "</td><td class=\"number\">%zu</td></tr>\n", same);
    }
    fputs("</table>\n", out);
}

/* The facts of the first row: they are the same in all. */
static void put_environment(FILE *out, const struct records *records)
{
    static const char *const names[] = {
        "run_id",       "host",           "device_kind",    "device_name", "device_uuid",
        "pci_address",  "driver_version", "loader_version", "timer_hz",    "clock_mhz",
        "clock_source", "seed",           "version",
    };
    const struct csv_table *table = &records->tables[0];

    fputs("<h2>Environment</h2>\n<table>\n", out);
    for (size_t i = 0; table->row_count > 0 && i < sizeof names / sizeof names[0]; i++) {
        size_t column = csv_table_column(table, names[i]);

        if (column >= table->column_count)
            continue;
        fprintf(out, "<tr><th>%s</th><td>", names[i]);
        put(out, csv_table_cell(table, 0, column));
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

static enum status put_page(FILE *out, const struct records *records, const char *directory,
                            struct error *error)
{
    enum status status = STATUS_OK;

    put_head(out, records);
    put_findings(out, records);
    for (size_t i = 0; status == STATUS_OK && i < plot_count; i++)
        status = put_plot(out, &plots[i], records, directory, error);
    put_reasons(out, records);
    put_environment(out, records);
    fputs("</body></html>\n", out);
    return status;
}

enum status page_write(const struct records *records, const char *directory, struct error *error)
{
    static const enum plot_shape shapes[] = {PLOT_LINES, PLOT_BARS};
    char path[PATH_BYTES], temporary[PATH_BYTES];
    enum status status = STATUS_OK;
    FILE *out;

    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_FAILED, "cannot make the folder %s: %s", directory,
                         strerror(errno));
    for (size_t i = 0; status == STATUS_OK && i < 2; i++)
        status = write_text(directory, gnuplot_script_name(shapes[i]),
                            gnuplot_script_text(shapes[i]), error);
    if (status != STATUS_OK)
        return status;
    /* Under another name until it is whole. */
    snprintf(path, sizeof path, "%s/index.html", directory);
    snprintf(temporary, sizeof temporary, "%s/index.html.part", directory);
    out = fopen(temporary, "wb");
    if (!out)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", temporary, strerror(errno));
    status = put_page(out, records, directory, error);
    if (fclose(out) != 0 && status == STATUS_OK)
        status = error_set(error, STATUS_FAILED, "cannot write %s: %s", temporary, strerror(errno));
    if (status == STATUS_OK && rename(temporary, path) != 0)
        status = error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    if (status != STATUS_OK)
        unlink(temporary);
    return status;
}
