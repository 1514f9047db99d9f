#include "report.h"

#include "clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN_WIDTH 19

/* These change which devices Level Zero shows, and as what. */
static void print_environment(FILE *out)
{
    static const char *const names[] = {"ZE_FLAT_DEVICE_HIERARCHY", "ZE_AFFINITY_MASK"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);

        if (value)
            fprintf(out, "%s=%s\n", names[i], value);
    }
}

void report_device(FILE *out, const struct session *session)
{
    const char *model = device_kind_model_name();

    fprintf(out, "%s, driver %s", session->device->name, session->device->driver_version);
    if (session->kind == DEVICE_HARDWARE) {
        fprintf(out, ", pci %s\n",
                session->device->pci_address[0] ? session->device->pci_address : "unknown");
        print_environment(out);
        return;
    }
    fprintf(out, " -- EMULATED%s%s: times are a model's, not a GPU's\n",
            model ? " by vesim as " : "", model ? model : "");
    print_environment(out);
}

static void on_started(void *context, const struct family *family, const struct configuration *c,
                       size_t index, size_t total)
{
    struct report *report = context;

    fprintf(report->progress, "[%zu/%zu] %s: sub-group %u, work-group %u, %u work-group%s ... ",
            index + 1, total, family->name, c->subgroup_size, c->workgroup_size, c->workgroup_count,
            c->workgroup_count == 1 ? "" : "s");
    fflush(report->progress);
}

/* Every outcome that occurs, once, each with the first reason given for it. */
static void print_outcomes(const struct report *report, const struct family *family,
                           const struct measurement *measurements)
{
    static const enum outcome outcomes[] = {OUTCOME_OK, OUTCOME_UNRELIABLE, OUTCOME_SKIPPED,
                                            OUTCOME_FAILED};
    const char *separator = "";

    for (size_t o = 0; o < sizeof outcomes / sizeof outcomes[0]; o++) {
        const struct measurement *first = NULL;
        size_t count = 0;

        for (size_t v = 0; v < family->variant_count; v++) {
            if (measurements[v].outcome == outcomes[o]) {
                count++;
                first = first ? first : &measurements[v];
            }
        }
        if (!first)
            continue;
        fprintf(report->progress, "%s%zu %s", separator, count, outcome_name(outcomes[o]));
        if (first->reason[0])
            fprintf(report->progress, " (%s)", first->reason);
        separator = ", ";
    }
    fputc('\n', report->progress);
    fflush(report->progress);
}

static void on_finished(void *context, const struct family *family,
                        const struct configuration *configuration,
                        const struct measurement *measurements)
{
    struct report *report = context;
    struct report_line *line;

    print_outcomes(report, family, measurements);
    if (report->line_count == report->line_room) {
        size_t room = report->line_room ? 2 * report->line_room : 32;
        struct report_line *lines = realloc(report->lines, room * sizeof *lines);

        if (!lines)
            return;
        report->lines = lines;
        report->line_room = room;
    }
    line = &report->lines[report->line_count];
    line->family = family;
    line->configuration = *configuration;
    line->measurements = malloc(family->variant_count * sizeof *measurements);
    if (!line->measurements)
        return;
    memcpy(line->measurements, measurements, family->variant_count * sizeof *measurements);
    report->line_count++;
}

struct sweep_events report_events(struct report *report)
{
    struct sweep_events events = {on_started, on_finished, report};

    return events;
}

void report_cell(const struct measurement *m, bool is_baseline, double clock_mhz,
                 char text[CELL_BYTES])
{
    const char *doubt = m->outcome == OUTCOME_UNRELIABLE ? " ?" : "";

    if (m->ns.count == 0 || m->outcome == OUTCOME_FAILED || m->outcome == OUTCOME_SKIPPED)
        snprintf(text, CELL_BYTES, "%s", outcome_name(m->outcome));
    else if (!is_baseline && m->ci95_lo_ns <= 0.0 && m->ci95_hi_ns >= 0.0)
        snprintf(text, CELL_BYTES, "< %.2f%s", m->ci95_hi_ns, doubt);
    else if (clock_mhz > 0.0)
        snprintf(text, CELL_BYTES, "%.2f (%.0f)%s", m->ns.median, m->ns.median * clock_mhz / 1000.0,
                 doubt);
    else
        snprintf(text, CELL_BYTES, "%.2f%s", m->ns.median, doubt);
}

static void print_heading(FILE *out, const struct report *report, const struct report_line *line)
{
    const struct family *family = line->family;
    const char *source;
    double mhz = clock_choose(report->session, line->measurements[0].clock_mhz, &source);

    fprintf(out, "\n%s, sub-groups of %u: %s in %s", family->name,
            line->configuration.subgroup_size, family->measures, family->unit);
    if (mhz > 0.0)
        fprintf(out, " (cycles at %.0f MHz, %s)", mhz, source);
    fprintf(out, "; %s in %s\n%10s %7s", family->variants[0].name, family->baseline_unit,
            "work-group", "groups");
    for (size_t v = 0; v < family->variant_count; v++)
        fprintf(out, " %*s", COLUMN_WIDTH, family->variants[v].name);
    fputc('\n', out);
}

void report_table(FILE *out, const struct report *report)
{
    for (size_t i = 0; i < report->line_count; i++) {
        const struct report_line *line = &report->lines[i];
        const struct report_line *before = i ? line - 1 : NULL;

        if (!before || before->family != line->family ||
            before->configuration.subgroup_size != line->configuration.subgroup_size)
            print_heading(out, report, line);
        fprintf(out, "%10u %7u", line->configuration.workgroup_size,
                line->configuration.workgroup_count);
        for (size_t v = 0; v < line->family->variant_count; v++) {
            const char *source;
            char cell[CELL_BYTES];

            report_cell(&line->measurements[v], v == 0,
                        clock_choose(report->session, line->measurements[v].clock_mhz, &source),
                        cell);
            fprintf(out, " %*s", COLUMN_WIDTH, cell);
        }
        fputc('\n', out);
    }
    fprintf(out, "\n\"< x\": below resolution, the 95 %% interval includes zero and ends at x. "
                 "\"?\": unreliable, the file says why.\n");
}

void report_free(struct report *report)
{
    for (size_t i = 0; i < report->line_count; i++)
        free(report->lines[i].measurements);
    free(report->lines);
    report->lines = NULL;
    report->line_count = 0;
    report->line_room = 0;
}
