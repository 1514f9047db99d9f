/* Figures that no equation determines, from rows: the results are those of an emulated A380, the
 * description is the A380's but for an L3 that is slower, of which less is known, and rows of its
 * latency are kept from the fit. Arguments: the results, and the description of the A380. */
#include "predictor-of.h"

#include "model/fit.h"
#include "predict/attempts.h"
#include "predict/calibrate.h"

#include <math.h>
#include <string.h>

#define BASE          "test-calibrate.device"
#define LATENCY_TRUE  200.0
#define LATENCY_WRONG 300.0

static const char *results_path, *device_path;

static struct records records;
static struct model model;

/* The first description of the file with another latency of the L3. */
static void describe_slower(void)
{
    FILE *from = fopen(device_path, "r"), *to = fopen(BASE, "w");
    char line[512];
    size_t changed = 0;

    assert_true(from && to);
    while (fgets(line, sizeof(line), from) && line[0] != '[') {
        if (strncmp(line, "l3_hit_latency ", strlen("l3_hit_latency ")) != 0) {
            fputs(line, to);
            continue;
        }
        fprintf(to, "l3_hit_latency = %.0f cycles | assumed 150 to 400: a test\n", LATENCY_WRONG);
        changed++;
    }
    fclose(from);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(changed, 1);
}

static void use_latency_rows(bool usable)
{
    for (size_t i = 0; i < records.count; i++) {
        if (!strcmp(records.record[i].benchmark, "latency"))
            records.record[i].usable = usable && !strcmp(records.record[i].status, "ok");
    }
}

static int set_up(void **state)
{
    struct error error;

    (void)state;
    describe_slower();
    if (records_read(&records, &results_path, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    use_latency_rows(false);
    if (fit_model(&model, &family_models, &records, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    model_free(&model);
    records_free(&records);
    remove(BASE);
    return 0;
}

/* Without rows that depend on it nothing is known, and the description's figure stays. */
static void test_without_rows(void **state)
{
    struct predictor *predictor = predictor_of(&model, "./" BASE);

    (void)state;
    figures_calibrate(&model, predictor, &records);
    assert_null(calibration_of(&model, "l3_hit_latency"));
    assert_float_equal(predictor_figure(predictor, VESIM_FIGURE_l3_hit_latency), LATENCY_WRONG,
                       0.0);
    predictor_close(predictor);
}

/* A chase that waits for the L3. */
static const struct record *find_chase(void)
{
    for (size_t i = 0; i < records.count; i++) {
        const struct record *record = &records.record[i];

        if (!strcmp(record->benchmark, "latency") && !strcmp(record->variant, "global_uniform") &&
            record->subgroup_size == 16 && record_parameter(record, "jump", 0.0) == 0.0 &&
            record_parameter(record, "working_set", 0.0) == 1048576.0)
            return record;
    }
    fail_msg("no chase through 1 MiB");
    return NULL;
}

/* Whichever process makes it, an attempt has the value that it asks for, which the predictor does
 * not keep. An attempt without a prediction, or of too much effort, is off by NaN. */
static void test_attempts(void **state)
{
    enum { ATTEMPTS = 24, WITHOUT = 5 };
    struct predictor *predictor = predictor_of(&model, "./" BASE);
    const struct record *chase = find_chase();
    struct attempt attempts[ATTEMPTS], few = {chase, LATENCY_TRUE, 0.0};
    struct record unknown = *chase;

    (void)state;
    unknown.variant = "no_such_variant";
    for (size_t i = 0; i < ATTEMPTS; i++)
        attempts[i] = (struct attempt){chase, i % 3 == 0   ? LATENCY_TRUE
                                              : i % 3 == 1 ? LATENCY_WRONG
                                                           : NAN};
    attempts[WITHOUT].record = &unknown;
    attempts_make(predictor, VESIM_FIGURE_l3_hit_latency, INFINITY, attempts, ATTEMPTS);
    for (size_t i = 0; i < ATTEMPTS; i++) {
        if (i == WITHOUT)
            assert_true(isnan(attempts[i].off));
        else
            assert_near(attempts[i].off, i % 3 == 0 ? 0.0 : log(LATENCY_TRUE / LATENCY_WRONG),
                        0.03);
    }
    assert_float_equal(predictor_figure(predictor, VESIM_FIGURE_l3_hit_latency), LATENCY_WRONG,
                       0.0);
    attempts_make(predictor, VESIM_FIGURE_l3_hit_latency, 1.0, &few, 1);
    assert_true(isnan(few.off));
    predictor_close(predictor);
}

/* The interval holds the truth and not what was assumed; the file hands both on. */
static void test_latency(void **state)
{
    struct predictor *predictor = predictor_of(&model, "./" BASE);
    struct model again;
    struct error error;

    (void)state;
    use_latency_rows(true);
    figures_calibrate(&model, predictor, &records);
    use_latency_rows(false);
    for (size_t i = 0; i < model.calibration_count; i++)
        print_message("%s %.1f (%.1f to %.1f), %zu rows, off by %.3f\n",
                      model.calibration[i].figure, model.calibration[i].value,
                      model.calibration[i].interval.low, model.calibration[i].interval.high,
                      model.calibration[i].rows, model.calibration[i].off);
    const struct calibration *l3 = calibration_of(&model, "l3_hit_latency");
    assert_non_null(l3);
    assert_true(l3->rows >= 2 && l3->off < 0.05);
    assert_near(l3->value, LATENCY_TRUE, 0.05 * LATENCY_TRUE);
    assert_true(l3->interval.low <= LATENCY_TRUE && LATENCY_TRUE <= l3->interval.high);
    assert_true(l3->interval.high < LATENCY_WRONG);
    double known = predictor_figure(predictor, VESIM_FIGURE_l3_hit_latency);
    assert_near(known, l3->value, 0.5);
    predictor_close(predictor);

    assert_int_equal(model_write(&model, "test-calibrate.json", &error), STATUS_OK);
    assert_int_equal(model_read(&again, &family_models, "test-calibrate.json", &error), STATUS_OK);
    remove("test-calibrate.json");
    assert_int_equal(again.calibration_count, model.calibration_count);
    model_free(&again);
    predictor = predictor_of(&model, "./" BASE);
    assert_float_equal(predictor_figure(predictor, VESIM_FIGURE_l3_hit_latency), known, 0.0);
    predictor_close(predictor);
}

/* The latency of the L3 that rows of the family make of the predictor's. */
static double calibrated(struct predictor *predictor)
{
    use_latency_rows(true);
    figures_calibrate(&model, predictor, &records);
    use_latency_rows(false);
    double latency = predictor_figure(predictor, VESIM_FIGURE_l3_hit_latency);
    predictor_close(predictor);
    return latency;
}

/* What counts as measured is tried again if rows contradict it, and stays if they do not. */
static void test_refuted(void **state)
{
    static const struct calibration wrong = {"l3_hit_latency", 300.0, {299.0, 301.0}, 3, 0.0};
    static const struct calibration near = {"l3_hit_latency", 210.0, {209.0, 211.0}, 3, 0.0};
    struct predictor *predictor = predictor_of(&model, "./" BASE);

    (void)state;
    predictor_know(predictor, &wrong);
    assert_near(calibrated(predictor), LATENCY_TRUE, 0.05 * LATENCY_TRUE);
    predictor = predictor_of(&model, "./" BASE);
    predictor_know(predictor, &near);
    assert_float_equal(calibrated(predictor), 210.0, 0.0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_rows),
        cmocka_unit_test(test_attempts),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_refuted),
    };

    if (argc != 3)
        return 2;
    results_path = argv[1];
    device_path = argv[2];
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
