/* The larger of two bounds: is the solution the minimum, and what does it say of rows that all
 * attain the same bound? */
#include "test.h"

#include "base/prng.h"
#include "math/bootstrap.h"
#include "math/bound-estimate.h"

#include <string.h>

#define ROWS_MAX 200

struct rows {
    double load[ROWS_MAX], y[ROWS_MAX], sd[ROWS_MAX];
    size_t count;
};

static void fill(struct rows *rows, size_t count, double floor_, double slope, double noise,
                 struct prng *prng)
{
    rows->count = count;
    for (size_t i = 0; i < count; i++) {
        rows->load[i] = 1.0 + prng_below(prng, 40);
        rows->y[i] = fmax(floor_, slope * rows->load[i]) * (1.0 + noise * bootstrap_normal(prng));
        rows->sd[i] = 0.001 * rows->y[i];
    }
}

static double squares(const struct rows *rows, double floor_, double slope)
{
    double sum = 0.0;

    for (size_t i = 0; i < rows->count; i++)
        sum += pow(1.0 - fmax(floor_, slope * rows->load[i]) / rows->y[i], 2.0);
    return sum;
}

static void sort(struct bound_rows *sorted, const struct rows *rows)
{
    struct error error;

    assert_int_equal(bound_rows_sort(sorted, rows->load, rows->count, &error), STATUS_OK);
}

/* Nothing near it, or anywhere in range, is less. */
static void test_least(void **state)
{
    struct bound_rows sorted;
    struct bound found;
    struct rows rows;
    struct prng prng;

    (void)state;
    prng_seed(&prng, 4);
    for (unsigned trial = 0; trial < 200; trial++) {
        fill(&rows, 1 + prng_below(&prng, 12), 20.0, 0.2 + 0.1 * trial / 10.0, 0.1, &prng);
        sort(&sorted, &rows);
        assert_true(bound_solve(&sorted, rows.y, &found));
        assert_near(found.squares, squares(&rows, found.floor, found.slope), 1e-9);
        for (unsigned i = 0; i < 500; i++) {
            double reach = i < 250 ? 0.01 : 1.0;
            double floor_ = found.floor * (1.0 + reach * bootstrap_normal(&prng));
            double slope = found.slope * (1.0 + reach * bootstrap_normal(&prng));

            assert_true(squares(&rows, floor_, slope) >= found.squares - 1e-9);
        }
        bound_rows_free(&sorted);
    }
}

/* Rows are in order of load. Each portion is predicted from all others. */
static double left_out_by_hand(const struct rows *rows, size_t portions)
{
    double sum = 0.0;

    for (size_t portion = 0; portion < portions; portion++) {
        struct bound_rows sorted;
        struct bound found;
        struct rows others = {.count = 0};

        for (size_t i = 0; i < rows->count; i++) {
            if (i % portions == portion)
                continue;
            others.load[others.count] = rows->load[i];
            others.y[others.count++] = rows->y[i];
        }
        sort(&sorted, &others);
        assert_true(bound_solve(&sorted, others.y, &found));
        bound_rows_free(&sorted);
        for (size_t i = portion; i < rows->count; i += portions)
            sum += pow(rows->y[i] - bound_at(&found, rows->load[i]), 2.0);
    }
    return sqrt(sum / (double)rows->count);
}

/* One by one, or 64 portions of more rows. */
static void test_left_out(void **state)
{
    static const size_t counts[] = {12, 64, 65, ROWS_MAX};
    struct rows rows;
    struct bound_rows sorted;

    (void)state;
    for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
        rows.count = counts[c];
        for (size_t i = 0; i < rows.count; i++) {
            rows.load[i] = (double)(i + 1);
            rows.y[i] = fmax(rows.count / 4.0, rows.load[i]) + (i % 3 ? 0.1 : -0.2);
        }
        sort(&sorted, &rows);
        assert_near(bound_left_out_rms(&sorted, rows.y),
                    left_out_by_hand(&rows, rows.count < 64 ? rows.count : 64), 1e-9);
        bound_rows_free(&sorted);
    }
}

static struct bound_estimate estimate(const struct rows *rows)
{
    struct bound_estimate e;
    struct error error;

    assert_int_equal(bound_estimate(&e, rows->load, rows->y, rows->sd, rows->count, 1, &error),
                     STATUS_OK);
    return e;
}

/* A bound that no row attains is not seen; it is at most what would not show. */
static void test_not_seen(void **state)
{
    struct rows rows = {{2.0, 4.0, 8.0}, {9.0, 9.0, 9.0}, {0.01, 0.01, 0.01}, 3};
    struct bound_estimate e = estimate(&rows);

    (void)state;
    assert_true(e.floor_seen && !e.slope_seen);
    assert_near(e.found.floor, 9.0, 1e-9);
    assert_near(e.found.slope, 9.0 / 8.0, 1e-9);
    memcpy(rows.y, (double[]){6.0, 12.0, 24.0}, 3 * sizeof(rows.y[0]));
    e = estimate(&rows);
    assert_true(!e.floor_seen && e.slope_seen);
    assert_near(e.found.slope, 3.0, 1e-9);
    assert_near(e.found.floor, 6.0, 1e-9);
    rows.count = 1;
    e = estimate(&rows);
    assert_true(!e.floor_seen && !e.slope_seen);
    assert_true(isnan(e.left_out_rms));
}

static void test_coverage(void **state)
{
    unsigned floor_held = 0, slope_held = 0;
    const unsigned trials = 300;
    struct rows rows;
    struct prng prng;

    (void)state;
    prng_seed(&prng, 6);
    for (unsigned trial = 0; trial < trials; trial++) {
        fill(&rows, 10, 20.0, 1.0, 0.02, &prng);
        struct bound_estimate e = estimate(&rows);
        floor_held += e.floor.low <= 20.0 && e.floor.high >= 20.0;
        slope_held += e.slope.low <= 1.0 && e.slope.high >= 1.0;
    }
    print_message("10 rows, 2 %% off: floor held %.1f %%, slope %.1f %%\n",
                  100.0 * floor_held / trials, 100.0 * slope_held / trials);
    assert_in_range(floor_held, 0.92 * trials, 0.99 * trials);
    assert_in_range(slope_held, 0.92 * trials, 0.99 * trials);
}

static void test_refused(void **state)
{
    struct rows rows = {{1.0, 2.0}, {5.0, 0.0}, {0.1, 0.1}, 2};
    struct bound_estimate e;
    struct error error;

    (void)state;
    assert_int_equal(bound_estimate(&e, rows.load, rows.y, rows.sd, 2, 1, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "above 0"));
    rows.y[1] = -3.0;
    assert_int_equal(bound_estimate(&e, rows.load, rows.y, rows.sd, 2, 1, &error), STATUS_FAILED);
    assert_int_equal(bound_estimate(&e, rows.load, rows.y, rows.sd, 0, 1, &error), STATUS_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least),    cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_not_seen), cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
