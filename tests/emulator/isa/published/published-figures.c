/* What the model gives where somebody has measured the device: runs a kernel for each published
 * figure and makes docs/accuracy.md and its plot of them.
 *     published-figures write PAGE PLOT [WORD]   makes both anew; with WORD, rows without it in
 * their names or kernels' device keep the page's values published-figures check PAGE PLOT fails if
 * either is not what would be made Both fail if a row is farther off than its bound, if its bound
 * is wider than that, or if it is beyond 15 % without a cause. Rows of Xe2 run where Intel's
 * assembler library knows it: in the root of the current driver, not on Debian 12; elsewhere, their
 * values are those of the page. */
#include "published-figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE_BYTES = 1 << 20, NAMED = 15 /* percent */ };

static struct figure rows[] = {
#define ROW(what, source, published, unit, relation, bound, measure, device, components, type,     \
            mechanism, why)                                                                        \
    {what,                                                                                         \
     source,                                                                                       \
     published,                                                                                    \
     unit,                                                                                         \
     relation,                                                                                     \
     bound,                                                                                        \
     measure,                                                                                      \
     {device, components, type},                                                                   \
     MECHANISM_##mechanism,                                                                        \
     why,                                                                                          \
     0,                                                                                            \
     false},
#include "compare/published-figures.def"
#undef ROW
};

static const struct figures figures = {rows, sizeof(rows) / sizeof(*rows)};

double figure_deviation(const struct figure *figure)
{
    return (figure->model / figure->published - 1) * 100;
}

bool figure_same_run(const struct figure *a, const struct figure *b)
{
    return a->measure == b->measure && a->run.components == b->run.components &&
           strcmp(a->run.device, b->run.device) == 0 && strcmp(a->run.type, b->run.type) == 0;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, PAGE_BYTES);

    if (!text)
        exit(1);
    if (file) {
        text[fread(text, 1, PAGE_BYTES - 1, file)] = 0;
        fclose(file);
    }
    return text;
}

/* The value that the page has for a row that cannot be run here. */
static double value_of_page(const struct figure *figure, const char *page)
{
    char line[1024];

    published_page_row(line, sizeof(line), figure);
    const char *found = strstr(page, line);
    if (!found)
        fprintf(stderr, "the page has no value for \"%s\", which cannot be run here\n",
                figure->what);
    return found ? strtod(found + strlen(line), NULL) : NAN;
}

/* What a row's kernel gives; that of an earlier row that runs the same is not run again. */
static double measure(const struct figure *figure)
{
    char text[32];

    for (const struct figure *earlier = rows; earlier < figure; earlier++)
        if (figure_same_run(earlier, figure))
            return earlier->model;
    snprintf(text, sizeof(text), "%.4g", figure->measure(&figure->run));
    return strtod(text, NULL);
}

static bool judge(const struct figure *figure)
{
    double size = fabs(figure_deviation(figure));

    if (size > figure->bound || figure->bound > ceil(size) + 2)
        fprintf(stderr, "%s (%s): bound %.0f %%, but it is off by %.1f %%\n", figure->what,
                figure->source, figure->bound, size);
    else if (size > NAMED && !*figure->why)
        fprintf(stderr, "%s (%s): off by %.1f %%, and no cause is named\n", figure->what,
                figure->source, size);
    else
        return !isnan(size);
    return false;
}

static bool is_wanted(const struct figure *figure, const char *word)
{
    return !word || strstr(figure->what, word) || strcmp(figure->run.device, word) == 0;
}

static bool measure_all(const char *page, const char *word)
{
    unsigned left_out = 0;
    bool good = true;

    for (size_t i = 0; i < figures.count; i++) {
        rows[i].left_out = !published_can_run(&rows[i].run);
        rows[i].model = rows[i].left_out || !is_wanted(&rows[i], word)
                            ? value_of_page(&rows[i], page)
                            : measure(&rows[i]);
        left_out += rows[i].left_out;
        good &= judge(&rows[i]);
    }
    if (left_out)
        fprintf(stderr,
                "%u rows are of Xe2 or Xe3, which libiga64 does not know here: as on the page\n",
                left_out);
    return good;
}

/* Says which line is the first that differs. */
static bool equal(const char *path, const char *now, const char *made)
{
    const char *line = made;

    if (strcmp(now, made) == 0)
        return true;
    for (size_t i = 0; made[i] && now[i] == made[i]; i++)
        if (made[i] == '\n')
            line = made + i + 1;
    fprintf(stderr, "%s is not what would be made (ninja published-figures); from here on:\n%.*s\n",
            path, (int)strcspn(line, "\n"), line);
    return false;
}

static bool check(const char *page_path, const char *page, const char *plot_path)
{
    char *made = calloc(1, PAGE_BYTES), temporary[] = "/tmp/accuracy-XXXXXX";
    FILE *out = fmemopen(made, PAGE_BYTES, "w");
    int file = mkstemp(temporary);

    if (!made || !out || file < 0)
        exit(1);
    close(file);
    published_page(out, &figures);
    fclose(out);
    bool good = equal(page_path, page, made) && published_plot(temporary, &figures) == 0;
    if (good) {
        char *now = read_file(plot_path), *plot = read_file(temporary);

        good = equal(plot_path, now, plot);
        free(now);
        free(plot);
    }
    unlink(temporary);
    free(made);
    return good;
}

static bool write_both(const char *page_path, const char *plot_path)
{
    FILE *out = fopen(page_path, "w");

    if (!out)
        return false;
    published_page(out, &figures);
    return fclose(out) == 0 && published_plot(plot_path, &figures) == 0;
}

int main(int argc, char **argv)
{
    bool writes = argc >= 4 && strcmp(argv[1], "write") == 0;

    if (argc != 4 + (writes && argc == 5) || (!writes && strcmp(argv[1], "check"))) {
        fprintf(stderr, "usage: published-figures check|write PAGE PLOT [WORD]\n");
        return 2;
    }
    char *page = read_file(argv[2]);
    bool covers = published_mechanisms_cover();
    bool good = measure_all(page, argc == 5 ? argv[4] : NULL) && covers;
    bool done = writes ? write_both(argv[2], argv[3]) : check(argv[2], page, argv[3]);

    free(page);
    return good && done ? 0 : 1;
}
