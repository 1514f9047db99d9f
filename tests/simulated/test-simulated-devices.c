/* Tiles, cards and conditions of simulated GPUs are told apart: each row says what it ran on, and
 * has that one's clock, memory and Xe-cores. System management tells the clock, of which the wrong
 * tile's would be an idle one. */
#include "csv-file.h"
#include "process.h"
#include "simulated-run.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT   "simulated-devices.out"
#define ERR   "simulated-devices.err"
#define ROWS  "simulated-devices.csv"

#define TILES "tiles=2 has_counter=0 idle_mhz=600 ramp_ms=1"

static const struct scenario {
    const char *text, *settings, *environment[2], *device;
    const char *refused;         /* what the refusal says; NULL: there are rows */
    const char *says[2];         /* in column environment */
    double mhz, gb_per_s, cores; /* NaN: the row must not claim any */
    const char *kind;            /* NULL: of no interest */
} scenarios[] = {
    {"one GPU", "", {NULL}, "0", NULL, {"engine_group=0/1 ecc=off"}, 2400, 100, 2},
    {"ECC, a power limit, throttling, four engines",
     "ecc=1 power_limit_w=190 throttle_reasons=9 engines=4",
     {NULL},
     "0",
     NULL,
     {"engine_group=0/4 ecc=on power_limit=190W throttled=average_power,heat"},
     2400,
     100,
     2},
    {"in WSL2, where nothing but the counter tells the clock",
     "wsl=1 has_sysman=0 has_correlation=0",
     {NULL},
     "0",
     NULL,
     {"engine_group=0/1"},
     2400,
     100,
     2,
     "hardware"},
    {"two tiles, FLAT: an address is not enough",
     TILES,
     {NULL},
     "03:00.0",
     "tile 1",
     {NULL},
     0,
     0,
     0},
    {"FLAT, by default", TILES, {NULL}, "0", NULL, {"tile=0"}, 2400, 100, 2},
    {"FLAT, by default, the second", TILES, {NULL}, "1", NULL, {"tile=1"}, 2400, 100, 2},
    {"FLAT, as asked for",
     TILES,
     {"ZE_FLAT_DEVICE_HIERARCHY=FLAT"},
     "1",
     NULL,
     {"ZE_FLAT_DEVICE_HIERARCHY=FLAT", "tile=1"},
     2400,
     100,
     2},
    {"COMBINED",
     TILES,
     {"ZE_FLAT_DEVICE_HIERARCHY=COMBINED"},
     "1",
     NULL,
     {"ZE_FLAT_DEVICE_HIERARCHY=COMBINED", "tile=1"},
     2400,
     100,
     2},
    {"COMPOSITE: implicit scaling",
     TILES,
     {"ZE_FLAT_DEVICE_HIERARCHY=COMPOSITE"},
     "0",
     NULL,
     {"ZE_FLAT_DEVICE_HIERARCHY=COMPOSITE", "implicit_scaling=2"},
     2400,
     200,
     4},
    {"FLAT, one tile left by a mask",
     TILES,
     {"ZE_AFFINITY_MASK=1"},
     "0",
     NULL,
     {"ZE_AFFINITY_MASK=1", "tile=1"},
     2400,
     100,
     2},
    {"COMPOSITE, one tile left by a mask",
     TILES,
     {"ZE_FLAT_DEVICE_HIERARCHY=COMPOSITE", "ZE_AFFINITY_MASK=0.1"},
     "0",
     NULL,
     {"ZE_AFFINITY_MASK=0.1", "tile=1"},
     2400,
     100,
     2},
    {"the same, and a driver that does not say which",
     TILES " has_by_uuid=0",
     {"ZE_AFFINITY_MASK=1"},
     "0",
     NULL,
     {"tile=unknown"},
     NAN,
     NAN,
     2},
};

static unsigned failures;

static void expect(bool so, const struct scenario *s, const char *what)
{
    if (so)
        return;
    failures++;
    printf("NOT SO: %s: %s\n", s->text, what);
}

static bool is_number(const struct csv_file *csv, size_t row, const char *column, double wanted)
{
    const char *text = csv_file_field(csv, row, column);
    double value = text && text[0] ? strtod(text, NULL) : NAN;

    return isnan(wanted) ? isnan(value) : fabs(value / wanted - 1.0) < 0.02;
}

static void look_at_rows(const struct scenario *s)
{
    struct csv_file csv;
    bool loaded = csv_file_load(&csv, ROWS) == 0 && csv.row_count > 0;

    expect(loaded, s, "there are no rows");
    for (size_t row = 0; loaded && row < csv.row_count; row++) {
        const char *environment = csv_file_field(&csv, row, "environment");

        expect(!strcmp(csv_file_field(&csv, row, "status"), "ok"), s, "a row is not ok");
        for (unsigned i = 0; i < 2 && s->says[i]; i++)
            expect(strstr(environment, s->says[i]), s, environment);
        expect(!s->kind || !strcmp(csv_file_field(&csv, row, "device_kind"), s->kind), s,
               "another kind of device");
        expect(is_number(&csv, row, "clock_mhz", s->mhz), s, "another clock");
        expect(is_number(&csv, row, "peak_gb_per_s", s->gb_per_s), s, "another memory");
        expect(is_number(&csv, row, "xe_cores", s->cores), s, "other Xe-cores");
    }
    csv_file_free(&csv);
}

static void run_on_device(const struct scenario *s, const char *vebench, const char *library)
{
    const char *const environment[] = {s->environment[0], s->environment[1], NULL};
    const struct simulated_run run = {
        .library = library, .settings = s->settings, .environment = environment};
    const char *const arguments[] = {vebench,
                                     "run",
                                     "barrier",
                                     "--variant",
                                     "none",
                                     "--axis",
                                     "subgroup_size=16",
                                     "--axis",
                                     "workgroup_size=64",
                                     "--axis",
                                     "workgroup_count=1",
                                     "--device",
                                     s->device,
                                     "--force",
                                     "--output",
                                     ROWS,
                                     NULL};
    int status = simulated_run(&run, (char *const *)arguments, OUT, ERR);

    expect((status == 0) == !s->refused, s, "the exit status is another");
    if (s->refused)
        expect(process_file_says(ERR, s->refused), s, "the refusal says something else");
    else
        look_at_rows(s);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
        run_on_device(&scenarios[i], argv[1], argv[2]);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
