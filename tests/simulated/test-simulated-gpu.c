/* vebench, unmodified, on simulated GPUs whose costs and clocks are planted: rows that are ok hold
 * the truth and know their clock, whatever the governor does. With an argument `whole`, every
 * disturbance with six seeds and every governor of the grid, as in docs/reliability.md; else one
 * seed each and some of the grid, drawn anew. A further argument is the seed to begin with. */
#include "csv-file.h"
#include "planted.h"
#include "process.h"
#include "simulated-run.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SEEDS_WHOLE 6u
#define GRID_DRAWN  2u

/* Of all ok rows, and the clock of each. */
#define LEAST_TRUE 0.93
#define MOST_OFF   0.02
#define OK_ROWS    0.5

enum family { BARRIER, WIDE, LAUNCH };

struct scenario {
    const char *text, *settings;
    enum family family;
    double mhz;         /* that the work ran at; 0: the row must not claim any */
    double least_ok;    /* part of the rows; 0: none may be ok; negative: any may */
    const char *reason; /* that every row has, its numbers to MOST_OFF; NULL: of no interest */
    double real_mhz;    /* that the work ran at, if the row must not claim it; 0: 2400 */
    double other_mhz;   /* that it may have run at as well; 0: none */
    bool sinks;         /* from one to the other: any cost between is true */
    unsigned seed;      /* 0: as drawn */
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
    /* Trials of a spin of 1 ms that sink by as much as they differ: no such spin is enough. */
    {"quarter clock, ramp 300 ms, trials that sink", "idle_mhz=600 ramp_ms=300 decay_ms=50",
     BARRIER, 2400, 0.5, NULL, .seed = 67430},
    {"quarter clock, ramp 100 ms, trials that sink",
     "idle_mhz=600 ramp_ms=100 decay_ms=50 rc6_ms=1", BARRIER, 2400, 0.5, NULL, .seed = 61913},
    {"quarter clock, ramp 300 ms, sysman", "idle_mhz=600 ramp_ms=300 decay_ms=50 has_counter=0",
     BARRIER, 2400, 0.5, NULL},
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
    {"15 % less in the kernel, not in the spin", "heavy_loss=0.15", BARRIER, 2040, 1.0,
     "the clock is 2040 MHz in the kernel and 2400 MHz in the spins beside it"},
    {"the same, counter alone", "heavy_loss=0.15 has_sysman=0", BARRIER, 2040, 1.0, NULL},
    {"the same, kernels do not count", "heavy_loss=0.15 counts_in_kernels=0", BARRIER, 0, 1.0,
     "the clock is not known: 2400 MHz by counting cycles beside the kernel, 2040 MHz", 2040},
    {"the same in one kernel of nine, counter alone",
     "heavy_loss=0.15 has_sysman=0 heavy_kernel=barrier_work_group_both", BARRIER, 2400, 0.8, NULL},
    {"the same, clock from sysman", "heavy_loss=0.15 has_counter=0", BARRIER, 2040, 1.0, NULL},
    {"the same within 2 ms, counter alone", "heavy_loss=0.15 heavy_ms=2 has_sysman=0", BARRIER,
     2400, -1, NULL, .other_mhz = 2340, .sinks = true},
    {"20 % less for good after 2 s of work, within 0.2 s",
     "hot_loss=0.2 hot_ms=2000 hot_tau_ms=200", BARRIER, 1920, 0.5, NULL, .other_mhz = 2400},
    {"5 % less in every other launch, by chance", "flip_loss=0.05", BARRIER, 2400, -1, NULL,
     .other_mhz = 2280},
    {"2 % less in every other launch, by chance", "flip_loss=0.02", BARRIER, 2400, -1, NULL,
     .other_mhz = 2352},
    {"counter 10 % too fast", "counter_error=0.1", BARRIER, 0, 1.0,
     "the clock is not known: 2640 MHz by counting cycles in the kernel, 2400 MHz"},
    {"sysman answers in 200 us, no counter", "sysman_us=200 has_counter=0", BARRIER, 2400, -1,
     NULL},
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

static bool is_near(double mhz, double wanted)
{
    return wanted > 0.0 && fabs(mhz / wanted - 1.0) <= MOST_OFF;
}

/* The clock that the row ran at, as planted; of two possible ones, the one that it names. */
static double real_clock(const struct scenario *s, double claimed)
{
    if (s->other_mhz > 0.0 && !is_near(claimed, s->mhz) && is_near(claimed, s->other_mhz))
        return s->other_mhz;
    return s->mhz > 0.0 ? s->mhz : s->real_mhz > 0.0 ? s->real_mhz : 2400.0;
}

/* Does the text begin with what is expected? Its numbers have to be near. */
static bool begins_with(const char *text, const char *expected)
{
    while (*expected) {
        if (isdigit((unsigned char)*expected) && isdigit((unsigned char)*text)) {
            double wanted = strtod(expected, (char **)&expected);

            if (!is_near(strtod(text, (char **)&text), wanted))
                return false;
        } else if (*text++ != *expected++) {
            return false;
        }
    }
    return true;
}

static bool says(const char *text, const char *expected)
{
    for (; *text; text++)
        if (begins_with(text, expected))
            return true;
    return false;
}

static void look_at(const struct csv_file *csv, const struct scenario *s, struct counts *counts)
{
    for (size_t row = 0; row < csv->row_count; row++) {
        double mhz = number(csv, row, "clock_mhz"), real = real_clock(s, mhz);
        double true_ns = truth(csv, row, real);
        bool ok = !strcmp(csv_file_field(csv, row, "status"), "ok");

        expect(!s->reason || says(csv_file_field(csv, row, "reason"), s->reason), s,
               "a row does not say why");
        if (isnan(true_ns))
            continue;
        counts->rows++;
        if (!ok)
            continue;
        counts->ok++;
        counts->is_true +=
            number(csv, row, "ci95_lo_ns") <=
                (s->sinks ? truth(csv, row, s->other_mhz) : true_ns) &&
            (s->sinks ? truth(csv, row, s->mhz) : true_ns) <= number(csv, row, "ci95_hi_ns");
        if (s->mhz > 0.0)
            counts->clock_error = fmax(counts->clock_error, fabs(mhz / real - 1.0));
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
    const struct simulated_run simulated = {
        .library = simulated_gpu, .settings = s->settings, .seed = s->seed ? s->seed : seed};
    const char *const *axis = axes[s->family];
    const char *const arguments[] = {
        vebench,  "run",   axis[0],   "--axis",   "subgroup_size=16", "--axis", axis[1],
        "--axis", axis[2], "--force", "--output", "simulated.csv",    NULL};
    struct csv_file csv;

    int status =
        simulated_run(&simulated, (char *const *)arguments, "simulated.out", "simulated.err");
    if (status != 0 && status != 1)
        process_show_file("simulated.err");
    expect(status == 0 || status == 1, s, "vebench ended otherwise than by its rows");
    bool loaded = csv_file_load(&csv, "simulated.csv") == 0;
    expect(loaded, s, "there are no rows");
    if (loaded)
        look_at(&csv, s, counts);
    csv_file_free(&csv);
}

static unsigned all_ok, all_true;

static void put(const struct scenario *s, const struct counts *c)
{
    printf("| %s | %u | %u | %u | %u | ", s->text, c->rows, c->ok, c->is_true, c->rows - c->ok);
    if (s->mhz > 0.0 && c->ok)
        printf("%.2f %% |\n", 100.0 * c->clock_error);
    else
        printf("no clock |\n");
    fflush(stdout);
}

static void judge(const struct scenario *s, const struct counts *c)
{
    all_ok += c->ok;
    all_true += c->is_true;
    expect(c->ok >= s->least_ok * c->rows && (s->least_ok != 0.0 || c->ok == 0), s,
           "another part of the rows is ok");
    expect(c->clock_error <= MOST_OFF, s, "the clock of an ok row is off");
}

/* Quarter clocks with each ramp, way down, source of the clock and with or without RC6: half of the
 * rows are ok with any of them. */
static void try_grid(bool whole, unsigned seed)
{
    static const unsigned ramps[] = {1, 5, 20, 50, 100, 300}, decays[] = {1, 50};
    const unsigned ramp_count = sizeof(ramps) / sizeof(ramps[0]), count = ramp_count * 8;
    struct counts sum = {0};
    char text[200], settings[160];
    struct scenario s = {text, settings, BARRIER, 2400, OK_ROWS, NULL, 0, 0};

    srand(seed);
    for (unsigned i = 0; i < (whole ? count : GRID_DRAWN); i++) {
        unsigned at = whole ? i : (unsigned)rand() % count, rest = at / ramp_count;
        struct counts c = {0};

        snprintf(settings, sizeof(settings), "idle_mhz=600 ramp_ms=%u decay_ms=%u%s%s",
                 ramps[at % ramp_count], decays[rest % 2], rest / 2 % 2 ? " has_counter=0" : "",
                 rest / 4 ? " rc6_ms=1" : "");
        snprintf(text, sizeof(text), "grid: %s", settings);
        run(&s, seed, &c);
        judge(&s, &c);
        sum.rows += c.rows;
        sum.ok += c.ok;
        sum.is_true += c.is_true;
        sum.clock_error = fmax(sum.clock_error, c.clock_error);
    }
    snprintf(text, sizeof(text), "quarter clock, %u of %u governors", whole ? count : GRID_DRAWN,
             count);
    put(&s, &sum);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    vebench = argv[1];
    simulated_gpu = argv[2];
    bool whole = argc > 3 && !strcmp(argv[3], "whole");
    unsigned first = argc > 4 ? (unsigned)atoi(argv[4]) : whole ? 1 : (unsigned)time(NULL) % 100000;
    printf("seed %u\n", first);
    printf("| planted | rows | ok | ok and true | unreliable | clock off by at most |\n"
           "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        const struct scenario *s = &scenarios[i];
        struct counts c = {0};

        for (unsigned seed = first; seed < first + (whole ? SEEDS_WHOLE : 1); seed++)
            run(s, seed, &c);
        put(s, &c);
        judge(s, &c);
    }
    try_grid(whole, first);
    printf("%u of %u ok rows hold the truth\n", all_true, all_ok);
    if (all_true < LEAST_TRUE * all_ok)
        failures++;
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
