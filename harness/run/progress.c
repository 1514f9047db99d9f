#include "run/progress.h"

#include "base/monotonic.h"
#include "cli/style.h"
#include "cli/wrap.h"

#include <string.h>
#include <unistd.h>

#define LINE_BYTES 400
#define LINES_MOST 20 /* of a run, in a file */

void progress_init(struct progress *progress, FILE *out, enum verbosity verbosity,
                   const struct sweep *sweep)
{
    memset(progress, 0, sizeof(*progress));
    progress->sweep = sweep;
    progress->out = out;
    progress->verbosity = verbosity;
    progress->is_terminal = isatty(fileno(out)) == 1;
}

/* Seconds of estimated work for which the estimate counts as much as what has been seen. */
#define TRUST_S 3.0

double progress_left_s(const struct sweep_standing *standing, unsigned jobs, double elapsed_s)
{
    double seen = elapsed_s + TRUST_S / (jobs ? jobs : 1);

    return standing->left_s * seen / (standing->done_s + TRUST_S);
}

/* ", about 1:05 left". */
static void estimate(const struct progress *progress, char *text, size_t bytes)
{
    struct sweep_standing standing = sweep_standing(progress->sweep);
    double elapsed_s = monotonic_s() - progress->started_s;
    unsigned left_s =
        (unsigned)(progress_left_s(&standing, sweep_jobs(progress->sweep), elapsed_s) + 0.5);

    snprintf(text, bytes, ", about %u:%02u left", left_s / 60, left_s % 60);
}

static void clear_line(struct progress *progress)
{
    if (progress->is_terminal && progress->width)
        fprintf(progress->out, "\r%*s\r", (int)progress->width, "");
    progress->width = 0;
}

static void describe(const struct family *family, const struct configuration *c, char *text,
                     size_t bytes)
{
    char parameters[LINE_BYTES / 2];

    family_parameters(family, c, parameters, sizeof(parameters));
    snprintf(text, bytes, "%s: sub-group %u, work-group %u, %u work-group%s%s%s", family->name,
             c->subgroup_size, c->workgroup_size, c->workgroup_count,
             c->workgroup_count == 1 ? "" : "s", parameters[0] ? ", " : "", parameters);
}

/* Shows the line that stays until the next configuration. */
static void show_on_terminal(struct progress *progress, const char *line)
{
    size_t width = wrap_width(progress->out) - 1;
    size_t bytes = strlen(line);

    clear_line(progress);
    if (bytes > width && width > 3) {
        fprintf(progress->out, "%.*s...", (int)(width - 3), line);
        bytes = width;
    } else {
        fputs(line, progress->out);
    }
    progress->width = bytes;
}

/* A line that stays, where a family begins. */
static void log_family(struct progress *progress, const struct family *family, size_t index,
                       size_t total)
{
    if (progress->family == family || index < progress->next)
        return;
    fprintf(progress->out, "[%zu/%zu] %s\n", index + 1, total, family->name);
    progress->next = index + (total + LINES_MOST - 1) / LINES_MOST;
}

void progress_started(struct progress *progress, const struct family *family,
                      const struct configuration *configuration, size_t index, size_t total)
{
    char text[LINE_BYTES], line[LINE_BYTES + 80], left[40] = "";

    if (progress->started_s == 0.0)
        progress->started_s = monotonic_s();
    if (progress->verbosity == VERBOSITY_QUIET)
        return;
    describe(family, configuration, text, sizeof(text));
    if (progress->is_terminal && progress->sweep)
        estimate(progress, left, sizeof(left));
    snprintf(line, sizeof(line), "[%zu/%zu%s] %s", index + 1, total, left, text);
    if (progress->is_terminal && progress->verbosity == VERBOSITY_NORMAL)
        show_on_terminal(progress, line);
    else if (progress->verbosity == VERBOSITY_ALL)
        fprintf(progress->out, "%s ... ", line);
    else
        log_family(progress, family, index, total);
    progress->family = family;
    fflush(progress->out);
}

/* Each kind of outcome that occurs, once, with the first reason given for it. What only runs as a
 * part of other variants has none of its own. */
static void print_outcomes(FILE *out, const struct family *family,
                           const struct measurement *measurements)
{
    static const struct {
        enum row_outcome outcome;
        enum style style;
    } outcomes[] = {
        {OUTCOME_OK, STYLE_NONE},       {OUTCOME_UNRELIABLE, STYLE_DOUBTFUL},
        {OUTCOME_SKIPPED, STYLE_NONE},  {OUTCOME_FAILED, STYLE_BAD},
        {OUTCOME_EXCLUDED, STYLE_NONE},
    };
    const char *separator = "";

    for (size_t o = 0; o < sizeof(outcomes) / sizeof(outcomes[0]); o++) {
        const struct measurement *first = NULL;
        size_t count = 0;

        for (size_t v = 0; v < family->variant_count; v++) {
            if (!family->variants[v].is_part && measurements[v].outcome == outcomes[o].outcome) {
                count++;
                first = first ? first : &measurements[v];
            }
        }
        if (!first)
            continue;
        fprintf(out, "%s%zu ", separator, count);
        style_put(out, outcomes[o].style, outcome_name(outcomes[o].outcome));
        if (first->reason[0])
            fprintf(out, " (%s)", first->reason);
        separator = ", ";
    }
    fputc('\n', out);
}

static bool any_wrong(const struct family *family, const struct measurement *measurements)
{
    for (size_t v = 0; v < family->variant_count; v++) {
        if (measurements[v].outcome == OUTCOME_FAILED ||
            measurements[v].outcome == OUTCOME_UNRELIABLE)
            return true;
    }
    return false;
}

void progress_finished(struct progress *progress, const struct family *family,
                       const struct configuration *configuration,
                       const struct measurement *measurements)
{
    char text[LINE_BYTES];

    if (progress->verbosity == VERBOSITY_ALL) {
        print_outcomes(progress->out, family, measurements);
    } else if (progress->verbosity == VERBOSITY_NORMAL && any_wrong(family, measurements)) {
        describe(family, configuration, text, sizeof(text));
        clear_line(progress);
        fprintf(progress->out, "%s: ", text);
        print_outcomes(progress->out, family, measurements);
    }
    fflush(progress->out);
}

void progress_refining(struct progress *progress, size_t count, double left_s)
{
    if (progress->verbosity == VERBOSITY_QUIET)
        return;
    clear_line(progress);
    progress->next = 0;
    fprintf(progress->out, "again, with more rounds: the %zu with the widest intervals", count);
    fprintf(progress->out, " (%.1f min left of the budget)\n", left_s / 60.0);
    fflush(progress->out);
}

void progress_end(struct progress *progress)
{
    clear_line(progress);
    fflush(progress->out);
}
