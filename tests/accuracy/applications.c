/* Whole kernels on the emulated devices beside what was published of hardware:
 * docs/applications.md. applications write|check JOBS DEVICES PAGE [WORD] `write` measures and
 * makes the page; `check` fails if the page is not what would be made. With WORD, only rows are
 * measured whose job and device have it ("lattice-fp32 Arc A380"); the others keep the page's
 * values. Both fail if a row cannot be measured, does not compute what the host does, or is beyond
 * 15 % without a cause. VEBENCH is the program's path. */
#include "applications.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "run-job.h"

enum { PAGE_BYTES = 1 << 18, NAMED = 15 /* percent */ };

static struct application rows[] = {
#define ROW(job, device, model, changes, lanes, size, published, source, relation, driver, why)    \
    {job, device, model, changes, lanes, size, published, source, relation, driver, why, NAN},
#include "applications.def"
#undef ROW
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static bool is_wanted(const struct application *row, enum driver driver, const char *word)
{
    char name[256];

    if (row->driver != driver)
        return false;
    snprintf(name, sizeof(name), "%s %s %u", row->job, row->device, row->size);
    return !word || strstr(name, word);
}

static double value_of_page(const struct application *row, const char *page)
{
    char line[1024];

    application_line(line, sizeof(line), row);
    const char *found = page ? strstr(page, line) : NULL;
    return found ? strtod(found + strlen(line), NULL) : NAN;
}

/* As it stands on the page. */
static double rounded(double value)
{
    char text[32];

    snprintf(text, sizeof(text), "%.4g", value);
    return strtod(text, NULL);
}

static bool judge(const struct application *row)
{
    double size = fabs(application_deviation(row));

    printf("%-16s %-24s %4u: published %8.4g, model %8.4g, %+4.0f %%\n", row->job, row->device,
           row->size, row->published, row->modelled, application_deviation(row));
    fflush(stdout);
    if (size > NAMED && !*row->why)
        fprintf(stderr, "%s on %s: off by %.1f %%, and no cause is named\n", row->job, row->device,
                size);
    return !isnan(size) && (size <= NAMED || *row->why);
}

static bool measure_all(const struct run_folders *folders, enum driver driver, const char *page,
                        const char *word)
{
    bool good = true;

    for (size_t i = 0; i < ROWS; i++) {
        struct application *row = &rows[i];

        row->modelled = is_wanted(row, driver, word)
                            ? rounded(run_job(folders, host_job_find(row->job), row->model,
                                              row->changes, row->lanes, row->size))
                            : value_of_page(row, page);
        good &= judge(row);
    }
    return good;
}

/* Whether the page is what would be made; the made one is shown if not. */
static bool check(const char *page)
{
    char *made = calloc(1, PAGE_BYTES);
    FILE *out = made ? fmemopen(made, PAGE_BYTES, "w") : NULL;

    if (!out)
        exit(1);
    applications_page(out, rows, ROWS);
    fclose(out);
    bool is_equal = page && strcmp(page, made) == 0;
    if (!is_equal)
        fprintf(stderr, "the page is not what would be made (ninja applications):\n%s", made);
    free(made);
    return is_equal;
}

static bool write_page(const char *path)
{
    FILE *out = fopen(path, "w");

    if (!out)
        return false;
    applications_page(out, rows, ROWS);
    return fclose(out) == 0;
}

int main(int argc, char **argv)
{
    bool writes = argc > 1 && strcmp(argv[1], "write") == 0;

    if (argc < 6 || argc > 7 || (!writes && strcmp(argv[1], "check") != 0)) {
        fprintf(stderr,
                "usage: applications write|check debian-12|current JOBS DEVICES PAGE [WORD]\n");
        return 2;
    }
    const struct run_folders folders = {.jobs = argv[3], .devices = argv[4]};
    enum driver driver = strcmp(argv[2], "current") == 0 ? CURRENT : DEBIAN_12;
    char *page = process_read_file(argv[5]);
    bool good = measure_all(&folders, driver, page, argc == 7 ? argv[6] : NULL);
    bool done = writes ? write_page(argv[5]) : check(page);

    free(page);
    return good && done ? 0 : 1;
}
