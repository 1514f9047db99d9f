/* Medians and spreads of figures from sketches put together in any order, against those of the
 * sorted values. */
#include "test.h"

#include "base/prng.h"
#include "ranks/sketch.h"

#include <math.h>
#include <stdlib.h>

enum { VALUES = 1001, FIGURES = 5, PARTS = 7 };

static double values[FIGURES][VALUES];

static int by_size(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

static double median_of(double *of)
{
    qsort(of, VALUES, sizeof(*of), by_size);
    return of[VALUES / 2];
}

/* From nanoseconds to seconds, scattered by some percent, with outliers. */
static void draw(struct prng *random)
{
    for (size_t f = 0; f < FIGURES; f++) {
        for (size_t i = 0; i < VALUES; i++) {
            double scatter = 1.0 + 0.04 * f * (prng_below(random, 2001) / 1000.0 - 1.0);

            values[f][i] =
                pow(40.0, (double)f + 1) * scatter * (prng_below(random, 50) ? 1.0 : 3.0);
        }
    }
}

/* Each value goes to one of the parts, and these are put together as leaders would. */
static void collect(struct prng *random, struct sketch *all)
{
    struct sketch part[PARTS] = {{0}};
    struct error error;

    for (size_t i = 0; i < FIGURES * VALUES; i++) {
        struct sketch_cell cell = sketch_cell(i % FIGURES, values[i % FIGURES][i / FIGURES]);

        assert_int_equal(sketch_add(&part[prng_below(random, PARTS)], &cell, 1, &error), STATUS_OK);
    }
    for (size_t i = 0; i < PARTS; i++) {
        assert_int_equal(sketch_add(all, part[i].cells, part[i].count, &error), STATUS_OK);
        sketch_free(&part[i]);
    }
}

static void test_medians(void **state)
{
    struct sketch all = {NULL, 0};
    struct sketch_median *medians;
    struct error error;
    struct prng random;
    size_t count;

    (void)state;
    prng_seed(&random, 11);
    draw(&random);
    collect(&random, &all);
    assert_true(all.count < FIGURES * 250); /* not their number, but how far they differ */
    assert_int_equal(sketch_medians(&all, &medians, &count, &error), STATUS_OK);
    assert_int_equal(count, FIGURES);
    for (size_t f = 0; f < FIGURES; f++) {
        const struct sketch_median *found = sketch_find(medians, count, f);
        double median = median_of(values[f]);

        assert_non_null(found);
        assert_int_equal(found->values, VALUES);
        assert_true(fabs(found->median / median - 1.0) <= SKETCH_STEP / 2.0);
        for (size_t i = 0; i < VALUES; i++)
            values[f][i] = fabs(values[f][i] / median - 1.0);
        assert_true(fabs(found->spread - median_of(values[f])) <= SKETCH_STEP);
    }
    assert_null(sketch_find(medians, count, FIGURES));
    free(medians);
    sketch_free(&all);
}

static void test_nothing(void **state)
{
    struct sketch none = {NULL, 0};
    struct sketch_median *medians;
    struct error error;
    size_t count;

    (void)state;
    assert_int_equal(sketch_medians(&none, &medians, &count, &error), STATUS_OK);
    assert_int_equal(count, 0);
    free(medians);
}

/* Half lie below: between the two in the middle. */
static void test_two(void **state)
{
    struct sketch_cell cells[] = {sketch_cell(1, 100.0), sketch_cell(1, 110.0)};
    struct sketch two = {NULL, 0};
    struct sketch_median *medians;
    struct error error;
    size_t count;

    (void)state;
    assert_int_equal(sketch_add(&two, cells, 2, &error), STATUS_OK);
    assert_int_equal(sketch_medians(&two, &medians, &count, &error), STATUS_OK);
    assert_true(fabs(medians[0].median / 105.0 - 1.0) < 0.001);
    assert_true(fabs(medians[0].spread - 5.0 / 105.0) < 0.002);
    free(medians);
    sketch_free(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_medians),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_two),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
