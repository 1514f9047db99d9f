/* One call of the driver fails, at any point of a run: of two configurations at most one is lost,
 * and every row that is ok holds the truth and knows its clock or says that it does not. Points are
 * drawn anew each time, the earlier ones the more densely; `test-simulated-failures VEBENCH LIBRARY
 * COUNT SEED` repeats a run. */
#include "csv-file.h"
#include "planted.h"
#include "process.h"
#include "simulated-run.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define OUT       "simulated-failures.out"
#define ERR       "simulated-failures.err"
#define ROWS      "simulated-failures.csv"
#define MARK      "simulated-failures.mark"

#define COUNT     8u /* points drawn by default */
#define LAST_CALL 40000.0
#define VARIANTS  9u
#define MHZ       2400.0

static unsigned failures, ok, is_true, lost;
static char point[120]; /* that is tried, for messages */

static void expect(bool so, const char *what)
{
    if (so)
        return;
    failures++;
    printf("NOT SO: %s: %s\n", point, what);
}

static double number(const struct csv_file *csv, size_t row, const char *column)
{
    const char *text = csv_file_field(csv, row, column);

    return text && text[0] ? strtod(text, NULL) : NAN;
}

static double truth(const struct csv_file *csv, size_t row)
{
    const char *variant = csv_file_field(csv, row, "variant");
    unsigned threads = (unsigned)number(csv, row, "workgroup_size") / 16;
    char entry_point[80];

    snprintf(entry_point, sizeof(entry_point), "barrier_%s", variant);
    double cycles = planted_barrier_cycles(entry_point, threads);
    if (strcmp(variant, "none") != 0)
        cycles -= planted_barrier_cycles("barrier_none", threads);
    return cycles * 1e3 / MHZ;
}

static void look_at_row(const struct csv_file *csv, size_t row, const char *call)
{
    const char *status = csv_file_field(csv, row, "status");
    const char *reason = csv_file_field(csv, row, "reason");
    double mhz = number(csv, row, "clock_mhz"), true_ns = truth(csv, row);

    if (!strcmp(status, "ok")) {
        ok++;
        is_true +=
            number(csv, row, "ci95_lo_ns") <= true_ns && true_ns <= number(csv, row, "ci95_hi_ns");
        expect(isnan(mhz) ? strstr(reason, "clock is not known") != NULL
                          : fabs(mhz / MHZ - 1.0) <= 0.02,
               "the clock of an ok row is off");
    } else {
        lost++;
        /* What waits for a kernel names what it waits for. */
        expect(strstr(reason, call) || strstr(reason, "no warm-up") || strstr(reason, "waiting"),
               reason);
    }
}

static void look_at_rows(const char *call)
{
    struct csv_file csv;
    unsigned before = lost;
    bool loaded = csv_file_load(&csv, ROWS) == 0;

    expect(loaded && csv.row_count == 2 * VARIANTS, "there are other rows");
    for (size_t row = 0; loaded && row < csv.row_count; row++)
        look_at_row(&csv, row, call);
    expect(lost - before <= VARIANTS, "a failure cost more than one configuration");
    printf("%s, %s: %u rows lost\n", point, call, lost - before);
    csv_file_free(&csv);
}

static void try_point(const char *vebench, const char *library, double at)
{
    char settings[200];
    const struct simulated_run run = {.library = library, .settings = settings};
    const char *const arguments[] = {vebench,
                                     "run",
                                     "barrier",
                                     "--axis",
                                     "subgroup_size=16",
                                     "--axis",
                                     "workgroup_size=64,128",
                                     "--axis",
                                     "workgroup_count=1",
                                     "--force",
                                     "--output",
                                     ROWS,
                                     NULL};

    snprintf(settings, sizeof(settings),
             "idle_mhz=1200 ramp_ms=2 fail_call=any fail_count=%.0f fail_mark=" MARK, at);
    snprintf(point, sizeof(point), "call %.0f", at);
    unlink(MARK);
    unlink(ROWS);
    int status = simulated_run(&run, (char *const *)arguments, OUT, ERR);
    char *call = process_read_file(MARK);
    expect(status == 0 || status == 1, "vebench ended otherwise than by its rows");
    /* A device that could not be opened even once has no rows, but says why. */
    if (status == 1 && call && access(ROWS, F_OK) != 0)
        expect(process_file_says(ERR, call), "the message does not say which call failed");
    else
        look_at_rows(call ? call : "no call");
    free(call);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    unsigned count = argc > 3 ? (unsigned)atoi(argv[3]) : COUNT;
    unsigned seed = argc > 4 ? (unsigned)atoi(argv[4]) : (unsigned)time(NULL);

    printf("seed %u\n", seed);
    srand(seed);
    for (unsigned i = 0; i < count; i++)
        try_point(argv[1], argv[2], floor(pow(LAST_CALL, (double)rand() / RAND_MAX)));
    printf("%u rows lost, %u of %u ok rows hold the truth\n", lost, is_true, ok);
    expect(is_true >= 0.93 * ok, "too few rows are true");
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
