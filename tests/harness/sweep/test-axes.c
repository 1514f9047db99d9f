/* Axis values as users write them. */
#include "test.h"

#include "family/axes.h"

#include <string.h>

static const struct axis size_axis = {
    .name = "workgroup_size", .kind = AXIS_POWER_OF_TWO, .least = 1, .largest = 1024};
static const struct axis count_axis = {
    .name = "workgroup_count", .kind = AXIS_COUNT, .least = 1, .largest = 100};

static void test_values(void **state)
{
    struct axis_values values;
    struct error error;
    unsigned numbers[AXIS_VALUES_MAX];
    struct axis_units units = {32, 4, 4 * 112, 1u << 20};

    (void)state;
    assert_int_equal(axis_parse(&size_axis, "512,S,2S,64", &values, &error), STATUS_OK);
    /* Ascending, without duplicates: 2S is 64 for sub-groups of 32. */
    assert_int_equal(axis_resolve(&values, &units, numbers), 3);
    assert_int_equal(numbers[0], 32);
    assert_int_equal(numbers[1], 64);
    assert_int_equal(numbers[2], 512);
    units.subgroup_size = 8;
    assert_int_equal(axis_resolve(&values, &units, numbers), 4);
    assert_int_equal(numbers[0], 8);
    assert_int_equal(numbers[1], 16);
    assert_int_equal(axis_parse(&count_axis, "3", &values, &error), STATUS_OK);
    assert_int_equal(axis_resolve(&values, &units, numbers), 1);
    assert_int_equal(numbers[0], 3);
}

/* The number of groups of so many threads that fills the device, and invalid numbers. */
static void test_parts(void **state)
{
    static const char *const wrong[] = {"T/", "T/0", "T/x", "8/2", "/2", "T/2/2", "8K/2"};
    const struct axis_units units = {16, 6, 6 * 112, 1u << 20};
    struct axis_values values;
    struct error error;
    unsigned numbers[AXIS_VALUES_MAX];

    (void)state;
    assert_int_equal(axis_parse(&count_axis, "T/16,2T/64,T/1000", &values, &error), STATUS_OK);
    assert_int_equal(axis_resolve(&values, &units, numbers), 3);
    assert_int_equal(numbers[0], 1);
    assert_int_equal(numbers[1], 21);
    assert_int_equal(numbers[2], 42);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(axis_parse(&count_axis, wrong[i], &values, &error), STATUS_USAGE);
}

static size_t resolve(const struct axis *axis, const char *text, unsigned *numbers)
{
    const struct axis_units units = {16, 8, 8 * 128, 4u << 20};
    struct axis_values values;
    struct error error;

    assert_int_equal(axis_parse(axis, text, &values, &error), STATUS_OK);
    return axis_resolve(&values, &units, numbers);
}

static void test_ranges(void **state)
{
    unsigned numbers[AXIS_VALUES_MAX];

    (void)state;
    assert_int_equal(resolve(&size_axis, "64:1024:x2", numbers), 5);
    assert_int_equal(numbers[0], 64);
    assert_int_equal(numbers[4], 1024);
    assert_int_equal(resolve(&count_axis, "1:9:+2,50", numbers), 6);
    assert_int_equal(numbers[4], 9);
    assert_int_equal(numbers[5], 50);
    assert_int_equal(resolve(&count_axis, "3:3:+1", numbers), 1);
}

static void test_units(void **state)
{
    static const struct axis bytes_axis = {
        .name = "bytes", .kind = AXIS_COUNT, .least = 1, .largest = 1u << 30};
    unsigned numbers[AXIS_VALUES_MAX];

    (void)state;
    assert_int_equal(resolve(&bytes_axis, "4L,64K,2M,C,3c", numbers), 5);
    assert_int_equal(numbers[0], 8);
    assert_int_equal(numbers[1], 24);
    assert_int_equal(numbers[2], 64u << 10);
    assert_int_equal(numbers[3], 2u << 20);
    assert_int_equal(numbers[4], 16u << 20);
}

static void test_presets(void **state)
{
    const struct axis axis = {.defaults = "1,2", .full = "1,2,3"};

    (void)state;
    assert_string_equal(axis_preset(&axis, PRESET_QUICK), "1,2");
    assert_string_equal(axis_preset(&axis, PRESET_DEFAULT), "1,2");
    assert_string_equal(axis_preset(&axis, PRESET_FULL), "1,2,3");
}

static void assert_refused(const struct axis *axis, const char *text, const char *named)
{
    struct axis_values values;
    struct error error;

    assert_int_equal(axis_parse(axis, text, &values, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, axis->name));
    assert_non_null(strstr(error.text, named));
}

static void test_refusals(void **state)
{
    char long_list[3 * AXIS_VALUES_MAX + 10] = "1";

    (void)state;
    assert_refused(&size_axis, "", "''");
    assert_refused(&size_axis, "8,,16", "''");
    assert_refused(&size_axis, "8,", "''");
    assert_refused(&size_axis, "0", "smallest is 1");
    assert_refused(&size_axis, "1024:64:x2", "1024:64:x2");
    assert_refused(&size_axis, "64:1024", "64:1024");
    assert_refused(&size_axis, "64:1024:", "64:1024:");
    assert_refused(&size_axis, "64:1024:x1", "x1");
    assert_refused(&size_axis, "64:1024:+0", "+0");
    assert_refused(&size_axis, "64:1024:*2", "*2");
    assert_refused(&size_axis, "64:1024:x2:x2", "x2:x2");
    assert_refused(&size_axis, "S:1024:x2", "S:1024:x2");
    assert_refused(&size_axis, "64:1024:+1", "power of two");
    assert_refused(&size_axis, "4K", "4K is too large");
    assert_refused(&size_axis, "K", "'K'");
    assert_refused(&size_axis, "-8", "'-8'");
    assert_refused(&size_axis, "8x", "'8x'");
    assert_refused(&size_axis, " 8", "' 8'");
    assert_refused(&size_axis, "12", "power of two");
    assert_refused(&size_axis, "3S", "power of two");
    assert_refused(&size_axis, "2048", "1024");
    assert_refused(&size_axis, "99999999999999999999999", "99999999999999999999999");
    assert_refused(&count_axis, "101", "100");
    while (strlen(long_list) < 2 * AXIS_VALUES_MAX + 1)
        strcat(long_list, ",1");
    assert_refused(&count_axis, long_list, "more than");
}

static void test_split(void **state)
{
    size_t bytes = 0;

    (void)state;
    assert_string_equal(axis_split("name=1,2", &bytes), "1,2");
    assert_int_equal(bytes, 4);
    assert_null(axis_split("name", &bytes));
    assert_null(axis_split("=1", &bytes));
    assert_null(axis_split("name=", &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_parts),
        cmocka_unit_test(test_ranges),  cmocka_unit_test(test_units),
        cmocka_unit_test(test_presets), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
