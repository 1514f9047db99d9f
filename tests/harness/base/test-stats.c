/* The statistics against values worked out by hand or taken from tables. */
#include "test.h"

#include "base/stats.h"

#include <string.h>

static void test_line(void **state)
{
    const double x[] = {1.0, 2.0, 3.0};
    const double exact[] = {5.0, 7.0, 9.0};
    const double bent[] = {1.0, 2.0, 4.0};

    (void)state;
    struct line_fit fit = stats_fit_line(x, exact, 3);
    assert_near(fit.slope, 2.0, 1e-12);
    assert_near(fit.intercept, 3.0, 1e-12);
    assert_near(fit.r_squared, 1.0, 1e-12);
    assert_near(fit.sxx, 2.0, 1e-12);
    /* mean y 7/3, sxy 3, slope 3/2, intercept -2/3, residuals 1/6 -1/3 1/6: 1/6 of 14/3. */
    fit = stats_fit_line(x, bent, 3);
    assert_near(fit.slope, 1.5, 1e-12);
    assert_near(fit.intercept, -2.0 / 3.0, 1e-12);
    assert_near(fit.r_squared, 1.0 - (1.0 / 6.0) / (14.0 / 3.0), 1e-12);
    assert_true(isnan(stats_fit_line(x, exact, 1).slope));
}

static void test_uncertainty_of_slope(void **state)
{
    (void)state;
    assert_near(stats_quantisation_sd(52.0), 52.0 / 2.449489742783178, 1e-9);
    /* n, 2n, 3n with n = 100: sxx = 2 n^2. */
    assert_near(stats_slope_sd(10.0, 20000.0), 10.0 / 141.4213562373095, 1e-12);
}

static void test_distribution(void **state)
{
    double values[] = {40.0, 10.0, 30.0, 20.0, 50.0};
    struct distribution d = stats_describe(values, 5);

    (void)state;
    assert_int_equal(d.count, 5);
    assert_near(d.min, 10.0, 0);
    assert_near(d.max, 50.0, 0);
    assert_near(d.median, 30.0, 1e-12);
    assert_near(d.mean, 30.0, 1e-12);
    assert_near(d.p05, 12.0, 1e-12);
    assert_near(d.p95, 48.0, 1e-12);
    assert_near(d.stddev, 15.811388300841896, 1e-12);
    d = stats_describe(values, 4);
    assert_near(d.median, 25.0, 1e-12);
    d = stats_describe(values, 1);
    assert_near(d.median, 10.0, 0);
    assert_true(isnan(d.stddev));
    assert_int_equal(stats_describe(values, 0).count, 0);
}

/* Table of Student's t, two-sided 95 %. */
static void test_student(void **state)
{
    static const struct {
        size_t degrees;
        double t;
    } table[] = {{1, 12.70620}, {2, 4.30265},  {5, 2.57058},  {10, 2.22814},
                 {11, 2.20099}, {29, 2.04523}, {60, 2.00030}, {1000, 1.96234}};

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        assert_near(stats_t975(table[i].degrees), table[i].t, 0.0002);
    assert_true(isnan(stats_t975(0)));
}

/* Tables of Student's t have its points to five digits; one degree is Cauchy's distribution; many
 * are the normal one. */
static void test_student_tail(void **state)
{
    (void)state;
    assert_near(stats_student(12.7062, 1.0), 0.05, 1e-6);
    assert_near(stats_student(2.22814, 10.0), 0.05, 1e-6);
    assert_near(stats_student(4.58689, 10.0), 0.001, 1e-7);
    assert_near(stats_student(1.0, 1.0), 0.5, 1e-12);
    assert_near(stats_student(5.0, 1e7) / erfc(5.0 / sqrt(2.0)), 1.0, 1e-4);
    assert_near(stats_student(0.0, 5.0), 1.0, 1e-12);
    assert_near(stats_student(-2.22814, 10.0), 0.05, 1e-6);
    assert_true(stats_student(INFINITY, 3.0) == 0.0);
    assert_true(stats_student(1e100, 3.0) < 1e-100);
    assert_true(isnan(stats_student(NAN, 3.0)));
}

static void test_change(void **state)
{
    double values[30], few[] = {1.0, 1.0, 2.0};

    (void)state;
    for (size_t i = 0; i < 30; i++)
        values[i] = (double)(i * 7 % 5) / 100.0 + (i < 20 ? 1.0 : 1.3);
    values[5] = 50.0; /* one far out says nothing */
    assert_int_equal(stats_find_change(values, 30), 20);
    /* Levels 1.02 and 1.32; their mean is 1.12. */
    assert_near(stats_change_size(values, 30, 20), 0.2 / 1.12, 0.01);
    for (size_t i = 0; i < 30; i++)
        values[i] = (double)(i * 7 % 5);
    assert_int_equal(stats_find_change(values, 30), 0);
    assert_int_equal(stats_find_change(few, 3), 0);
    assert_int_equal(stats_find_change(few, 0), 0);
}

/* As sorting has it, with ties and without. */
static void test_select(void **state)
{
    static const double probabilities[] = {0.0, 0.025, 0.3, 0.5, 0.975, 1.0};
    double values[101], moved[101];

    (void)state;
    for (size_t count = 1; count <= 101; count++) {
        for (size_t i = 0; i < count; i++)
            values[i] = (double)(i * i % (count % 2 ? 1009 : 5));
        for (size_t p = 0; p < sizeof(probabilities) / sizeof(probabilities[0]); p++) {
            memcpy(moved, values, sizeof(moved));
            double selected = stats_select_quantile(moved, count, probabilities[p]);
            stats_sort(moved, count);
            assert_near(selected, stats_quantile(moved, count, probabilities[p]), 0.0);
        }
    }
    assert_true(isnan(stats_select_quantile(moved, 0, 0.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),         cmocka_unit_test(test_uncertainty_of_slope),
        cmocka_unit_test(test_distribution), cmocka_unit_test(test_student),
        cmocka_unit_test(test_student_tail), cmocka_unit_test(test_change),
        cmocka_unit_test(test_select),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
