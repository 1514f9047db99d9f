/* How long `fit`, `check`, `compare` and `report` take for more and more rows: a line for each, and
 * the cost of four times the rows: 4 if growth is linear, a little more for n log n, 16 for n
 * squared. growth VEBENCH */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

#define VARIANTS 25 /* of a family; more rows mean more of each */

static const char header[] =
    "device_kind,device_name,device_uuid,driver_version,clock_mhz,benchmark,variant,"
    "subgroup_size,workgroup_size,workgroup_count,samples,ns_mean,ci95_lo_ns,ci95_hi_ns,value,"
    "unit,spill_bytes,verified,status,parameters,baseline,loop_ns,work_units,work_bytes,"
    "work_messages,work_lines,work_barriers,work_exchanges,work_flops,xe_cores,"
    "threads_per_xe_core\n";

struct results {
    FILE *file;
    size_t rows, most;
    size_t block;  /* of rows of all families */
    double change; /* of every seventh row */
};

/* A row of so many work-items. Its scatter is as large as in a run on hardware. */
static void add(struct results *r, const char *family, const char *variant, unsigned items,
                const char *parameters, const char *unit, double ns)
{
    double scattered = ns * (1.0 + 0.01 * sin((double)(r->rows * r->rows % 9973)));

    if (r->rows % 7 == 0)
        scattered += r->change;
    if (r->rows++ >= r->most)
        return;
    fprintf(
        r->file,
        "emulated,GPU,u,1,2000,%s,%s_%zu%s,16,%u,1,3,%g,%g,%g,%g,ns/%s,0,1,ok,set=%zu%s,none,%g,"
        "1,4096,4,16,,,,8,128\n",
        family, variant, r->block % VARIANTS, family[0] == 'a' ? "_add_u32" : "", items, scattered,
        0.99 * scattered, 1.01 * scattered, scattered, unit, r->block / VARIANTS, parameters,
        scattered);
}

/* Ladders, curves, bounds, staircases and constants. */
static void add_block(struct results *r)
{
    char place[64];

    for (unsigned n = 1; n <= 64; n *= 2) {
        add(r, "barrier", "work_group_local", 16 * n, "", "barrier", 20.0 + n);
        add(r, "exchange", "shuffle", 16 * n, "", "exchange", 3.0 + 0.5 * n);
    }
    for (unsigned set = 0; set < 4; set++) {
        snprintf(place, sizeof(place), " working_set=%zu stride=1",
                 (size_t)65536 + 64 * (4 * (r->block / VARIANTS) + set));
        for (unsigned n = 1; n <= 64; n *= 4)
            add(r, "memory_32", "load", 16 * n, place, "KiB", fmax(300.0 / n, 12.0));
    }
    for (unsigned stride = 1; stride <= 16; stride *= 2) {
        snprintf(place, sizeof(place), " stride=%u", stride);
        add(r, "slm", "load", 16, place, "access", fmax(20.0, 4.0 * stride));
        snprintf(place, sizeof(place), " sharers=%u", stride);
        add(r, "atomics", "global", 16, place, "atomic", fmax(20.0, 4.0 * stride));
    }
    for (size_t size = 1024; size <= (size_t)1 << 24; size *= 4) {
        snprintf(place, sizeof(place), " working_set=%zu stride=64", size);
        add(r, "latency", "global", 16, place, "load", size < 100000 ? 30.0 : 200.0);
    }
    add(r, "pipeline", "add", 16, "", "step", 4.0);
    r->block++;
}

static int write_results(const char *path, size_t rows, double change)
{
    struct results results = {.file = fopen(path, "w"), .most = rows, .change = change};

    if (!results.file)
        return -1;
    fputs(header, results.file);
    while (results.rows < rows)
        add_block(&results);
    return fclose(results.file);
}

/* One variant at three sub-group sizes in ever larger work-groups: what is compared with what in a
 * report is among all rows. */
static int write_barriers(const char *path, size_t rows)
{
    FILE *file = fopen(path, "w");

    if (!file)
        return -1;
    fputs(header, file);
    for (size_t i = 0; i < rows; i++)
        fprintf(file,
                "emulated,GPU,u,1,2000,barrier,work_group_local,%d,%zu,1,3,%zu,%zu,%zu,%zu,"
                "ns/barrier,0,1,ok,,none,100,1,,,,1,,,8,128\n",
                8 << i % 3, 64 * (1 + i / 3), 20 + i % 7, 19 + i % 7, 21 + i % 7, 20 + i % 7);
    return fclose(file);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds that a command takes, or -1 if it does not end as expected. */
static double time_command(char *const argv[], int expected)
{
    double start = now_s();

    if (process_run(argv, NULL, "growth.out", "growth.err") == expected)
        return now_s() - start;
    process_show_file("growth.err");
    return -1.0;
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {1562, 6250, 25000, 100000};
    char *vebench = argc > 1 ? argv[1] : NULL;
    char *commands[][8] = {
        {vebench, "fit", "growth-base.csv", "-o", "growth.json", NULL},
        {vebench, "check", "growth.json", "growth-base.csv", NULL},
        {vebench, "compare", "growth-base.csv", "growth-new.csv", NULL},
        {vebench, "report", "growth-barrier.csv", "-o", "growth-page", "--force", NULL},
    };
    const int ends[] = {0, 0, 3, 0}; /* of compare: something became slower */
    double before[4] = {0};

    if (!vebench) {
        fprintf(stderr, "usage: growth VEBENCH\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (write_results("growth-base.csv", sizes[i], 0.0) ||
            write_results("growth-new.csv", sizes[i], 5.0) ||
            write_barriers("growth-barrier.csv", sizes[i]))
            return 1;
        unlink("growth.json");
        for (size_t c = 0; c < 4; c++) {
            double took = time_command(commands[c], ends[c]);

            if (took < 0.0)
                return 1;
            printf("%-7s %6zu rows: %7.3f s, %6.2f us a row", commands[c][1], sizes[i], took,
                   took / (double)sizes[i] * 1e6);
            if (i > 0)
                printf(", %4.1f times as long for 4 times the rows", took / before[c]);
            putchar('\n');
            before[c] = took;
        }
    }
    return 0;
}
