/* Times in the unit that people ask for. */
#include "test.h"

#include "base/unit.h"
#include "compare/compare-rows.h"

#include <string.h>

static void test_factors(void **state)
{
    (void)state;
    assert_near(time_unit_per_ns(TIME_NS, NAN), 1.0, 0.0);
    assert_near(1500.0 * time_unit_per_ns(TIME_US, NAN), 1.5, 1e-12);
    assert_near(2.5e6 * time_unit_per_ns(TIME_MS, NAN), 2.5, 1e-12);
    assert_near(10.0 * time_unit_per_ns(TIME_CYCLES, 2450.0), 24.5, 1e-12);
    assert_true(isnan(time_unit_per_ns(TIME_CYCLES, 0.0)));
    assert_true(isnan(time_unit_per_ns(TIME_CYCLES, NAN)));
    assert_true(isnan(time_unit_per_ns(TIME_AUTO, 2450.0)));
}

static void test_names(void **state)
{
    char text[UNIT_BYTES];

    (void)state;
    assert_string_equal(unit_shown("ns/barrier", TIME_US, text), "us/barrier");
    assert_string_equal(unit_shown("ns", TIME_CYCLES, text), "cycles");
    assert_string_equal(unit_shown("ns/barrier", TIME_AUTO, text), "ns/barrier");
    assert_string_equal(unit_shown("values", TIME_US, text), "values");
}

/* Without a clock there are no cycles. */
static void test_rows(void **state)
{
    struct record record = {.clock_mhz = 2000.0};

    (void)state;
    assert_int_equal(record_time_unit(&record, TIME_NS), TIME_NS);
    assert_int_equal(record_time_unit(&record, TIME_CYCLES), TIME_CYCLES);
    record.shown_in = TIME_MS;
    assert_int_equal(record_time_unit(&record, TIME_CYCLES), TIME_MS);
    record.shown_in = TIME_CYCLES;
    assert_int_equal(record_time_unit(&record, TIME_NS), TIME_CYCLES);
    record.clock_mhz = NAN;
    assert_int_equal(record_time_unit(&record, TIME_NS), TIME_NS);
}

/* Both times are in one unit, each by its own clock. */
static void test_comparisons(void **state)
{
    struct record base = {
        .unit = "ns/barrier", .ns_mean = 100.0, .clock_mhz = 2000.0, .shown_in = TIME_CYCLES};
    struct record new = base;
    const struct comparison comparison = {
        .base = &base, .new = &new, .base_ns = 100.0, .new_ns = 100.0};

    (void)state;
    new.clock_mhz = 1000.0;
    struct comparison_times times = comparison_times(&comparison);
    assert_near(times.base, 200.0, 1e-9);
    assert_near(times.new, 100.0, 1e-9);
    assert_string_equal(times.unit, "cycles/barrier");

    new.clock_mhz = NAN;
    times = comparison_times(&comparison);
    assert_near(times.base, 100.0, 1e-9);
    assert_near(times.new, 100.0, 1e-9);
    assert_string_equal(times.unit, "ns/barrier");

    base.shown_in = new.shown_in = TIME_AUTO;
    assert_string_equal(comparison_times(&comparison).unit, "ns/barrier");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_comparisons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
