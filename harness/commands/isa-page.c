#include "commands/isa-page.h"

#include "audit/isa-figures.h"
#include "audit/isa-print.h"
#include "audit/isa-text.h"
#include "drawing/drawing.h"
#include "drawing/html.h"
#include "report/page-file.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static bool is_of_table(const struct isa_entry *a, const struct isa_entry *b)
{
    return !strcmp(a->module, b->module) && !strcmp(a->target, b->target);
}

/* The first entry after those of one module and target. */
static size_t table_end(const struct isa_survey *survey, size_t first)
{
    size_t end = first;

    while (end < survey->count && is_of_table(&survey->entries[first], &survey->entries[end]))
        end++;
    return end;
}

static void put_number(FILE *out, double number)
{
    fputs("<td class=\"number\">", out);
    if (isfinite(number))
        fprintf(out, "%.6g", round(number * 10.0) / 10.0);
    fputs("</td>", out);
}

static void put_size(FILE *out, const struct isa_audit *audit)
{
    if (audit->required_width && audit->required_width != audit->width)
        fprintf(out, "<td class=\"number\"><b>%u, not %u</b></td>", audit->width,
                audit->required_width);
    else
        put_number(out, audit->width);
}

/* What binds the loop comes first: the mixes at the end are long. */
static void put_row(FILE *out, const struct isa_entry *entry)
{
    static const enum isa_figure figures[] = {
        ISA_FIGURE_issue_cycles,      ISA_FIGURE_reads_cycles, ISA_FIGURE_messages_cycles,
        ISA_FIGURE_latency_cycles,    ISA_FIGURE_alone_cycles, ISA_FIGURE_registers_used,
        ISA_FIGURE_scratch_bytes,     ISA_FIGURE_slm_bytes,    ISA_FIGURE_instructions,
        ISA_FIGURE_loop_instructions,
    };
    const struct isa_audit *audit = &entry->audit;
    const struct isa_mix *mix = audit->loop_count ? &audit->hot : &audit->all;
    char text[ISA_TEXT_BYTES];

    fprintf(out, "<tr class=\"%s\"><td>", drawing_size_class(entry->size));
    html_put(out, entry->kernel);
    fputs("</td>", out);
    put_size(out, audit);
    fputs("<td title=\"", out);
    html_put(out, isa_audit_binds(audit));
    fputs("\">", out);
    html_put(out, isa_bound_text(audit, text));
    fputs("</td>", out);
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
        put_number(out, isa_figure(audit, figures[i]));
    html_element(out, "td", isa_pipes_text(mix, text));
    html_element(out, "td", isa_messages_text(mix, text));
    fputs("</tr>\n", out);
}

static void put_refused(FILE *out, const struct isa_entry *entry)
{
    fprintf(out, "<tr class=\"%s\"><td>", drawing_size_class(entry->size));
    html_put(out, entry->kernel[0] ? entry->kernel : "all");
    fputs("</td>", out);
    put_number(out, entry->size ? entry->size : NAN);
    fputs("<td colspan=\"13\" class=\"wrap\">refused: ", out);
    html_put(out, entry->refused);
    fputs("</td></tr>\n", out);
}

static void put_table(FILE *out, const struct isa_survey *survey, size_t first, size_t end)
{
    static const char *const numbers[] = {"issue",        "reads",     "messages", "latency",
                                          "alone",        "registers", "scratch",  "SLM",
                                          "instructions", "loop"};

    fputs("<h3>", out);
    html_put(out, survey->entries[first].target);
    fputs("</h3>\n<div class=\"wide\"><table><tr><th>kernel</th><th class=\"number\">sub-group</th>"
          "<th>bound by</th>",
          out);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        fprintf(out, "<th class=\"number\">%s</th>", numbers[i]);
    fputs("<th>in the loop</th><th>its messages</th></tr>\n", out);
    for (size_t i = first; i < end; i++) {
        if (survey->entries[i].refused)
            put_refused(out, &survey->entries[i]);
        else
            put_row(out, &survey->entries[i]);
    }
    fputs("</table></div>\n", out);
}

/* A section for each module, a table for each target. */
static void put_modules(FILE *out, const struct isa_survey *survey)
{
    const char *module = NULL;

    for (size_t i = 0, end; i < survey->count; i = end) {
        const struct isa_entry *entry = &survey->entries[i];

        if (!module || strcmp(module, entry->module) != 0) {
            fputs(module ? "</section>\n<section id=\"" : "<section id=\"", out);
            html_put(out, entry->module);
            fputs("\">", out);
            html_element(out, "h2", entry->module);
            fputc('\n', out);
        }
        module = entry->module;
        end = table_end(survey, i);
        put_table(out, survey, i, end);
    }
    fputs(module ? "</section>\n" : "", out);
}

static void put_contents(FILE *out, const struct isa_survey *survey)
{
    const char *module = NULL;

    fputs("<nav><b>On this page</b><ul>\n", out);
    for (size_t i = 0; i < survey->count; i++) {
        if (module && !strcmp(module, survey->entries[i].module))
            continue;
        module = survey->entries[i].module;
        fputs("<li><a href=\"#", out);
        html_put(out, module);
        fputs("\">", out);
        html_put(out, module);
        fputs("</a></li>\n", out);
    }
    fputs("</ul></nav>\n", out);
}

static void put_head(FILE *out, bool has_report)
{
    fputs("<h1>Machine code</h1>\n<p class=\"emulated\">No kernel was run: compiled by Intel's "
          "offline compiler and read. Cycles are the emulator's figures, not a GPU's.</p>\n",
          out);
    if (has_report)
        fputs("<p><a href=\"index.html\">To the report</a></p>\n", out);
    fputs(
        "<p class=\"dim\">The hot loop of each kernel takes at least so many cycles an iteration, "
        "of one thread on each vector engine of a full Xe-core: by its fullest pipe (issue), with "
        "operand reads that collide, by messages, and by dependencies, shared among the threads of "
        "an engine; alone is a thread without others. The largest binds; beside it stands the "
        "instruction with most of it, which its hint has whole. Registers are those that the code "
        "names, scratch the bytes of a thread, spilled registers among them, SLM those of a "
        "work-group. Instructions are of the whole kernel and of the loop; without a loop, mixes "
        "are of the whole. isa.csv has every figure.</p>\n",
        out);
}

static enum status write_figures(const struct isa_survey *survey, const char *folder,
                                 struct error *error)
{
    char path[PAGE_PATH_BYTES];
    struct replacement csv;

    snprintf(path, sizeof(path), "%s/isa.csv", folder);
    enum status status = replacement_open(&csv, path, error);
    if (status != STATUS_OK)
        return status;
    return replacement_close(&csv, isa_print_survey(csv.out, survey, TABLE_CSV, error), error);
}

enum status isa_page_write(const struct isa_survey *survey, const char *folder, struct error *error)
{
    char report[PAGE_PATH_BYTES];
    struct page_file file;
    enum status status = page_file_open(&file, folder, PAGE_ISA, "Machine code", error);

    if (status != STATUS_OK)
        return status;
    snprintf(report, sizeof(report), "%s/%s", folder, PAGE_INDEX);
    put_head(file.html.out, access(report, F_OK) == 0);
    put_contents(file.html.out, survey);
    put_modules(file.html.out, survey);
    status = page_file_close(&file, STATUS_OK, error);
    return status == STATUS_OK ? write_figures(survey, folder, error) : status;
}
