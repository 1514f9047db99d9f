/* Non-linear least squares against NIST's Statistical Reference Datasets, from both certified
 * starts. Argument: the folder of the datasets. */
#include "test.h"

#include "model/nonlinear.h"
#include "nist.h"

#include <stdio.h>

static const char *folder;

static double misra1a(const double *b, size_t row, void *context)
{
    const struct nist *set = context;

    return b[0] * -expm1(-b[1] * set->x[row][0]);
}

static double thurber(const double *b, size_t row, void *context)
{
    double x = ((const struct nist *)context)->x[row][0];

    return (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) / (1.0 + x * (b[4] + x * (b[5] + x * b[6])));
}

static double mgh09(const double *b, size_t row, void *context)
{
    double x = ((const struct nist *)context)->x[row][0];

    return b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3]);
}

/* NIST certifies eleven digits. From the first start of MGH09 alone the sum of squares falls for
 * ever towards infinite parameters: it takes the decades below it. */
static const struct expectation {
    const char *name;
    double (*predict)(const double *parameters, size_t row, void *context);
    double parameters, deviations;
    double bound; /* of every parameter, as a multiple of the larger start */
} expectations[] = {
    {"Misra1a", misra1a, 8, 8, 10.0},
    {"Thurber", thurber, 8, 8, 10.0},
    {"MGH09", mgh09, 8, 8, 10.0},
};

static void check_start(const struct expectation *expected, struct nist *set, unsigned start)
{
    double lower[NIST_PARAMETERS_MAX] = {0}, upper[NIST_PARAMETERS_MAX];
    struct nonlinear_problem problem = {
        .predict = expected->predict,
        .context = set,
        .y = set->y,
        .rows = set->rows,
        .lower = lower,
        .upper = upper,
        .starts = set->start[start],
        .start_count = 1,
        .decades = 2,
        .parameters = set->parameters,
    };
    double parameters = 15.0, deviations = 15.0;
    struct nonlinear_fit fit;
    struct error error;

    for (size_t j = 0; j < set->parameters; j++)
        upper[j] = expected->bound * fmax(set->start[0][j], set->start[1][j]);
    if (nonlinear_fit(&fit, &problem, &error) != STATUS_OK)
        fail_msg("%s: %s", expected->name, error.text);
    for (size_t j = 0; j < set->parameters; j++) {
        parameters = fmin(parameters, nist_digits(fit.parameter[j], set->certified[j]));
        deviations = fmin(deviations, nist_digits(fit.standard_error[j], set->deviation[j]));
    }
    print_message("%-8s start %u: %4.1f digits of the parameters (at least %g), %4.1f of their "
                  "deviations (%g), %4.1f of the sum of squares\n",
                  expected->name, start + 1, parameters, expected->parameters, deviations,
                  expected->deviations, nist_digits(fit.sum_of_squares, set->sum_of_squares));
    assert_true(parameters >= expected->parameters);
    assert_true(deviations >= expected->deviations);
    assert_int_equal(fit.held, 0);
}

static void test_certified(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
        struct nist set;

        nist_read(&set, folder, expectations[i].name);
        for (unsigned start = 0; start < 2; start++)
            check_start(&expectations[i], &set, start);
    }
}

/* b x through points of slope 2, with b kept below 1.5: the bound is the answer, and says so. */
static double proportional(const double *b, size_t row, void *context)
{
    return b[0] * ((const double *)context)[row] + b[1];
}

static void test_bound(void **state)
{
    static double x[] = {1, 2, 3, 4}, y[] = {2, 4, 6.5, 8};
    const double lower[] = {0.0, -10.0}, upper[] = {1.5, 10.0}, starts[] = {1.0, 1.0, 0.5, -1.0};
    const struct nonlinear_problem problem = {
        .predict = proportional,
        .context = x,
        .y = y,
        .rows = 4,
        .lower = lower,
        .upper = upper,
        .starts = starts,
        .start_count = 2,
        .parameters = 2,
    };
    struct nonlinear_fit fit;
    struct error error;

    (void)state;
    assert_int_equal(nonlinear_fit(&fit, &problem, &error), STATUS_OK);
    assert_near(fit.parameter[0], 1.5, 1e-6);
    assert_near(fit.parameter[1], 20.5 / 4.0 - 1.5 * 2.5, 1e-6);
    assert_int_equal(fit.held, 1);
    assert_true(isnan(fit.standard_error[0]));
}

static double nowhere(const double *b, size_t row, void *context)
{
    (void)b, (void)row, (void)context;
    return NAN;
}

static void test_no_start(void **state)
{
    static const double one[] = {1.0}, two[] = {2.0}, zero[] = {0.0};
    const struct nonlinear_problem problem = {
        .predict = nowhere,
        .y = one,
        .rows = 1,
        .lower = zero,
        .upper = two,
        .starts = one,
        .start_count = 1,
        .parameters = 1,
    };
    struct nonlinear_fit fit;
    struct error error;

    (void)state;
    assert_int_equal(nonlinear_fit(&fit, &problem, &error), STATUS_FAILED);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certified),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_no_start),
    };

    if (argc != 2)
        return 2;
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
