/* vebench doctor --measure, and the short form that begins vebench bench, on simulated GPUs: each
 * planted disturbance is named in a line of its own, and nothing else is. */
#include "process.h"
#include "simulated-run.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 6
#define REPORT    "simulated-doctor.txt"
#define OUT       "simulated-doctor.out"
#define ERR       "simulated-doctor.err"

enum { GOOD = 0, DISTURBED = 3 };

static const char can[] = "This machine can be measured.\n";
static const char no_cycles[] = "This machine can be measured, in nanoseconds but not in cycles.\n";
static const char cannot[] = "This machine cannot be measured well";

static const struct scenario {
    const char *settings;
    int status;
    const char *verdict;
    const char *lines[LINES_MAX]; /* what the report says */
    bool short_too;               /* the short form finds it */
} scenarios[] = {
    {"",
     GOOD,
     can,
     {"ok     timer: within", "ok     clock: 2400 MHz, by counting cycles and",
      "ok     instructions: one of a chain takes 11 cycles",
      "ok     arithmetic: 584 GFLOP/s, 95 % of the peak of 614",
      "ok     memory: 80 GB/s, 80 % of the peak of 100", "ok     load: 12 s of it leave"},
     true},
    {"idle_mhz=600 ramp_ms=50 decay_ms=5 has_counter=0",
     GOOD,
     can,
     {"ok     governor: after a rest the clock is at 28 %, and needs 1",
      "ok     clock: 2400 MHz, by system management"}},
    {"idle_mhz=600 ramp_ms=600 decay_ms=50 has_correlation=0",
     GOOD,
     can,
     {"note   governor: after a rest the clock is at 25 %, and needs 2.",
      "note   timer: the driver does not give"}},
    {"noise=0.01", GOOD, can, {"note   launches: 240 of the same kernel differ by 1"}},
    {"idle_mhz=600 ramp_ms=5000 decay_ms=500",
     DISTURBED,
     cannot,
     {"wrong  governor: the clock is not steady", "wrong  launches: they change by"},
     true},
    {"timer_error=0.01 memory_share=0.1 arithmetic_share=0.2 device_name=Arc_A380",
     DISTURBED,
     cannot,
     {"wrong  timer: it goes +1 %", "wrong  memory: 10 GB/s, 10 % of the peak of 10",
      "wrong  arithmetic: 12", "wrong  published: Arc A380, y = a * y + b, Vulkan float: 12"},
     true},
    {"noise=0.05", DISTURBED, cannot, {"wrong  launches: they differ by"}},
    {"late_rate=0.2 late_us=50 late_spins=1",
     DISTURBED,
     cannot,
     {"wrong  launches: 17 % of them take over 5 % longer"}},
    {"shared_rate=0.05 shared_us=100",
     DISTURBED,
     cannot,
     {"wrong  launches: during 5 % of them another client had the engine"},
     true},
    {"hot_loss=0.2 hot_ms=9000 hot_tau_ms=500 throttle_reasons=9",
     DISTURBED,
     cannot,
     {"wrong  load: 12 s of it cost 20 % of the speed, limited by average power, heat",
      "sudo intel_gpu_frequency --custom max=1900"}},
    {"wide_loss=0.15 throttle_reasons=1",
     GOOD,
     can,
     {"note   load: with every thread busy the clock is 2040 MHz, with one 2400, limited by "
      "average "
      "power"}},
    {"has_counter=0 has_sysman=0",
     GOOD,
     no_cycles,
     {"note   clock: not known", "note   instructions: one of a chain takes 4.58 ns"}},
    {"counter_error=0.1",
     DISTURBED,
     cannot,
     {"wrong  clock: 2640 MHz by counting cycles, 2400 MHz by system management"},
     true},
    {"counter_error=0.1 has_sysman=0",
     DISTURBED,
     cannot,
     {"wrong  clock: 2640 MHz, above the device's limit of 2400"}},
    {"counter_error=-0.5 has_sysman=0",
     DISTURBED,
     cannot,
     {"wrong  instructions: one of a chain takes 5.5 cycles"}},
    {"fail_module=spin*",
     DISTURBED,
     cannot,
     {"wrong  warm-up: nothing can spin", "wrong  memory: unreliable: no warm-up"},
     true},
};

static const char *vebench, *simulated_gpu;
static unsigned failures;

static void expect(bool so, const struct scenario *s, const char *what, const char *text)
{
    if (so)
        return;
    failures++;
    printf("NOT SO: \"%s\": %s\n%s\n", s->settings, what, text ? text : "");
}

static int run_on(const struct scenario *s, char *const *arguments)
{
    const struct simulated_run run = {.library = simulated_gpu, .settings = s->settings};

    return simulated_run(&run, arguments, OUT, ERR);
}

static unsigned count(const char *text, const char *what)
{
    unsigned found = 0;

    for (const char *at = text; (at = strstr(at, what)); at++)
        found++;
    return found;
}

/* The whole: lines, verdict, exit status; the report has the same lines, and rows. */
static void try_whole(const struct scenario *s)
{
    char *const arguments[] = {(char *)vebench, "doctor",  "--measure", "--output",
                               REPORT,          "--force", NULL};
    char *const plausible[] = {(char *)vebench,      "report",  REPORT, "--output",
                               "simulated-doctor.d", "--force", NULL};
    int status = run_on(s, arguments);
    char *text = process_read_file(OUT), *report = process_read_file(REPORT);

    expect(status == s->status, s, "the exit status is another", text);
    expect(text && strstr(text, s->verdict), s, "the verdict is another", text);
    for (size_t i = 0; i < LINES_MAX && s->lines[i]; i++) {
        expect(text && strstr(text, s->lines[i]), s, s->lines[i], text);
        expect(report && strstr(report, s->lines[i]), s, "a line is not in the report", report);
    }
    expect(s->status != GOOD || count(text ? text : "", "\nwrong") == 0, s,
           "something else is wrong", text);
    expect(report && count(report, ",Simulated GPU,") + count(report, ",Arc A380,") == 4, s,
           "the report has other rows", NULL);
    expect(run_on(s, plausible) == 0, s, "the report is not read as results", report);
    free(report);
    free(text);
}

/* The line of bench. */
static void try_short(const struct scenario *s)
{
    char *const arguments[] = {
        (char *)vebench,     "bench",    "barrier",           "--preset", "quick", "--axis",
        "workgroup_size=64", "--output", "simulated-bench.d", NULL};
    char *const clean[] = {"/bin/rm", "-rf", "simulated-bench.d", NULL};

    process_run(clean, NULL, OUT, ERR);
    run_on(s, arguments);
    char *text = process_read_file(ERR);
    expect(text && count(text, "self-test: ") == 1, s, "bench has no line of the self-test", text);
    expect((text && strstr(text, "self-test: this machine can be measured; 2400 MHz")) ==
               (s->status == GOOD),
           s, "bench says otherwise", text);
    free(text);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    vebench = argv[1];
    simulated_gpu = argv[2];
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        try_whole(&scenarios[i]);
        if (scenarios[i].short_too)
            try_short(&scenarios[i]);
    }
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
