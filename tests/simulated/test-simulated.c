/* vebench, unmodified, on simulated GPUs whose costs and clocks are planted: rows that are ok hold
 * the truth and know their clock, whatever the governor does. With an argument `whole`, every
 * disturbance with every seed, as in docs/reliability.md; else one seed each. */
#include "csv-file.h"
#include "planted.h"
#include "process.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS_WHOLE 6u

/* Of all ok rows, and the clock of each. */
#define LEAST_TRUE 0.93
#define MOST_OFF   0.02
#define OK_ROWS    0.5

enum family { BARRIER, WIDE, LAUNCH };

struct scenario {
    const char *text, *settings;
    enum family family;
    double mhz;         /* that the work ran at; 0: the row must not claim any */
    double least_ok;    /* part of the rows */
    const char *reason; /* that every row has; NULL: of no interest */
};

static const struct scenario scenarios[] = {
    {"nothing", "", BARRIER, 2400, 1.0, NULL},
    {"timestamps of 64 bits", "timer_bits=64", BARRIER, 2400, 1.0, NULL},
    {"0.3 % of noise", "noise=0.003", BARRIER, 2400, 0.9, NULL},
    {"1 % of noise", "noise=0.01", BARRIER, 2400, 0.5, NULL},
    {"1 % of kernels 500 us late", "late_rate=0.01 late_us=500 noise=0.001", BARRIER, 2400, 0.9,
     NULL},
    {"2 % of kernels share the engine for 2 ms", "shared_rate=0.02 shared_us=2000", BARRIER, 2400,
     0.9, NULL},
    {"quarter clock, ramp 5 ms", "idle_mhz=600 ramp_ms=5 decay_ms=1", BARRIER, 2400, 0.5, NULL},
    {"half clock, ramp 5 ms", "idle_mhz=1200 ramp_ms=5 decay_ms=1", BARRIER, 2400, 0.5, NULL},
    {"quarter clock, ramp 50 ms", "idle_mhz=600 ramp_ms=50 decay_ms=5", BARRIER, 2400, 0.5, NULL},
    {"quarter clock, ramp 300 ms", "idle_mhz=600 ramp_ms=300 decay_ms=50", BARRIER, 2400, 0.5,
     NULL},
    {"the same, down in 1 ms", "idle_mhz=600 ramp_ms=300 decay_ms=1", BARRIER, 2400, 0.5, NULL},
    {"quarter clock, ramp 1 ms, clock from sysman", "idle_mhz=600 ramp_ms=1 has_counter=0", BARRIER,
     2400, 0.5, NULL},
    {"quarter clock, ramp 50 ms, sysman, RC6",
     "idle_mhz=600 ramp_ms=50 decay_ms=1 rc6_ms=1 has_counter=0", BARRIER, 2400, 0.5, NULL},
    {"half clock, ramp 5 ms, no spin builds",
     "idle_mhz=1200 ramp_ms=5 decay_ms=1 fail_module=spin*", BARRIER, 0, 0.0, "no warm-up"},
    {"no counter, no sysman", "idle_mhz=600 ramp_ms=5 has_counter=0 has_sysman=0", BARRIER, 0, 1.0,
     "the clock is not known"},
    {"no counter, device's time unknown", "idle_mhz=600 ramp_ms=5 has_counter=0 has_correlation=0",
     BARRIER, 0, 1.0, "the clock is not known"},
    {"15 % less under wide load", "wide_loss=0.15", WIDE, 2040, 1.0,
     "under this load the clock is"},
    {"15 % less under wide load, within 2 ms", "wide_loss=0.15 wide_ms=2", WIDE, 2040, 0.5, NULL},
    {"15 % less under wide load, sysman", "wide_loss=0.15 has_counter=0", WIDE, 2040, 1.0, NULL},
    {"empty kernel, quarter clock, ramp 5 ms", "idle_mhz=600 ramp_ms=5 decay_ms=1", LAUNCH, 2400,
     0.5, NULL},
};

static const char *vebench, *simulated_gpu;
static unsigned failures;

struct counts {
    unsigned rows, ok, is_true;
    double clock_error; /* the largest of an ok row */
};

static double number(const struct csv_file *csv, size_t row, const char *column)
{
    const char *text = csv_file_field(csv, row, column);

    return text && text[0] ? strtod(text, NULL) : NAN;
}

/* What the row's value is at that clock, in ns; NaN where nothing is planted. */
static double truth(const struct csv_file *csv, size_t row, double mhz)
{
    const char *variant = csv_file_field(csv, row, "variant");
    unsigned threads = (unsigned)number(csv, row, "workgroup_size") / 16;
    char entry_point[80];

    if (!strcmp(csv_file_field(csv, row, "benchmark"), "launch"))
        return !strcmp(variant, "dispatch") ? PLANTED_GROUP_CYCLES * 1e3 / mhz
               : !strncmp(variant, "duration", strlen("duration")) ? 4800.0 * 1e3 / mhz
                                                                   : NAN;
    snprintf(entry_point, sizeof(entry_point), "barrier_%s", variant);
    double cycles = planted_barrier_cycles(entry_point, threads);
    if (strcmp(variant, "none") != 0)
        cycles -= planted_barrier_cycles("barrier_none", threads);
    return cycles * 1e3 / mhz;
}

static void expect(bool so, const struct scenario *scenario, const char *what)
{
    if (so)
        return;
    failures++;
    printf("NOT SO: %s: %s\n", scenario->text, what);
}

static void look_at(const struct csv_file *csv, const struct scenario *s, struct counts *counts)
{
    for (size_t row = 0; row < csv->row_count; row++) {
        double mhz = number(csv, row, "clock_mhz"), real = s->mhz > 0.0 ? s->mhz : 2400.0;
        double true_ns = truth(csv, row, real);
        bool ok = !strcmp(csv_file_field(csv, row, "status"), "ok");

        expect(!s->reason || strstr(csv_file_field(csv, row, "reason"), s->reason), s,
               "a row does not say why");
        if (isnan(true_ns))
            continue;
        counts->rows++;
        if (!ok)
            continue;
        counts->ok++;
        counts->is_true +=
            number(csv, row, "ci95_lo_ns") <= true_ns && true_ns <= number(csv, row, "ci95_hi_ns");
        if (s->mhz > 0.0)
            counts->clock_error = fmax(counts->clock_error, fabs(mhz / s->mhz - 1.0));
        expect(s->mhz > 0.0 ? mhz > 0.0 : isnan(mhz), s,
               "a clock where there is none, or none where there is one");
    }
}

static void run(const struct scenario *s, unsigned seed, struct counts *counts)
{
    static const char *const axes[][3] = {
        [BARRIER] = {"barrier", "workgroup_size=64", "workgroup_count=1"},
        [WIDE] = {"barrier", "workgroup_size=256", "workgroup_count=8"},
        [LAUNCH] = {"launch", "workgroup_size=16", "workgroup_count=1"},
    };
    char settings[400], preload[600], loader[600];
    const char *const environment[] = {settings, preload, loader, NULL};
    const char *const *axis = axes[s->family];
    const char *const arguments[] = {
        vebench,  "run",   axis[0],   "--axis",   "subgroup_size=16", "--axis", axis[1],
        "--axis", axis[2], "--force", "--output", "simulated.csv",    NULL};
    struct csv_file csv;

    snprintf(settings, sizeof(settings), "SIMULATED_GPU=%s seed=%u", s->settings, seed);
    snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", simulated_gpu);
    snprintf(loader, sizeof(loader), "VEBENCH_ZE_LOADER=%s", simulated_gpu);
    int status =
        process_run((char *const *)arguments, environment, "simulated.out", "simulated.err");
    if (status != 0 && status != 1)
        process_show_file("simulated.err");
    expect(status == 0 || status == 1, s, "vebench ended otherwise than by its rows");
    bool loaded = csv_file_load(&csv, "simulated.csv") == 0;
    expect(loaded, s, "there are no rows");
    if (loaded)
        look_at(&csv, s, counts);
    csv_file_free(&csv);
}

int main(int argc, char **argv)
{
    unsigned all_ok = 0, all_true = 0;

    if (argc < 3)
        return 2;
    vebench = argv[1];
    simulated_gpu = argv[2];
    bool whole = argc > 3 && !strcmp(argv[3], "whole");
    printf("| planted | rows | ok | ok and true | unreliable | clock off by at most |\n"
           "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        const struct scenario *s = &scenarios[i];
        struct counts c = {0};

        for (unsigned seed = 1; seed <= (whole ? SEEDS_WHOLE : 1); seed++)
            run(s, seed, &c);
        printf("| %s | %u | %u | %u | %u | ", s->text, c.rows, c.ok, c.is_true, c.rows - c.ok);
        if (s->mhz > 0.0 && c.ok)
            printf("%.2f %% |\n", 100.0 * c.clock_error);
        else
            printf("no clock |\n");
        all_ok += c.ok;
        all_true += c.is_true;
        expect(c.ok >= s->least_ok * c.rows && (s->least_ok > 0.0 || c.ok == 0), s,
               "another part of the rows is ok");
        expect(c.clock_error <= MOST_OFF, s, "the clock of an ok row is off");
        fflush(stdout);
    }
    printf("%u of %u ok rows hold the truth\n", all_true, all_ok);
    if (all_true < LEAST_TRUE * all_ok)
        failures++;
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
