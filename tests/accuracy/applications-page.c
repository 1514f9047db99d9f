#include "applications.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 128 };

static const char introduction[] =
    "# Whole kernels against hardware\n\n"
    "For those who ask how far an emulated time of their own kernel may be from a GPU's. "
    "[accuracy.md](accuracy.md) tests one mechanism of the clock at a time, with instructions "
    "written for it. This page compares whole kernels in OpenCL C (`tests/accuracy`), compiled by "
    "Intel's compiler and measured by `vebench kernel`, with the rates that others published of "
    "kernels that do the same. The host checks what a launch computes. The kernels are ours: data "
    "and arithmetic are those of the published programs, the code is not.\n\n"
    "A launch finds none of its data in the caches. A small second launch follows, with which the "
    "measured time ends. The time does not include writing back what the caches still hold at the "
    "end, less what they had to write back first: at most 18 of the 80 MB that a lattice with "
    "16-bit populations moves.\n\n"
    "`ninja -C build applications` makes this page, and `applications-current` makes the rows of "
    "the current driver, in minutes each; a test measures one row anew. A row is *taken* if a "
    "figure of the device's description was taken from the same published rate, *sibling* if one "
    "was taken from the same experiment with another card or loop, and *free* otherwise.\n\n";

static const struct {
    const char *word, *title, *text;
} jobs[] = {
    {"lattice", "Lattice Boltzmann",
     "A launch is one step of D3Q19, in place, in a periodic box of 1048576 cells, with one "
     "work-item per cell and work-groups of 64 (`lattice.cl`). A cell moves 153 bytes if "
     "populations have 32 bits (`fp32`). It moves 77 bytes if populations are halves (`fp16s`), "
     "or have 16 bits with a 4-bit exponent, which integer operations convert (`fp16c`). Our "
     "conversions take about a fifth fewer operations than the published ones, so where they "
     "limit the rate, the model should be faster.\n\n"
     "`memory_turnaround`, the time in which the bus turns from reading to writing, was "
     "determined from the `fp32` rates, with loads and stores without arithmetic.\n\n"},
    {"stream", "STREAM",
     "Four floats per work-item, work-groups of 256, arrays of 64 MB (`stream.cl`). The rates "
     "count bytes read and written. How much the published kernels load at once is not known.\n\n"},
    {"intensity", "Multiply-adds for each word read",
     "After mixbench: each of 8388608 words of 32 bits is read, and multiplied with itself as "
     "often as the table says, in eight chains per work-item (`intensity.cl`). The published "
     "program, in SYCL, reads four times as many words.\n\n"},
    {"chains", "Chains of multiply-adds",
     "After OpenCL-Benchmark: two values feed each other, with two multiply-adds in each of the "
     "turns that the table counts (`chains.cl`). There are a million work-items in work-groups of "
     "64; the published program has 16 million.\n\n"},
    {"words", "Words in rows and by lines",
     "After OpenCL-Benchmark: a work-item reads or writes 16 words (`words.cl`). Each lies beside "
     "that of the previous work-item, or (`lines`) all 16 lie in a line of their own. The buffer "
     "has 256 MB, that of the published program 1024.\n\n"},
    {"product", "Matrix products",
     "Square matrices of floats, or of halves whose sums are halves too, without the systolic "
     "units (`products.cl`). Each published rate is of another library's kernel; ours is one for "
     "all, with a sub-group for 16 rows. So a row says as much about the two kernels as about the "
     "clock.\n\n"},
    {"matrix-vector", "A matrix and a vector",
     "4096 rows of floats, each read once, with one sub-group per row (`products.cl`). The table "
     "has the elements of a row.\n\n"},
};

enum { JOBS = sizeof(jobs) / sizeof(*jobs) };

double application_deviation(const struct application *row)
{
    return (row->modelled / row->published - 1) * 100;
}

void application_line(char *line, size_t bytes, const struct application *row)
{
    snprintf(line, bytes, "| %s | %s | %u | %u | %.4g %s (%s) | ", row->job, row->device,
             row->lanes, row->size, row->published, host_job_find(row->job)->unit, row->source);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The sizes of the deviations of the free rows whose jobs begin so, ascending. */
static size_t free_errors(double *errors, const struct application *rows, size_t count,
                          const char *word)
{
    size_t found = 0;

    for (size_t i = 0; i < count && found < ROWS_MAX; i++)
        if (rows[i].relation == FREE && strncmp(rows[i].job, word, strlen(word)) == 0)
            errors[found++] = fabs(application_deviation(&rows[i]));
    qsort(errors, found, sizeof(*errors), ascending);
    return found;
}

static double median(const double *sorted, size_t count)
{
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static double mean(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static void put_summary(FILE *out, const struct application *rows, size_t count)
{
    double errors[ROWS_MAX];
    size_t free_rows = free_errors(errors, rows, count, "");

    fprintf(
        out,
        "Over the %zu free rows the mean absolute error is **%.0f %%**, the median %.0f %%, the "
        "worst %.0f %%.\n\n",
        free_rows, mean(errors, free_rows), median(errors, free_rows), errors[free_rows - 1]);
    fprintf(out, "| kernel | free rows | median | worst |\n|---|---|---|---|\n");
    for (size_t job = 0; job < JOBS; job++) {
        free_rows = free_errors(errors, rows, count, jobs[job].word);
        fprintf(out, "| %s | %zu | %.0f %% | %.0f %% |\n", jobs[job].title, free_rows,
                median(errors, free_rows), errors[free_rows - 1]);
    }
    fprintf(out, "\n");
}

static void put_job(FILE *out, const struct application *rows, size_t count, size_t job)
{
    static const char *const relations[] = {"taken", "sibling", "free"};
    const char *size = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct application *row = &rows[i];
        char line[1024];

        if (strncmp(row->job, jobs[job].word, strlen(jobs[job].word)) != 0)
            continue;
        if (!size) {
            size = host_job_find(row->job)->size;
            fprintf(out,
                    "## %s\n\n%s| job | device | lanes | %s | published | model | deviation | "
                    "relation | "
                    "likely cause |\n|---|---|---|---|---|---|---|---|---|\n",
                    jobs[job].title, jobs[job].text, size);
        }
        application_line(line, sizeof(line), row);
        fprintf(out, "%s%.4g | %+.0f %% | %s | %s |\n", line, row->modelled,
                application_deviation(row), relations[row->relation], row->why);
    }
    fprintf(out, "\n");
}

static const char missing[] =
    "## What is not here\n\n"
    "- Lattices on UHD 770 and Max 1100, which have caches of 30 and 204 MB: a lattice several "
    "times as large takes minutes a launch. Of the size above, the UHD 770's cache holds most, "
    "and the model is 45 % too fast (`fp16s`).\n"
    "- Chains of words by OpenCL-Benchmark: on a B580 and a Max 1100 they run above the peak of "
    "words, so the compiler has left out some of what is counted.\n"
    "- Other cards of the same source (A580, B570, Pro A40, B50, B60, B70; B390, Iris Xe MAX).\n"
    "- The sub-group size of the published kernels: their compilers chose it. Chains run at 32 "
    "lanes on devices with registers of 64 bytes, because 16 lanes reach at most half of the rate "
    "of halves.\n";

void applications_page(FILE *out, const struct application *rows, size_t count)
{
    fputs(introduction, out);
    put_summary(out, rows, count);
    for (size_t job = 0; job < JOBS; job++)
        put_job(out, rows, count, job);
    fputs(missing, out);
}
