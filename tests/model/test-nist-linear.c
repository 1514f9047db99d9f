/* Linear least squares against NIST's Statistical Reference Datasets: how many of the certified
 * digits come back. Argument: the folder of the datasets. */
#include "test.h"

#include "math/linear.h"
#include "nist.h"

#include <stdio.h>

static const char *folder;

/* Fewest digits that have to agree, of any coefficient, of any standard deviation, and of R². They
 * are what double-precision data allow less a digit: the powers of Filip's predictor alone are
 * rounded to 16 digits, and its condition number takes nine of them away. */
static const struct expectation {
    const char *name;
    double coefficients, deviations, r_squared;
} expectations[] = {
    {"Norris", 13, 13, 13},   {"Pontius", 13, 13, 13},  {"Longley", 13, 12, 13},
    {"Filip", 7, 7, 10},      {"Wampler1", 12, 12, 15}, {"Wampler2", 12, 12, 15},
    {"Wampler3", 13, 13, 13}, {"Wampler4", 13, 13, 13}, {"Wampler5", 12, 13, 13},
};

static void fill_design(double *design, const struct nist *set)
{
    for (size_t i = 0; i < set->rows; i++) {
        double *row = &design[i * set->parameters];

        row[0] = 1.0;
        for (size_t j = 1; j < set->parameters; j++)
            row[j] = set->polynomial ? row[j - 1] * set->x[i][0] : set->x[i][j - 1];
    }
}

static void check_set(const struct expectation *expected)
{
    static double design[NIST_ROWS_MAX * NIST_PARAMETERS_MAX];
    double coefficients = 15.0, deviations = 15.0;
    struct linear_fit fit;
    struct error error;
    struct nist set;

    nist_read(&set, folder, expected->name);
    fill_design(design, &set);
    if (linear_fit(&fit, design, set.y, NULL, set.rows, set.parameters, &error) != STATUS_OK)
        fail_msg("%s: %s", expected->name, error.text);
    for (size_t j = 0; j < set.parameters; j++) {
        coefficients = fmin(coefficients, nist_digits(fit.coefficient[j], set.certified[j]));
        deviations = fmin(deviations, nist_digits(fit.standard_error[j], set.deviation[j]));
    }
    double r_squared = nist_digits(fit.r_squared, set.r_squared);
    print_message("%-8s %4.1f digits of the coefficients (at least %g), %4.1f of their deviations "
                  "(%g), %4.1f of R^2 (%g)\n",
                  expected->name, coefficients, expected->coefficients, deviations,
                  expected->deviations, r_squared, expected->r_squared);
    linear_fit_free(&fit);
    assert_true(coefficients >= expected->coefficients);
    assert_true(deviations >= expected->deviations);
    assert_true(r_squared >= expected->r_squared);
}

static void test_certified(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(expectations) / sizeof(expectations[0]); i++)
        check_set(&expectations[i]);
}

/* y = 1, 2, 4 over x = 0, 1, 2 with an intercept; without the last row the line is 1 + x and says
 * 3; without the middle one 1 + 1.5 x, 2.5; without the first 2 x, 0. */
static void test_left_out(void **state)
{
    static const double design[] = {1, 0, 1, 1, 1, 2}, y[] = {1, 2, 4};
    struct linear_fit fit;
    struct error error;

    (void)state;
    assert_int_equal(linear_fit(&fit, design, y, NULL, 3, 2, &error), STATUS_OK);
    assert_near(fit.left_out[0], 1.0 - 0.0, 1e-12);
    assert_near(fit.left_out[1], 2.0 - 2.5, 1e-12);
    assert_near(fit.left_out[2], 4.0 - 3.0, 1e-12);
    assert_near(fit.left_out_rms, sqrt((1.0 + 0.25 + 1.0) / 3.0), 1e-12);
    assert_near(fit.leverage[0] + fit.leverage[1] + fit.leverage[2], 2.0, 1e-12);
    linear_fit_free(&fit);
}

/* A weight of 3 counts the row three times. */
static void test_weights(void **state)
{
    static const double design[] = {1, 0, 1, 1, 1, 5}, y[] = {1, 2, 4}, weights[] = {1, 3, 1};
    static const double repeated[] = {1, 0, 1, 1, 1, 1, 1, 1, 1, 5}, repeated_y[] = {1, 2, 2, 2, 4};
    struct linear_fit fit, again;
    struct error error;

    (void)state;
    assert_int_equal(linear_fit(&fit, design, y, weights, 3, 2, &error), STATUS_OK);
    assert_int_equal(linear_fit(&again, repeated, repeated_y, NULL, 5, 2, &error), STATUS_OK);
    assert_near(fit.coefficient[0], again.coefficient[0], 1e-12);
    assert_near(fit.coefficient[1], again.coefficient[1], 1e-12);
    assert_near(fit.r_squared, again.r_squared, 1e-12);
    linear_fit_free(&fit);
    linear_fit_free(&again);
}

/* y = 2, 3, 7 over x = 1, 2, 3: with an intercept R² is about the mean, 4, where -1 + 2.5 x leaves
 * 1.5 of 14; without one about 0, where 29/14 x leaves 62 - 29²/14 of 62, however the first column
 * begins. */
static void test_about(void **state)
{
    static const double line[] = {1, 1, 1, 2, 1, 3}, ray[] = {1, 2, 3}, y[] = {2, 3, 7};
    struct linear_fit fit;
    struct error error;

    (void)state;
    assert_int_equal(linear_fit(&fit, line, y, NULL, 3, 2, &error), STATUS_OK);
    assert_near(fit.r_squared, 1.0 - 1.5 / 14.0, 1e-12);
    linear_fit_free(&fit);
    assert_int_equal(linear_fit(&fit, ray, y, NULL, 3, 1, &error), STATUS_OK);
    assert_near(fit.r_squared, 29.0 * 29.0 / 14.0 / 62.0, 1e-12);
    linear_fit_free(&fit);
}

static void test_refusals(void **state)
{
    static const double twice[] = {1, 2, 1, 2, 1, 2}, y[] = {1, 2, 4};
    static const double bad[] = {1, 2, 1, NAN, 1, 3};
    struct linear_fit fit;
    struct error error;

    (void)state;
    assert_int_equal(linear_fit(&fit, twice, y, NULL, 3, 2, &error), STATUS_FAILED);
    assert_string_equal(error.text, "column 2 of the design depends on those before it");
    assert_int_equal(linear_fit(&fit, twice, y, NULL, 1, 2, &error), STATUS_FAILED);
    assert_int_equal(linear_fit(&fit, bad, y, NULL, 3, 2, &error), STATUS_FAILED);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certified), cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_weights),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_about),
    };

    if (argc != 2)
        return 2;
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
