/* docs/accuracy.md: each mechanism of the clock with its rows, counted once. */
#include "published-figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vesim/vesim.h"

enum kind { ARITHMETIC, OTHER, KIND_COUNT };

enum { CLOSE = 15, FAR = 50, RUNS_MAX = 256 }; /* percent; of a mechanism */

static const struct {
    const char *name;
    enum kind kind;
    const char *rule, *file, *figures;
} mechanisms[] = {
#define MECHANISM(name, kind, rule, file, figures) {#name, kind, rule, file, figures},
#include "timing/mechanisms.def"
#undef MECHANISM
};

static const char *const kinds[KIND_COUNT] = {"Arithmetic", "Messages, caches, memory, launches"};

/* What a set of runs says of the model. */
struct errors {
    double size[RUNS_MAX]; /* of the deviations, percent, ascending */
    size_t count;
    unsigned rows[RELATION_COUNT];
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool is_first_free(const struct figures *all, size_t at)
{
    if (all->of[at].relation != FREE)
        return false;
    for (size_t i = 0; i < at; i++)
        if (all->of[i].relation == FREE && figure_same_run(&all->of[i], &all->of[at]))
            return false;
    return true;
}

/* The mean of what free rows of the same run published: of the logarithms. */
static double published_of_run(const struct figures *all, size_t at)
{
    double sum = 0;
    unsigned count = 0;

    for (size_t i = at; i < all->count; i++) {
        if (all->of[i].relation != FREE || !figure_same_run(&all->of[i], &all->of[at]))
            continue;
        sum += log(all->of[i].published);
        count++;
    }
    return exp(sum / count);
}

static struct errors errors_of(const struct figures *all, enum mechanism mechanism)
{
    struct errors errors = {.count = 0};

    for (size_t i = 0; i < all->count; i++) {
        if (all->of[i].mechanism != mechanism)
            continue;
        errors.rows[all->of[i].relation]++;
        if (is_first_free(all, i) && errors.count < RUNS_MAX)
            errors.size[errors.count++] =
                fabs(all->of[i].model / published_of_run(all, i) - 1) * 100;
    }
    qsort(errors.size, errors.count, sizeof(*errors.size), ascending);
    return errors;
}

static double median(const struct errors *errors)
{
    return (errors->size[(errors->count - 1) / 2] + errors->size[errors->count / 2]) / 2;
}

/* Mean absolute error, percent, and the correlation of logarithms, over the free runs. */
static void put_total(FILE *out, const struct figures *all)
{
    double error = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    unsigned runs = 0, positive = 0;

    for (size_t i = 0; i < all->count; i++) {
        if (!is_first_free(all, i))
            continue;
        double published = published_of_run(all, i), model = all->of[i].model;

        error += fabs(model / published - 1) * 100;
        runs++;
        if (model <= 0)
            continue;
        double a = log(published), b = log(model);
        x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
        positive++;
    }
    double n = positive, r = (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y));
    fprintf(out,
            "- Over the %u distinct free runs the mean absolute error is **%.0f %%**, and the "
            "correlation of model and\n  hardware %.3f (of the logarithms).\n\n",
            runs, error / runs, r);
}

static void put_kind(FILE *out, const struct figures *all, enum kind kind)
{
    unsigned count = 0, tested = 0, close = 0, far = 0;

    for (unsigned m = 0; m < MECHANISM_COUNT; m++) {
        struct errors errors = errors_of(all, (enum mechanism)m);

        count += mechanisms[m].kind == kind;
        if (mechanisms[m].kind != kind || errors.count == 0)
            continue;
        tested++;
        close += median(&errors) <= CLOSE;
        far += median(&errors) > FAR;
    }
    fprintf(out,
            "- %s: of %u mechanisms, %u are tested by free rows; %u of these (%.0f %%) are within "
            "15 %% by the median of their runs,\n  %u beyond 50 %%.\n",
            kinds[kind], count, tested, close, 100.0 * close / tested, far);
}

static void put_mechanisms(FILE *out, const struct figures *all, enum kind kind)
{
    fprintf(out,
            "| mechanism | rule | figures | rows taken, sibling, free | free runs | median | worst "
            "|\n|---|---|---|---|---|---|---|\n");
    for (unsigned m = 0; m < MECHANISM_COUNT; m++) {
        struct errors errors = errors_of(all, (enum mechanism)m);

        if (mechanisms[m].kind != kind ||
            errors.rows[TAKEN] + errors.rows[SIBLING] + errors.rows[FREE] == 0)
            continue;
        fprintf(out, "| `%s` | %s | %s | %u, %u, %u | %zu |", mechanisms[m].name,
                mechanisms[m].rule, mechanisms[m].figures, errors.rows[TAKEN], errors.rows[SIBLING],
                errors.rows[FREE], errors.count);
        if (errors.count)
            fprintf(out, " %.0f %% | %.0f %% |\n", median(&errors), errors.size[errors.count - 1]);
        else
            fprintf(out, " | |\n");
    }
    fprintf(out, "\n");
}

static void put_untested(FILE *out, const struct figures *all)
{
    fprintf(out, "## What no row tests\n\n"
                 "No row is decided by these, so nothing says how far they are from hardware:\n\n");
    for (unsigned m = 0; m < MECHANISM_COUNT; m++) {
        struct errors errors = errors_of(all, (enum mechanism)m);

        if (errors.rows[TAKEN] + errors.rows[SIBLING] + errors.rows[FREE] == 0)
            fprintf(out, "- `%s`: %s%s%s%s\n", mechanisms[m].name, mechanisms[m].rule,
                    *mechanisms[m].figures ? " (" : "", mechanisms[m].figures,
                    *mechanisms[m].figures ? ")" : "");
    }
    fprintf(out, "\n");
}

/* How often a figure is among those of a mechanism. */
static unsigned times_named(const char *figure)
{
    size_t length = strlen(figure);
    unsigned times = 0;

    for (unsigned m = 0; m < MECHANISM_COUNT; m++) {
        for (const char *at = mechanisms[m].figures; *at;) {
            size_t word = strcspn(at, " ");

            times += word == length && strncmp(at, figure, length) == 0;
            at += word + (at[word] == ' ');
        }
    }
    return times;
}

bool published_mechanisms_cover(void)
{
    bool good = true;

    for (size_t i = VESIM_FIGURE_memory_bandwidth; i < VESIM_FIGURE_COUNT; i++) {
        unsigned times = times_named(vesim_figures[i].name);

        if (times != 1)
            fprintf(stderr, "%s is a figure of %u mechanisms\n", vesim_figures[i].name, times);
        good &= times == 1;
    }
    return good;
}

void published_page_row(char *line, size_t bytes, const struct figure *figure)
{
    snprintf(line, bytes, "| %s | %.4g %s (%s) | ", figure->what, figure->published, figure->unit,
             figure->source);
}

static void put_rows(FILE *out, const struct figures *all, enum mechanism mechanism)
{
    static const char *const relations[RELATION_COUNT] = {"taken", "sibling", "free"};
    struct errors errors = errors_of(all, mechanism);

    if (errors.rows[TAKEN] + errors.rows[SIBLING] + errors.rows[FREE] == 0)
        return;
    fprintf(out, "### `%s`: %s\n\n`emulator/%s`\n\n", mechanisms[mechanism].name,
            mechanisms[mechanism].rule, mechanisms[mechanism].file);
    fprintf(out, "| figure | published | model | deviation | relation | why |\n"
                 "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < all->count; i++) {
        const struct figure *f = &all->of[i];
        char start[1024];

        if (f->mechanism != mechanism)
            continue;
        published_page_row(start, sizeof(start), f);
        fprintf(out, "%s%.4g | %+.0f %% | %s | %s |\n", start, f->model, figure_deviation(f),
                relations[f->relation], f->why);
    }
    fprintf(out, "\n");
}

static const char introduction[] =
    "# How far the emulator's clock is from hardware\n\n"
    "For those who ask what an emulated time is worth. This page is made, and checked by a test, "
    "by "
    "`ninja -C build published-figures`.\n\n"
    "A *mechanism* is a rule of the clock, with the figures of a device's description that it "
    "takes "
    "(`emulator/timing/mechanisms.def`; a test checks that each figure is in it). A *row* is a "
    "figure that somebody measured and published; a kernel like theirs runs on the model, and the "
    "row counts for the mechanism that decides it. A row is *taken* if a figure of a description "
    "was taken from it, *sibling* if one was taken from the same experiment with another width, "
    "driver or card, and *free* otherwise. Only free rows count below. Rows that run the same "
    "kernel "
    "on the same device are one *run*, and hold the mean of what was published. Whole kernels: "
    "[applications.md](applications.md).\n\n"
    "![Published and modelled, logarithmic, by generation](accuracy.svg)\n\n";

static const char of_rows[] =
    "## Row by row\n\n"
    "The kernels follow the code that Intel's compiler generates for the sources' kernels. Each "
    "row "
    "has a bound on its deviation in `harness/compare/published-figures.def`, 2 points beyond what "
    "it is; the test fails beyond it, and if a row farther off than 15 % names no cause. What is "
    "open, and which of two sources is believed: [measured.md](emulator/measured.md).\n\n";

void published_page(FILE *out, const struct figures *all)
{
    fputs(introduction, out);
    for (unsigned kind = 0; kind < KIND_COUNT; kind++)
        put_kind(out, all, (enum kind)kind);
    put_total(out, all);
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        fprintf(out, "## %s\n\n", kinds[kind]);
        put_mechanisms(out, all, (enum kind)kind);
    }
    put_untested(out, all);
    fputs(of_rows, out);
    for (unsigned m = 0; m < MECHANISM_COUNT; m++)
        put_rows(out, all, (enum mechanism)m);
}
