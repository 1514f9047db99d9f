/*
 * The whole chain: the full barrier sweep through Intel's driver on an emulated device, its CSV row
 * by row, and the promise that a second run gives the same timing to the last digit.
 *
 * Argument: the emulated device.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csv-file.h"
#include "spirv-modules.h"
#include "sweep.h"

/* Later columns may be added at the end; these never change. */
static const char *const columns[] = {
    "run_id",
    "time_utc",
    "host",
    "device_kind",
    "device_name",
    "device_uuid",
    "pci_address",
    "driver_version",
    "loader_version",
    "timer_hz",
    "clock_mhz",
    "clock_source",
    "benchmark",
    "variant",
    "subgroup_size",
    "subgroup_size_compiled",
    "workgroup_size",
    "workgroup_count",
    "iterations",
    "samples",
    "ns_min",
    "ns_p05",
    "ns_median",
    "ns_mean",
    "ns_p95",
    "ns_max",
    "ns_stddev",
    "ci95_lo_ns",
    "ci95_hi_ns",
    "value",
    "unit",
    "cycles",
    "r_squared",
    "list_kind",
    "timestamp_domain",
    "spill_bytes",
    "private_bytes",
    "slm_bytes",
    "verified",
    "status",
    "reason",
    "version",
    "kernel_sha256",
};

enum { COLUMN_COUNT = sizeof(columns) / sizeof(columns[0]), VARIANT_COUNT = 9 };

static struct csv_file sweep;

static const char *field(size_t row, const char *column)
{
    const char *text = csv_file_field(&sweep, row, column);

    if (!text)
        fail_msg("there is no column %s", column);
    return text;
}

static double number(size_t row, const char *column)
{
    const char *text = field(row, column);
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end)
        fail_msg("row %zu: %s is \"%s\", no number", row, column, text);
    return value;
}

static int is(size_t row, const char *column, const char *text)
{
    return strcmp(field(row, column), text) == 0;
}

static int run_full_sweep(void **state)
{
    static const char *const arguments[] = {"barrier", NULL};

    (void)state;
    sweep_rows(&sweep, "full", arguments, NULL);
    return 0;
}

static int free_full_sweep(void **state)
{
    (void)state;
    csv_file_free(&sweep);
    return 0;
}

static void test_header(void **state)
{
    (void)state;
    assert_true(sweep.column_count >= COLUMN_COUNT);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        assert_string_equal(csv_file_column(&sweep, i), columns[i]);
}

/* Work-group sizes are the sub-group size, twice that, 64, 128, 256, 512 and 1024, each once. */
static void test_every_configuration_is_there(void **state)
{
    (void)state;
    static const unsigned subgroup_sizes[] = {8, 16, 32};
    size_t expected = 0;
    for (size_t s = 0; s < 3; s++) {
        const unsigned size = subgroup_sizes[s];
        const unsigned workgroup_sizes[] = {size, 2 * size, 64, 128, 256, 512, 1024};

        for (size_t w = 0; w < sizeof(workgroup_sizes) / sizeof(workgroup_sizes[0]); w++) {
            if (w == 2 && 2 * size == 64)
                continue;
            size_t found = 0;
            for (size_t row = 0; row < sweep.row_count; row++) {
                found += number(row, "subgroup_size") == size &&
                         number(row, "workgroup_size") == workgroup_sizes[w];
            }
            if (found != VARIANT_COUNT)
                fail_msg("%zu rows of sub-group size %u, work-group size %u", found, size,
                         workgroup_sizes[w]);
            expected += VARIANT_COUNT;
        }
    }
    assert_int_equal(sweep.row_count, expected);
}

static void test_no_row_passes_for_hardware(void **state)
{
    (void)state;
    for (size_t row = 0; row < sweep.row_count; row++)
        assert_string_equal(field(row, "device_kind"), "emulated");
}

static void test_rows_are_verified_or_say_why_not(void **state)
{
    (void)state;
    size_t measured = 0;
    for (size_t row = 0; row < sweep.row_count; row++) {
        if (is(row, "status", "skipped")) {
            assert_string_not_equal(field(row, "reason"), "");
            continue;
        }
        if (!is(row, "status", "ok"))
            fail_msg("row %zu is %s: %s", row, field(row, "status"), field(row, "reason"));
        assert_string_equal(field(row, "verified"), "1");
        measured++;
    }
    assert_true(measured > 0);
}

static void test_rows_name_their_kernel(void **state)
{
    (void)state;
    for (size_t row = 0; row < sweep.row_count; row++) {
        size_t found = 0;

        if (!is(row, "status", "ok"))
            continue;
        assert_string_equal(field(row, "subgroup_size"), field(row, "subgroup_size_compiled"));
        for (size_t i = 0; i < spirv_module_count; i++) {
            found += spirv_modules[i].subgroup_size == number(row, "subgroup_size") &&
                     is(row, "kernel_sha256", spirv_modules[i].sha256);
        }
        assert_int_equal(found, 1);
    }
}

static void test_statistics_are_ordered(void **state)
{
    (void)state;
    static const char *const ascending[] = {"ns_min", "ns_p05", "ns_median", "ns_p95", "ns_max"};
    for (size_t row = 0; row < sweep.row_count; row++) {
        if (!is(row, "status", "ok"))
            continue;
        assert_true(number(row, "timer_hz") > 0);
        assert_true(number(row, "samples") > 0);
        for (size_t i = 1; i < sizeof(ascending) / sizeof(ascending[0]); i++)
            assert_true(number(row, ascending[i - 1]) <= number(row, ascending[i]));
        assert_true(number(row, "ci95_lo_ns") <= number(row, "ci95_hi_ns"));
    }
}

/*
 * What must hold on any device: a loop takes time, a sub-group barrier compiles to nothing, and a
 * work-group barrier costs something. One interval in twenty may lack the truth, but not by more
 * than its own width.
 */
static void test_costs_make_sense(void **state)
{
    size_t free_rows = 0, without_zero = 0;

    (void)state;
    for (size_t row = 0; row < sweep.row_count; row++) {
        if (!is(row, "status", "ok"))
            continue;
        const char *variant = field(row, "variant");
        double cost = number(row, "value");
        double low = number(row, "ci95_lo_ns"), high = number(row, "ci95_hi_ns");
        if (strstr(variant, "sub_group")) {
            free_rows++;
            without_zero += low > 0 || high < 0;
            assert_true(fabs(cost) <= high - low);
        } else if (!(cost > 0)) {
            fail_msg("row %zu: %s costs %s ns", row, variant, field(row, "value"));
        }
    }
    assert_true(without_zero <= 1 + free_rows / 10);
}

static void test_a_second_run_is_the_same(void **state)
{
    (void)state;
    static const char *const arguments[] = {
        "barrier", "--axis", "subgroup_size=16", "--axis", "workgroup_size=64", NULL};
    struct csv_file first, second;
    sweep_rows(&first, "first", arguments, NULL);
    sweep_rows(&second, "second", arguments, NULL);
    assert_int_equal(first.row_count, VARIANT_COUNT);
    assert_int_equal(second.row_count, VARIANT_COUNT);
    csv_file_assert_same_rows(&first, &second, first.row_count);
    csv_file_free(&first);
    csv_file_free(&second);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_every_configuration_is_there),
        cmocka_unit_test(test_no_row_passes_for_hardware),
        cmocka_unit_test(test_rows_are_verified_or_say_why_not),
        cmocka_unit_test(test_rows_name_their_kernel),
        cmocka_unit_test(test_statistics_are_ordered),
        cmocka_unit_test(test_costs_make_sense),
        cmocka_unit_test(test_a_second_run_is_the_same),
    };

    if (argc != 2)
        return 2;
    sweep_device = argv[1];
    return cmocka_run_group_tests(tests, run_full_sweep, free_full_sweep);
}
