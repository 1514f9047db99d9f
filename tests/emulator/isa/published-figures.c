/* What the model gives where somebody has measured the device: runs a kernel for each published
 * figure and prints the table of docs/emulator/measured.md.
 *     published-figures             prints it
 *     published-figures --check F   and fails unless F holds each of its lines
 * A row from which a figure of the description was taken proves nothing, and says so. The others
 * are independent: each has a bound on its deviation, and the run fails beyond it. Rows of Xe2 run
 * where Intel's assembler library knows it: in the root of the current driver, not on Debian 12. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "published-kernels.h"

enum basis { INDEPENDENT, TAKEN };

struct figure {
    const char *what, *source;
    double published;
    const char *unit;
    enum basis basis;
    double bound; /* on the deviation's size, percent */
    double (*measure)(const struct published_run *run);
    struct published_run run;
    const char *why; /* of a deviation, or what was taken from it */
};

static const struct figure figures[] = {
#define ROW(what, source, published, unit, basis, bound, measure, device, components, type, why)   \
    {what, source, published, unit, basis, bound, measure, {device, components, type}, why},
#include "compare/published-figures.def"
#undef ROW
};

static bool holds(const char *document, const char *line)
{
    if (!document || strstr(document, line))
        return true;
    fprintf(stderr, "the document lacks this line:\n%s", line);
    return false;
}

/* What a row's kernel gives; that of an earlier row that runs the same is not run again. */
static double measure(size_t row)
{
    static double values[sizeof(figures) / sizeof(*figures)];
    const struct figure *f = &figures[row];

    for (size_t i = 0; i < row; i++) {
        const struct figure *g = &figures[i];

        if (g->measure == f->measure && g->run.components == f->run.components &&
            strcmp(g->run.device, f->run.device) == 0 && strcmp(g->run.type, f->run.type) == 0)
            return values[row] = values[i];
    }
    return values[row] = f->measure(&f->run);
}

static char *read_document(const char *path)
{
    FILE *file = fopen(path, "r");
    char *document = calloc(1, 1 << 20);

    if (!file || !document || fread(document, 1, (1 << 20) - 1, file) == 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return document;
}

/* Of the independent rows. */
struct tally {
    unsigned rows, close, far; /* within 15 %, beyond 50 % */
};

static bool judge(const struct figure *f, double deviation, struct tally *tally)
{
    if (f->basis == TAKEN)
        return true;
    tally->rows++;
    tally->close += fabs(deviation) <= 15.0;
    tally->far += fabs(deviation) > 50.0;
    if (fabs(deviation) > 15.0 && !*f->why) {
        fprintf(stderr, "%s (%s): %+.1f %%, and no cause is named\n", f->what, f->source,
                deviation);
        return false;
    }
    if (fabs(deviation) <= f->bound)
        return true;
    fprintf(stderr, "%s (%s): %+.1f %% is farther from the truth than %.0f %%\n", f->what,
            f->source, deviation, f->bound);
    return false;
}

int main(int argc, char **argv)
{
    char *document = argc == 3 && strcmp(argv[1], "--check") == 0 ? read_document(argv[2]) : NULL;
    struct tally tally = {0};
    char line[1024];
    unsigned left_out = 0;
    bool good = true;

    printf("| figure | published | model | deviation | independent | why |\n"
           "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
        const struct figure *f = &figures[i];

        if (!published_can_run(&f->run)) {
            left_out++;
            continue;
        }
        double value = measure(i), deviation = (value / f->published - 1) * 100;

        snprintf(line, sizeof(line), "| %s | %.4g %s (%s) | %.4g | %+.0f %% | %s | %s |\n", f->what,
                 f->published, f->unit, f->source, value, deviation,
                 f->basis == TAKEN ? "no" : "yes", f->why);
        fputs(line, stdout);
        good &= judge(f, deviation, &tally);
        good &= holds(document, line);
    }
    snprintf(line, sizeof(line),
             "Of %u independent rows, %u (%.0f %%) are within 15 %%, and %u beyond 50 %%.\n",
             tally.rows, tally.close, 100.0 * tally.close / tally.rows, tally.far);
    printf("\n%s", line);
    if (left_out > 0) /* the document's count is of all rows */
        fprintf(stderr, "left out: %u rows, of Xe2, which libiga64 does not know here\n", left_out);
    else
        good &= holds(document, line);
    free(document);
    return good ? 0 : 1;
}
