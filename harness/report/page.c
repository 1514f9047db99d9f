#include "report/page.h"

#include "compare/plausible.h"
#include "drawing/html.h"
#include "model/fit.h"
#include "report/findings.h"
#include "report/page-file.h"
#include "report/page-parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_device(FILE *out, const struct records *records)
{
    const char *sold_as = plausible_sold_as(records->device_name);

    fputs("<h1>", out);
    html_put(out, records->device_name);
    if (sold_as)
        fprintf(out, " <span class=\"dim\">%s</span>", sold_as);
    fputs("</h1>", out);
    if (device_kind_is_emulated(records->device_kind))
        fputs("\n<p class=\"emulated\">Emulated. Every time on this page is the emulator's, not a "
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

/* Does a verdict at the top of the page claim the same? */
static bool is_said(const struct plot_source *source, const struct claim *claim)
{
    for (size_t i = 0; source->verdicts && i < source->verdicts->count; i++) {
        const struct claim *said = &source->verdicts->line[i].claim;

        if (said->less == claim->less && said->more == claim->more)
            return true;
    }
    return false;
}

static void put_findings(FILE *out, const struct plot_source *source)
{
    struct findings findings;

    if (source->findings)
        findings = *source->findings;
    else
        findings_collect(&findings, source->pages, source->records);
    fputs("<section><h2>What to change in a kernel</h2>\n<ol class=\"findings\">\n", out);
    for (size_t i = 0; i < findings.count; i++) {
        if (is_said(source, &findings.line[i].claim))
            continue;
        fputs("<li>", out);
        html_element(out, "b", findings.line[i].advice);
        fputs(" <span>", out);
        html_put(out, findings.line[i].evidence);
        if (findings.line[i].rests_on[0]) {
            fputs(findings.line[i].is_weak ? " <i class=\"weak\">" : " <i>", out);
            html_put(out, findings.line[i].rests_on);
            fputs("</i>", out);
        }
        fputs("</span></li>\n", out);
    }
    fputs("</ol>\n", out);
    if (findings.count == 0)
        fputs("<p>These rows support no advice: nothing differs by more than the intervals.</p>\n",
              out);
    fputs("</section>\n", out);
}

/* Links to the plots, by title, and to a page on machine code if the folder has one. */
static void put_contents(FILE *out, const struct plot_source *source, const char *folder)
{
    char machine_code[PAGE_PATH_BYTES];
    const struct plot *plot = NULL;

    fputs("<nav><b>On this page</b><ul>\n", out);
    while ((plot = plots_next(source->pages, plot))) {
        fprintf(out, "<li><a href=\"#%s\">", plot->name);
        html_put(out, plot->title);
        fputs("</a></li>\n", out);
    }
    if (source->model)
        fputs("<li><a href=\"#model\">Parameters of the model</a></li>\n", out);
    fputs("<li><a href=\"#caveats\">What to keep in mind</a></li>\n", out);
    snprintf(machine_code, sizeof(machine_code), "%s/%s", folder, PAGE_ISA);
    if (access(machine_code, F_OK) == 0)
        fputs("<li><a href=\"" PAGE_ISA "\">Machine code</a></li>\n", out);
    fputs("</ul></nav>\n", out);
}

static enum status put_page(FILE *out, const struct plot_source *source, struct export *export,
                            struct error *error)
{
    const struct plot *plot = NULL;

    put_device(out, source->records);
    enum status status = page_put_verdicts(out, source, error);
    put_findings(out, source);
    if (status == STATUS_OK)
        status = page_put_heat(out, source, error);
    put_contents(out, source, export->directory);
    while (status == STATUS_OK && (plot = plots_next(source->pages, plot)))
        status = page_put_plot(out, plot, source, export, error);
    if (source->model)
        page_put_model(out, source->model);
    page_put_caveats(out, source->records);
    page_put_environment(out, source->records);
    return status;
}

enum status page_write(const struct plot_source *source, const char *directory, struct error *error)
{
    struct page_file file;
    enum status status =
        source->model ? fit_same_device(source->model, source->records, error) : STATUS_OK;

    if (status != STATUS_OK)
        return status;
    struct export *export = calloc(1, sizeof(*export));
    if (!export)
        return error_out_of_memory(error);
    export->directory = directory;
    export->records = source->records;
    status = page_file_open(&file, directory, PAGE_INDEX, source->records->device_name, error);
    if (status == STATUS_OK)
        status = page_file_close(&file, put_page(file.html.out, source, export, error), error);
    if (status == STATUS_OK)
        status = export_pictures(export, error);
    free(export);
    return status;
}
