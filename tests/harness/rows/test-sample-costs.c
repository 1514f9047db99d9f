/* The cost of each round from the launches that --samples keeps: slopes that are planted in a file,
 * in any order, beside those of other measurements. And runs of equal rows, and how busy a row's
 * launch keeps a device, by the host's arithmetic. */
#include "test.h"

#include "rows/row-runs.h"
#include "rows/sample-costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH   "sample-costs.csv"
#define ROUNDS 5u
#define UNITS  4.0

/* ns of an iteration in each round: of the variant, and of its baseline. */
static const double own_slope[ROUNDS] = {50.0, 52.0, 48.0, 60.0, 44.0};
static const double base_slope[ROUNDS] = {10.0, 12.0, 9.0, 11.0, 8.0};

static void put(FILE *file, const char *variant, unsigned size, unsigned groups, unsigned round,
                unsigned iterations, double slope)
{
    fprintf(file, "barrier,%s,16,%u,%u,%u,%u,%.6g,a=1,\n", variant, size, groups, round, iterations,
            700.0 + round + slope * iterations);
}

/* Rounds backwards, and the launches of a round from the longest. Others have slopes of 1000: of
 * another size, of more work-groups, of another name; and an observed variant. */
static void write_samples(unsigned without_baseline)
{
    FILE *file = fopen(PATH, "w");

    assert_non_null(file);
    fprintf(file, "benchmark,variant,subgroup_size,workgroup_size,workgroup_count,round,iterations,"
                  "ns,parameters,observed\n");
    for (unsigned r = ROUNDS; r-- > 0;) {
        for (unsigned iterations = 300; iterations > 0; iterations -= 100) {
            put(file, "own", 64, 2, r, iterations, own_slope[r]);
            put(file, "own", 32, 2, r, iterations, 1000.0);
            put(file, "own", 64, 3, r, iterations, 1000.0);
            put(file, "owl", 64, 2, r, iterations, 1000.0);
            if (r != without_baseline)
                put(file, "base", 64, 2, r, iterations, base_slope[r]);
        }
        fprintf(file, "barrier,tick,16,64,2,%u,0,,a=1,%u\n", r, 50 + r);
    }
    fclose(file);
}

static struct record record_of(const char *variant, const char *baseline)
{
    struct record record = {.shown_in = TIME_AUTO};

    record.benchmark = "barrier";
    record.variant = variant;
    record.baseline = baseline;
    record.parameters = "a=1";
    record.subgroup_size = 16;
    record.workgroup_size = 64;
    record.workgroup_count = 2;
    record.work_units = UNITS;
    record.rank = NAN;
    return record;
}

static size_t costs_of(const struct record *record, double *costs)
{
    struct sample_file file;
    struct error error;

    if (sample_file_read(&file, PATH, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    size_t count = sample_costs(&file, record, costs);
    sample_file_free(&file);
    assert_int_equal(unlink(PATH), 0);
    return count;
}

static void test_costs(void **state)
{
    struct record record = record_of("own", "base");
    double costs[SAMPLE_ROUNDS_MAX];

    (void)state;
    write_samples(ROUNDS);
    assert_int_equal(costs_of(&record, costs), ROUNDS);
    for (unsigned r = 0; r < ROUNDS; r++)
        assert_near(costs[r], (own_slope[r] - base_slope[r]) / UNITS, 1e-4);
    record.work_units = NAN; /* one, where the row does not say */
    record.baseline = "";
    write_samples(ROUNDS);
    assert_int_equal(costs_of(&record, costs), ROUNDS);
    for (unsigned r = 0; r < ROUNDS; r++)
        assert_near(costs[r], own_slope[r], 1e-4);
}

/* The record's own are the newest. */
static void test_newest(void **state)
{
    struct record record = record_of("own", "base");
    double costs[SAMPLE_ROUNDS_MAX];

    (void)state;
    record.samples = 2;
    write_samples(ROUNDS);
    assert_int_equal(costs_of(&record, costs), 2);
    assert_near(costs[0], (own_slope[3] - base_slope[3]) / UNITS, 1e-4);
    assert_near(costs[1], (own_slope[4] - base_slope[4]) / UNITS, 1e-4);
}

/* A round whose baseline is missing has no cost. */
static void test_missing(void **state)
{
    struct record record = record_of("own", "base");
    double costs[SAMPLE_ROUNDS_MAX];

    (void)state;
    write_samples(ROUNDS - 1);
    assert_int_equal(costs_of(&record, costs), ROUNDS - 1);
    assert_near(costs[ROUNDS - 2], (own_slope[3] - base_slope[3]) / UNITS, 1e-4);
    record = record_of("absent", "");
    write_samples(ROUNDS);
    assert_int_equal(costs_of(&record, costs), 0);
}

static void test_observed(void **state)
{
    struct record record = record_of("tick", "");
    double costs[SAMPLE_ROUNDS_MAX];

    (void)state;
    record.work_units = 1.0;
    write_samples(ROUNDS);
    assert_int_equal(costs_of(&record, costs), ROUNDS);
    for (unsigned r = 0; r < ROUNDS; r++)
        assert_near(costs[r], 50.0 + r, 0.0);
}

static void test_other_file(void **state)
{
    struct sample_file file;
    struct error error;
    FILE *out = fopen(PATH, "w");

    (void)state;
    fprintf(out, "benchmark,variant\nbarrier,own\n");
    fclose(out);
    assert_int_equal(sample_file_read(&file, PATH, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "subgroup_size"));
    unlink(PATH);
    assert_int_equal(sample_file_read(&file, PATH, &error), STATUS_FAILED);
}

static int by_variant(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;

    return strcmp(a->variant, b->variant);
}

/* Runs stand in the order of their first rows, and rows within a run in that of the file. */
static void test_runs(void **state)
{
    static const char *const variants[] = {"c", "a", "b", "a", "c", "c"};
    static const size_t counts[] = {3, 2, 1}, places[] = {0, 4, 5, 1, 3, 2};
    enum { COUNT = sizeof(variants) / sizeof(variants[0]) };
    struct record records[COUNT];
    const struct record **rows = malloc(COUNT * sizeof(*rows));
    struct row_runs runs;
    struct error error;

    (void)state;
    assert_non_null(rows);
    for (size_t i = 0; i < COUNT; i++) {
        records[i] = record_of(variants[i], "");
        rows[COUNT - 1 - i] = &records[i];
    }
    assert_int_equal(row_runs_make(&runs, rows, COUNT, by_variant, &error), STATUS_OK);
    assert_int_equal(runs.count, 3);
    for (size_t run = 0, at = 0; run < runs.count; run++) {
        assert_int_equal(runs.run[run].count, counts[run]);
        for (size_t i = 0; i < runs.run[run].count; i++)
            assert_ptr_equal(runs.run[run].row[i], &records[places[at++]]);
    }
    row_runs_free(&runs);
    assert_int_equal(row_runs_make(&runs, malloc(1), 0, by_variant, &error), STATUS_OK);
    assert_int_equal(runs.count, 0);
    row_runs_free(&runs);
}

/* Work-groups of 64 at 16 lanes are 4 threads each. */
static void test_occupancy(void **state)
{
    static const struct {
        unsigned groups, xe_cores, capacity;
        double cores, threads, resident; /* resident: NaN if they take turns */
        bool is_busy;
        const char *text;
    } cases[] = {
        {1, 8, 64, 1, 4, 1, false, "4 of 64 hardware threads on one Xe-core"},
        {8, 8, 64, 8, 4, 1, false, "4 of 64 hardware threads on each of 8 Xe-cores"},
        {64, 8, 64, 8, 32, 8, true, "32 of 64 hardware threads on each of 8 Xe-cores"},
        {63, 8, 64, 8, 32, 8, true, "32 of 64 hardware threads on each of 8 Xe-cores"},
        {56, 8, 64, 8, 28, 7, false, "28 of 64 hardware threads on each of 8 Xe-cores"},
        {128, 8, 64, 8, 64, 16, true, "64 of 64 hardware threads on each of 8 Xe-cores"},
        {129, 8, 64, 8, 64, NAN, true, "64 of 64 hardware threads on each of 8 Xe-cores"},
        {3, 0, 0, 3, 4, NAN, false, "4 hardware threads on each of 3 Xe-cores"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct record r = record_of("own", "");
        char text[OCCUPANCY_BYTES];

        r.workgroup_count = cases[i].groups;
        r.xe_cores = cases[i].xe_cores;
        r.threads_per_xe_core = cases[i].capacity;
        struct occupancy o = record_occupancy(&r);
        assert_near(o.cores, cases[i].cores, 0.0);
        assert_near(o.threads, cases[i].threads, 0.0);
        assert_near(record_busy_threads(&r), cases[i].cores * cases[i].threads, 0.0);
        assert_int_equal(record_is_busy(&r), cases[i].is_busy);
        assert_string_equal(record_occupancy_text(&r, text), cases[i].text);
        double resident = record_resident_groups(&r);
        assert_true(isnan(cases[i].resident) ? isnan(resident) : resident == cases[i].resident);
    }
}

/* One thread of one Xe-core has no number. A row that does not say what a core holds is busy from 8
 * threads on. */
static void test_few_threads(void **state)
{
    struct record r = record_of("own", "");
    char text[OCCUPANCY_BYTES];

    (void)state;
    r.workgroup_size = 16;
    r.workgroup_count = 1;
    assert_string_equal(record_occupancy_text(&r, text), "one hardware thread");
    r.workgroup_size = 17; /* a second thread, for one work-item */
    assert_near(record_threads(&r), 2.0, 0.0);
    r.workgroup_size = 7 * 16;
    assert_false(record_is_busy(&r));
    r.workgroup_size = 8 * 16;
    assert_true(record_is_busy(&r));
}

/* The loop of which a cost that may be nothing would be a part. */
static void test_scale(void **state)
{
    struct record r = record_of("own", "base");

    (void)state;
    r.loop_ns = 100.0;
    r.ci95_lo_ns = 1.0;
    r.ci95_hi_ns = 3.0;
    assert_near(record_half_interval(&r), 1.0, 0.0);
    assert_near(record_scale(&r, -2.0), 2.0, 0.0);
    r.ci95_lo_ns = 0.0;
    assert_near(record_scale(&r, 2.0), 100.0 / UNITS, 0.0);
    r.ci95_lo_ns = -1.0;
    r.ci95_hi_ns = 0.0;
    assert_near(record_scale(&r, 2.0), 100.0 / UNITS, 0.0);
    r.loop_ns = NAN;
    assert_near(record_scale(&r, 2.0), 2.0, 0.0);
    assert_true(record_has_interval(&r));
    r.ci95_hi_ns = NAN;
    assert_false(record_has_interval(&r));
}

static void test_time_unit(void **state)
{
    struct record r = record_of("own", "");
    struct records all = {.record = &r, .count = 1};

    (void)state;
    r.clock_mhz = NAN;
    assert_int_equal(record_time_unit(&r, TIME_US), TIME_US);
    records_show_in(&all, TIME_CYCLES);
    assert_int_equal(record_time_unit(&r, TIME_US), TIME_NS);
    r.clock_mhz = 2400.0;
    assert_int_equal(record_time_unit(&r, TIME_US), TIME_CYCLES);
    assert_true(device_kind_is_emulated("emulated") && device_kind_is_emulated(""));
    assert_false(device_kind_is_emulated("hardware"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),      cmocka_unit_test(test_newest),
        cmocka_unit_test(test_missing),    cmocka_unit_test(test_observed),
        cmocka_unit_test(test_other_file), cmocka_unit_test(test_runs),
        cmocka_unit_test(test_occupancy),  cmocka_unit_test(test_few_threads),
        cmocka_unit_test(test_scale),      cmocka_unit_test(test_time_unit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
