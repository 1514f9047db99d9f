/* Which device vebench bench measures, and how much of it. */
#include "test.h"

#include "parse-words.h"
#include "run/bench-sweep.h"

#include <stdlib.h>
#include <string.h>

/* What the emulator's preloaded library exports in every program below it. */
const char *vesim_device_name(void);

const char *vesim_device_name(void)
{
    return "a380";
}

#define PARSE_BENCH(cli, ...) PARSE(cli, "bench", __VA_ARGS__)

/* A wish for another device is for those that are not below one yet. */
static void test_below_the_emulator(void **state)
{
    struct bench_device device;
    struct error error;
    struct cli cli;

    (void)state;
    assert_int_equal(PARSE_BENCH(&cli, "--emulate", "b580"), STATUS_OK);
    assert_int_equal(bench_find_device(&device, &cli, stderr, &error), STATUS_OK);
    assert_true(device.is_emulated);
    assert_null(device.emulate);
    assert_int_equal(PARSE_BENCH(&cli, "--quiet"), STATUS_OK);
    assert_int_equal(setenv("BENCH_DEVICE", "b580", 1), 0);
    assert_int_equal(bench_find_device(&device, &cli, stderr, &error), STATUS_OK);
    assert_int_equal(unsetenv("BENCH_DEVICE"), 0);
    assert_true(device.is_emulated);
    assert_null(device.emulate);
    /* A whole sweep in the emulator takes long enough. */
    assert_false(bench_wants_detail(&device, &cli));
    assert_int_equal(PARSE_BENCH(&cli, "--detail"), STATUS_OK);
    assert_true(bench_wants_detail(&device, &cli));
}

static void test_detail(void **state)
{
    struct bench_device gpu = {.is_emulated = false}, emulated = {.is_emulated = true};
    struct cli cli;

    (void)state;
    assert_int_equal(PARSE_BENCH(&cli, "--quiet"), STATUS_OK);
    assert_true(bench_wants_detail(&gpu, &cli));
    assert_int_equal(setenv("BENCH_DETAIL", "1", 1), 0);
    assert_true(bench_wants_detail(&emulated, &cli));
    assert_int_equal(setenv("BENCH_DETAIL", "", 1), 0);
    assert_false(bench_wants_detail(&emulated, &cli));
    assert_int_equal(unsetenv("BENCH_DETAIL"), 0);
    /* Of a part, not even if asked for. */
    assert_int_equal(PARSE_BENCH(&cli, "barrier", "--detail"), STATUS_OK);
    assert_false(bench_wants_detail(&gpu, &cli));
    assert_int_equal(PARSE_BENCH(&cli, "--preset", "quick", "--detail"), STATUS_OK);
    assert_false(bench_wants_detail(&gpu, &cli));
    assert_int_equal(PARSE_BENCH(&cli, "--axis", "workgroup_size=64", "--detail"), STATUS_OK);
    assert_false(bench_wants_detail(&gpu, &cli));
    assert_int_equal(PARSE_BENCH(&cli, "--variant", "none", "--detail"), STATUS_OK);
    assert_false(bench_wants_detail(&gpu, &cli));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_below_the_emulator),
        cmocka_unit_test(test_detail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
