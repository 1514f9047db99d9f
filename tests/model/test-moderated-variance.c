/* Variances moderated as Smyth 2004, section 6, says, whose formulas stand here anew: with digamma
 * and trigamma as derivatives of the C library's lgamma, and both passes of a mean and a variance.
 */
#include "test.h"

#include "base/prng.h"
#include "math/bootstrap.h"
#include "math/moderated-variance.h"

#define MANY 4000

/* Derivatives of lgamma by central differences and Richardson's extrapolation. */
static double first_difference(double x, double h)
{
    return (lgamma(x + h) - lgamma(x - h)) / (2.0 * h);
}

static double second_difference(double x, double h)
{
    return (lgamma(x + h) - 2.0 * lgamma(x) + lgamma(x - h)) / (h * h);
}

static double digamma(double x)
{
    double h = 1e-3 * x;

    return (4.0 * first_difference(x, h) - first_difference(x, 2.0 * h)) / 3.0;
}

static double trigamma(double x)
{
    double h = 4e-3 * x;

    return (4.0 * second_difference(x, h) - second_difference(x, 2.0 * h)) / 3.0;
}

/* Mean and scatter of log variances, each less what its degrees of freedom add to it. */
static void moments(const struct variance *v, size_t count, double *mean, double *excess)
{
    double sum = 0.0, squares = 0.0, chance = 0.0, known = 0.0;

    for (size_t i = 0; i < count; i++) {
        if (v[i].degrees > 0.0) {
            sum += log(v[i].value) - digamma(v[i].degrees / 2.0) + log(v[i].degrees / 2.0);
            chance += trigamma(v[i].degrees / 2.0);
            known += 1.0;
        }
    }
    *mean = sum / known;
    for (size_t i = 0; i < count; i++) {
        double level = v[i].degrees > 0.0
                           ? log(v[i].value) - digamma(v[i].degrees / 2.0) + log(v[i].degrees / 2.0)
                           : *mean;

        squares += (level - *mean) * (level - *mean);
    }
    *excess = squares / (known - 1.0) - chance / known;
}

/* The prior has the moments of what it was fitted to. */
static void assert_fits(const struct variance *v, size_t count)
{
    struct variance prior = variance_prior(v, count);
    double mean, excess, half = prior.degrees / 2.0;

    moments(v, count, &mean, &excess);
    assert_near(trigamma(half), excess, 2e-5 * excess);
    assert_near(log(prior.value), mean + digamma(half) - log(half), 1e-5);
}

/* Few degrees and many, so that the series are used and what leads to them; unknown ones in between
 * have no part. */
static void test_moments(void **state)
{
    static const struct variance some[] = {{1.0, 2.0}, {3.0, 5.0}, {9.0, 0.0},
                                           {0.2, 3.0}, {7.0, 1.0}, {0.01, 40.0}};
    static const struct variance others[] = {{2.0, 30.0}, {5.0, 25.0}, {1.0, 90.0}, {3.5, 19.0}};

    (void)state;
    assert_fits(some, 6);
    assert_fits(others, 4);
}

/* Variances that scatter no more than by chance are one: all degrees together. Those that scatter
 * without end still count for a tenth of a degree. */
static void test_limits(void **state)
{
    static const struct variance equal[] = {{4.0, 3.0}, {4.0, 3.0}, {4.0, 6.0}};
    static const struct variance apart[] = {{1e-4, 50.0}, {1e+35, 50.0}};
    static const struct variance rounded[] = {{0.0, 4.0}, {1e-5, 4.0}, {1e-7, 4.0}};

    (void)state;
    assert_near(variance_prior(equal, 3).degrees, 12.0, 1e-6);
    assert_near(variance_prior(apart, 2).degrees, 0.1, 1e-6);
    /* Nothing, or nearly: 1e-5 each. What is added and taken away again is that of 2 and 6. */
    struct variance prior = variance_prior(rounded, 3);
    assert_near(prior.degrees, 12.0, 1e-6);
    assert_near(log(prior.value), log(1e-5) - digamma(2.0) + log(2.0) + digamma(6.0) - log(6.0),
                1e-5);
}

/* One alone says nothing of how variances scatter. */
static void test_too_few(void **state)
{
    static const struct variance one[] = {{4.0, 3.0}, {5.0, 0.0}, {6.0, 0.0}};
    struct variance prior = variance_prior(one, 3);

    (void)state;
    assert_true(prior.degrees == 0.0 && prior.value == 1.0);
    assert_true(variance_prior(one, 0).degrees == 0.0);
    struct variance moderated = variance_moderate(&prior, &one[0]);
    assert_true(moderated.value == 4.0 && moderated.degrees == 3.0);
}

/* Planted: each true variance is 2 * 8 / (a chi-squared variable of 8 degrees), and is measured
 * with 4 degrees. */
static void test_planted(void **state)
{
    static struct variance measured[MANY];
    struct prng prng;

    (void)state;
    prng_seed(&prng, 5);
    for (size_t i = 0; i < MANY; i++) {
        double squares[2] = {0.0, 0.0};

        for (unsigned k = 0; k < 12; k++) {
            double normal = bootstrap_normal(&prng);

            squares[k < 8] += normal * normal;
        }
        measured[i] = (struct variance){2.0 * 8.0 / squares[1] * squares[0] / 4.0, 4.0};
    }
    struct variance prior = variance_prior(measured, MANY);
    assert_near(prior.value, 2.0, 0.1);
    assert_near(prior.degrees, 8.0, 1.2);
}

static void test_moderate(void **state)
{
    static const struct variance prior = {2.0, 6.0}, own = {5.0, 3.0};
    struct variance moderated = variance_moderate(&prior, &own);

    (void)state;
    assert_near(moderated.value, 3.0, 1e-12);
    assert_near(moderated.degrees, 9.0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),  cmocka_unit_test(test_limits),
        cmocka_unit_test(test_too_few),  cmocka_unit_test(test_planted),
        cmocka_unit_test(test_moderate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
