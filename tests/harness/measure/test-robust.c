/* Robust statistics against values worked out by hand, and against their purpose. */
#include "test.h"

#include "base/robust.h"

#include "noisy-device.h"

#define COUNT 30u

static void test_slope(void **state)
{
    const double x[] = {1, 2, 3, 4, 5}, line[] = {5, 7, 9, 11, 13}, wild[] = {5, 7, 900, 11, 13};
    const double three[] = {1, 5, 4};

    (void)state;
    assert_near(robust_slope(x, line, 5), 2.0, 1e-12);
    assert_near(robust_slope(x, wild, 5), 2.0, 1e-12);
    /* 4, -1, 1.5: at three even counts what least squares has too. */
    assert_near(robust_slope(x, three, 3), 1.5, 1e-12);
}

static void test_curvature(void **state)
{
    double y[5], sd = 0.0;

    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        double p = i + 1.0;

        y[i] = 7.0 - 3.0 * p + 0.25 * p * p;
    }
    assert_near(robust_curvature(y, 5, &sd), 0.25, 1e-12);
    assert_near(sd, 1.0 / sqrt(14.0), 1e-12); /* 2, -1, -2, -1, 2 */
    assert_near(robust_curvature(y, 3, NULL), 0.25, 1e-12);
    assert_near(robust_curvature(y, 2, &sd), 0.0, 0.0);
}

static void test_mean(void **state)
{
    double few[] = {1.0, 2.0, 6.0}, values[COUNT], room[COUNT];
    struct robust_mean mean = robust_mean(few, 3, 0.0, room);
    struct prng prng;

    (void)state;
    /* Of three values it is unknown which one is wrong. */
    assert_near(mean.mean, 3.0, 1e-12);
    assert_near(mean.standard_error, sqrt(7.0 / 3.0), 1e-12);
    assert_int_equal(mean.degrees, 2);
    prng_seed(&prng, 1);
    for (unsigned i = 0; i < COUNT; i++)
        values[i] = 100.0 + noisy_normal(&prng);
    values[3] = 1000.0;
    values[17] = 5000.0;
    mean = robust_mean(values, COUNT, 0.0, room);
    assert_near(mean.mean, 100.0, 0.6);
    assert_near(mean.standard_error, 1.0 / sqrt(28.0), 0.06);
    assert_int_equal(mean.set_aside, 2);
    assert_int_equal(robust_wild(values, COUNT, 0.0, room), 2);
}

/* Quantised values: most are equal, and the others are not outliers. */
static void test_mean_of_steps(void **state)
{
    double values[COUNT], room[COUNT];

    (void)state;
    for (unsigned i = 0; i < COUNT; i++)
        values[i] = i % 5 ? 10.0 : 11.0;
    struct robust_mean mean = robust_mean(values, COUNT, 0.5, room);
    assert_int_equal(mean.set_aside, 0);
    assert_near(mean.mean, 10.2, 0.1);
    for (unsigned i = 0; i < COUNT; i++)
        values[i] = 10.0;
    mean = robust_mean(values, COUNT, 0.0, room);
    assert_near(mean.mean, 10.0, 0.0);
    assert_near(mean.standard_error, 0.0, 0.0);
}

static void test_interval(void **state)
{
    struct robust_mean mean = {10.0, 3.0 / sqrt(3.0), 2, 0};

    (void)state;
    /* Scatter alone: 4.30265 * 3 / sqrt(3). The systematic part alone, and both in quadrature. */
    assert_near(robust_ci95_half(&mean, 0.0), 7.45241, 1e-4);
    assert_near(robust_ci95_half(&mean, 2.0), sqrt(7.45241 * 7.45241 + 3.919928 * 3.919928), 1e-4);
    mean.standard_error = 0.0;
    assert_near(robust_ci95_half(&mean, 2.0), 3.919928, 1e-5);
}

/* 95 of 100, at every number of values. */
static void test_coverage(void **state)
{
    static const size_t counts[] = {3, 5, 7, 10, 15, 30};
    struct prng prng;

    (void)state;
    prng_seed(&prng, 2);
    for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
        unsigned holds = 0;

        for (unsigned trial = 0; trial < 4000; trial++) {
            double values[COUNT], room[COUNT];

            for (size_t i = 0; i < counts[c]; i++)
                values[i] = noisy_normal(&prng);
            struct robust_mean mean = robust_mean(values, counts[c], 0.0, room);
            holds += fabs(mean.mean) <= robust_ci95_half(&mean, 0.0);
        }
        assert_true(holds >= 3740 && holds <= 3860);
    }
}

static void test_two_modes(void **state)
{
    double values[COUNT];
    struct two_modes modes;
    unsigned found = 0;
    struct prng prng;

    (void)state;
    prng_seed(&prng, 3);
    for (unsigned i = 0; i < COUNT; i++)
        values[i] = (i % 3 ? 1.0 : 1.05) + 0.003 * noisy_normal(&prng);
    assert_true(robust_two_modes(values, COUNT, 0.01, &modes));
    assert_near(modes.low, 1.0, 0.003);
    assert_near(modes.high, 1.05, 0.003);
    assert_near(modes.share, 1.0 / 3.0, 1e-12);
    /* Too close to matter, too few to be a mode, and none. */
    assert_false(robust_two_modes(values, COUNT, 0.06, &modes));
    for (unsigned i = 0; i < COUNT; i++)
        values[i] = (i > 1 ? 1.0 : 1.05) + 0.003 * noisy_normal(&prng);
    assert_false(robust_two_modes(values, COUNT, 0.01, &modes));
    for (unsigned trial = 0; trial < 200; trial++) {
        for (unsigned i = 0; i < COUNT; i++)
            values[i] = noisy_normal(&prng);
        found += robust_two_modes(values, COUNT, 0.0, &modes);
        for (unsigned i = 0; i < COUNT; i++)
            values[i] = (double)prng_below(&prng, 1000);
        found += robust_two_modes(values, COUNT, 0.0, &modes);
    }
    assert_true(found <= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope),     cmocka_unit_test(test_curvature),
        cmocka_unit_test(test_mean),      cmocka_unit_test(test_mean_of_steps),
        cmocka_unit_test(test_interval),  cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_two_modes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
