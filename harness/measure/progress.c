#include "measure/progress.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES 400

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void progress_init(struct progress *progress, FILE *out)
{
    memset(progress, 0, sizeof *progress);
    progress->out = out;
    progress->is_terminal = isatty(fileno(out)) == 1;
}

/* "1:05" left, from the configurations so far. */
static void estimate(const struct progress *progress, size_t index, size_t total, char *text,
                     size_t bytes)
{
    double elapsed = now_s() - progress->started_s;
    unsigned left_s;

    text[0] = '\0';
    if (index == 0)
        return;
    left_s = (unsigned)(elapsed / (double)index * (double)(total - index) + 0.5);
    snprintf(text, bytes, ", about %u:%02u left", left_s / 60, left_s % 60);
}

static void clear_line(struct progress *progress)
{
    if (progress->is_terminal && progress->width)
        fprintf(progress->out, "\r%*s\r", (int)progress->width, "");
    progress->width = 0;
}

void progress_started(struct progress *progress, const struct family *family,
                      const struct configuration *c, size_t index, size_t total)
{
    char parameters[LINE_BYTES / 2];
    char line[LINE_BYTES];
    char left[40] = "";

    if (progress->started_s == 0.0)
        progress->started_s = now_s();
    if (progress->is_terminal)
        estimate(progress, index, total, left, sizeof left);
    family_parameters(family, c, parameters, sizeof parameters);
    snprintf(line, sizeof line, "[%zu/%zu%s] %s: sub-group %u, work-group %u, %u work-group%s%s%s",
             index + 1, total, left, family->name, c->subgroup_size, c->workgroup_size,
             c->workgroup_count, c->workgroup_count == 1 ? "" : "s", parameters[0] ? ", " : "",
             parameters);
    if (progress->is_terminal && strlen(line) > 79)
        strcpy(line + 76, "...");
    clear_line(progress);
    fputs(line, progress->out);
    progress->width = strlen(line);
    if (!progress->is_terminal)
        fputs(" ... ", progress->out);
    fflush(progress->out);
}

/* Every outcome that occurs, once, each with the first reason given for it. */
static void print_outcomes(FILE *out, const struct family *family,
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
        fprintf(out, "%s%zu %s", separator, count, outcome_name(outcomes[o]));
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
                       const struct measurement *measurements)
{
    if (!progress->is_terminal || any_wrong(family, measurements)) {
        if (progress->is_terminal)
            fputs(": ", progress->out);
        print_outcomes(progress->out, family, measurements);
        progress->width = 0;
    }
    fflush(progress->out);
}

void progress_end(struct progress *progress)
{
    clear_line(progress);
    fflush(progress->out);
}
