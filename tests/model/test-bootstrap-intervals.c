/* Do intervals contain the truth as often as they claim, and are they the same for the same
 * seed? */
#include "test.h"

#include "math/linear-intervals.h"

#include <stdio.h>

#define ROWS_MAX 32

struct experiment {
    double design[2 * ROWS_MAX], y[ROWS_MAX], row_sd[ROWS_MAX];
    size_t rows;
};

/* 31 + 1.9 n over n = 1, 2, ..., with noise beyond what the rows say of themselves or as they say.
 */
static void fill(struct experiment *e, size_t rows, double noise, double row_sd, struct prng *prng)
{
    e->rows = rows;
    for (size_t i = 0; i < rows; i++) {
        e->design[2 * i] = 1.0;
        e->design[2 * i + 1] = (double)(i + 1);
        e->y[i] = 31.0 + 1.9 * (double)(i + 1) + noise * bootstrap_normal(prng);
        e->row_sd[i] = row_sd;
    }
}

static unsigned count_covered(size_t rows, double noise, double row_sd, unsigned trials)
{
    unsigned covered = 0;
    struct prng prng;

    prng_seed(&prng, rows);
    for (unsigned trial = 0; trial < trials; trial++) {
        struct interval intervals[2];
        struct experiment e;
        struct linear_fit fit;
        struct error error;

        fill(&e, rows, noise, row_sd, &prng);
        assert_int_equal(linear_fit(&fit, e.design, e.y, NULL, rows, 2, &error), STATUS_OK);
        assert_int_equal(linear_intervals(&fit, e.row_sd, trial, intervals, &error), STATUS_OK);
        linear_fit_free(&fit);
        covered += intervals[0].low <= 31.0 && intervals[0].high >= 31.0;
        covered += intervals[1].low <= 1.9 && intervals[1].high >= 1.9;
    }
    print_message("%zu rows, noise %g, stated %g: %.1f %% covered\n", rows, noise, row_sd,
                  50.0 * covered / trials);
    return covered;
}

static void test_coverage(void **state)
{
    static const struct {
        size_t rows;
        double noise, row_sd;
    } cases[] = {{5, 1.0, 0.0}, {8, 1.0, 0.0}, {20, 1.0, 0.0}, {8, 1.0, 0.1}, {8, 0.5, 0.5}};
    const unsigned trials = 250;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        unsigned covered = count_covered(cases[i].rows, cases[i].noise, cases[i].row_sd, trials);

        /* 95 % of 500 expected; few rows cannot estimate their own spread well. */
        assert_true(covered >= 0.91 * 2.0 * trials);
        assert_true(covered <= 0.99 * 2.0 * trials);
    }
}

static void test_seed(void **state)
{
    struct interval first[2], again[2], other[2];
    struct linear_fit fit;
    struct experiment e;
    struct error error;
    struct prng prng;

    (void)state;
    prng_seed(&prng, 3);
    fill(&e, 8, 1.0, 0.1, &prng);
    assert_int_equal(linear_fit(&fit, e.design, e.y, NULL, 8, 2, &error), STATUS_OK);
    assert_int_equal(linear_intervals(&fit, e.row_sd, 1, first, &error), STATUS_OK);
    assert_int_equal(linear_intervals(&fit, e.row_sd, 1, again, &error), STATUS_OK);
    assert_int_equal(linear_intervals(&fit, e.row_sd, 2, other, &error), STATUS_OK);
    linear_fit_free(&fit);
    assert_true(first[1].low == again[1].low && first[1].high == again[1].high);
    assert_true(first[1].low != other[1].low);
}

static bool refuse(struct prng *prng, double *values, void *context)
{
    (void)prng, (void)values, (void)context;
    return false;
}

static void test_no_estimate(void **state)
{
    struct interval interval;
    struct error error;

    (void)state;
    assert_int_equal(bootstrap_intervals(refuse, NULL, 1, 1, &interval, &error), STATUS_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_no_estimate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
