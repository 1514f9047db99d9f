/* Barriers that take more the more threads they have, by another law than the emulator's: rows of
 * such a device, of up to 16 threads, tell what they take. Argument: results of an emulated A380,
 * which have a row of a barrier. */
#include "predictor-of.h"

#include "model/fit.h"
#include "predict/barriers.h"
#include "predict/predict-record.h"

#include <math.h>
#include <string.h>

#define SIZES   4
#define CYCLES  0.7 /* that a barrier takes more, for its threads squared */
#define MIDDLE  12  /* threads that no row has */
#define COUNTED 1.5 /* the clock counts whole cycles: this and an iteration's others are lost */

static const char *results_path;

static struct records results;
static struct record row[SIZES];
static const struct records rows = {.record = row, .count = SIZES};
static const unsigned threads[SIZES] = {1, 4, 8, 16};
static struct model model;

static int set_up(void **state)
{
    struct error error;
    const struct record *barrier = NULL;

    (void)state;
    if (records_read(&results, &results_path, 1, &error) != STATUS_OK ||
        fit_model(&model, &family_models, &results, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < results.count; i++) {
        if (!strcmp(results.record[i].benchmark, "pipeline") &&
            !strcmp(results.record[i].variant, "barrier"))
            barrier = &results.record[i];
    }
    assert_non_null(barrier);
    for (size_t i = 0; i < SIZES; i++) {
        row[i] = *barrier;
        row[i].workgroup_size = threads[i] * barrier->subgroup_size;
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    model_free(&model);
    records_free(&results);
    return 0;
}

static double excess_of(unsigned count)
{
    return CYCLES * count * count;
}

/* A row's loop on the device of the predictor, ns. */
static double time_row(struct predictor *predictor, const struct record *record)
{
    struct family_prediction prediction;
    struct error error;

    if (predict_record_loop_again(predictor, record, &prediction, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return prediction.loop_ns;
}

/* The same where its barrier takes so many cycles more. */
static double time_with(struct predictor *predictor, const struct record *record, double excess)
{
    double latency = predictor_figure(predictor, VESIM_FIGURE_barrier_latency);

    predictor_take(predictor, VESIM_FIGURE_barrier_latency, latency + excess);
    double ns = time_row(predictor, record);
    predictor_restore(predictor);
    return ns;
}

/* A device whose barriers are as the figures say: they stay. */
static void test_usual(void **state)
{
    struct predictor *predictor = predictor_of(&model, "a380");

    (void)state;
    for (size_t i = 0; i < SIZES; i++)
        row[i].loop_ns = time_row(predictor, &row[i]);
    barriers_learn(&model, predictor, &rows);
    assert_int_equal(model.barrier_count, 0);
    predictor_close(predictor);
}

/* What each number of threads takes is found; a row of another number, and a predictor that is
 * opened with the model, have it. */
static void test_squared(void **state)
{
    struct predictor *predictor = predictor_of(&model, "a380");
    struct record middle = row[0];

    (void)state;
    middle.workgroup_size = MIDDLE * middle.subgroup_size;
    double usual = time_row(predictor, &middle);
    double between = time_with(predictor, &middle, (excess_of(8) + excess_of(16)) / 2.0);
    for (size_t i = 0; i < SIZES; i++)
        row[i].loop_ns = time_with(predictor, &row[i], round(excess_of(threads[i])));
    barriers_learn(&model, predictor, &rows);
    assert_int_equal(model.barrier_count, SIZES);
    for (size_t i = 0; i < SIZES; i++) {
        assert_int_equal(model.barrier[i].threads, threads[i]);
        assert_int_equal(model.barrier[i].rows, 1);
        assert_true(fabs(model.barrier[i].cycles - excess_of(threads[i])) < COUNTED);
    }
    struct predictor *other = predictor_of(&model, "a380");
    double cycle = 1000.0 / predictor_clock_mhz(predictor);
    for (size_t i = 0; i < SIZES; i++)
        assert_true(fabs(time_row(other, &row[i]) - row[i].loop_ns) < COUNTED * cycle);
    assert_true(between > 1.5 * usual);
    assert_true(fabs(time_row(other, &middle) - between) < COUNTED * cycle);
    assert_true(fabs(time_row(predictor, &middle) - between) < COUNTED * cycle);
    predictor_close(other);
    predictor_close(predictor);
    model.barrier_count = 0;
}

static void test_lines(void **state)
{
    static const struct barrier_excess known[] = {{2, 10.0, 1}, {4, 20.0, 1}, {8, 60.0, 1}};

    (void)state;
    assert_float_equal(barriers_excess(known, 0, 4.0), 0.0, 0.0);
    assert_float_equal(barriers_excess(known, 1, 8.0), 10.0, 0.0);
    assert_float_equal(barriers_excess(known, 3, 1.0), 10.0, 0.0);
    assert_float_equal(barriers_excess(known, 3, 3.0), 15.0, 1e-9);
    assert_float_equal(barriers_excess(known, 3, 8.0), 60.0, 1e-9);
    assert_float_equal(barriers_excess(known, 3, 16.0), 140.0, 1e-9);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usual),
        cmocka_unit_test(test_squared),
        cmocka_unit_test(test_lines),
    };

    if (argc != 2)
        return 2;
    results_path = argv[1];
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
