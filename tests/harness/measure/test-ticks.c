/* From timestamps to time: masks, wraps, widths, resolutions. */
#include "test.h"

#include "ze/ticks.h"

static void test_mask(void **state)
{
    (void)state;
    assert_true(ticks_mask(32) == UINT64_C(0xffffffff));
    assert_true(ticks_mask(36) == UINT64_C(0xfffffffff));
    assert_true(ticks_mask(63) == UINT64_C(0x7fffffffffffffff));
    assert_true(ticks_mask(64) == UINT64_MAX);
    assert_true(ticks_mask(65) == UINT64_MAX);
}

static void test_between(void **state)
{
    (void)state;
    assert_true(ticks_between(1000, 2500, 32) == 1500);
    assert_true(ticks_between(7, 7, 32) == 0);
    /* The counter wrapped between start and end. */
    assert_true(ticks_between(0xfffffff0, 0x10, 32) == 0x20);
    assert_true(ticks_between(UINT64_C(0xffffffff0), 0x10, 36) == 0x20);
    assert_true(ticks_between(UINT64_MAX - 4, 5, 64) == 10);
    /* Bits beyond the valid ones are noise. */
    assert_true(ticks_between(UINT64_C(0xabc00000010), UINT64_C(0xdef00000030), 32) == 0x20);
}

static void test_to_ns(void **state)
{
    (void)state;
    assert_near(ticks_to_ns(1000.0, 19200000), 52083.3333333333, 1e-6);
    assert_near(ticks_to_ns(12000048.0, 12000048), 1e9, 1e-3);
}

static void test_timer(void **state)
{
    struct error error;
    struct timer timer;

    (void)state;
    assert_int_equal(timer_init(&timer, 19200000, 32, &error), STATUS_OK);
    assert_true(timer.hz == 19200000);
    assert_int_equal(timer.valid_bits, 32);
    /* A driver that answers in nanoseconds, as it would for the older structure. */
    assert_int_equal(timer_init(&timer, 52, 32, &error), STATUS_OK);
    assert_true(timer.hz == 19230769);
    assert_int_equal(timer_init(&timer, 0, 32, &error), STATUS_FAILED);
    assert_int_equal(timer_init(&timer, 5000, 32, &error), STATUS_FAILED);
    assert_int_equal(timer_init(&timer, 19200000, 0, &error), STATUS_FAILED);
    /* The limits themselves. */
    assert_int_equal(timer_init(&timer, 1000000, 24, &error), STATUS_OK);
    assert_int_equal(timer_init(&timer, 999999, 24, &error), STATUS_FAILED);
    assert_int_equal(timer_init(&timer, UINT64_C(10000000000), 64, &error), STATUS_OK);
    assert_int_equal(timer_init(&timer, UINT64_C(10000000001), 64, &error), STATUS_FAILED);
    assert_int_equal(timer_init(&timer, 1000, 32, &error), STATUS_OK);
    assert_int_equal(timer_init(&timer, 1001, 32, &error), STATUS_FAILED);
    assert_int_equal(timer_init(&timer, 19200000, 23, &error), STATUS_FAILED);
}

static void test_step(void **state)
{
    struct error error;
    struct timer timer;

    (void)state;
    assert_int_equal(timer_init(&timer, 19200000, 32, &error), STATUS_OK);
    assert_true(timer_step(&timer) == 1);
    timer_note(&timer, 1000);
    timer_note(&timer, 1006); /* even, not both multiples of four */
    assert_true(timer_step(&timer) == 2);
    timer_note(&timer, 1013);
    assert_true(timer_step(&timer) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mask),  cmocka_unit_test(test_between), cmocka_unit_test(test_to_ns),
        cmocka_unit_test(test_timer), cmocka_unit_test(test_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
