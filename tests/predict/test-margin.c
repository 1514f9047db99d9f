/* The margin for rules that are wrong: learnt from half of the rows of a result, does it hold for
 * the other half? The result is one of docs/results; what a device's other rules would do to a row
 * is drawn. */
#include "predictor-of.h"

#include "base/prng.h"
#include "model/fit.h"
#include "predict/margin.h"
#include "predict/predict-record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *results_path;

static struct records records;
static struct model model;
static double *measured_ns; /* a loop of each row, which tests alter */

static int set_up(void **state)
{
    struct error error;

    (void)state;
    if (records_read(&records, &results_path, 1, &error) != STATUS_OK ||
        fit_model(&model, &family_models, &records, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    measured_ns = calloc(records.count, sizeof(*measured_ns));
    assert_non_null(measured_ns);
    for (size_t i = 0; i < records.count; i++)
        measured_ns[i] = records.record[i].loop_ns;
    return 0;
}

/* After a test that has altered them. */
static int restore_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < records.count; i++)
        records.record[i].loop_ns = measured_ns[i];
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(measured_ns);
    model_free(&model);
    records_free(&records);
    return 0;
}

/* Of a mean of 0 and a standard deviation of 1. */
static double normal(struct prng *prng)
{
    double sum = -6.0;

    for (size_t i = 0; i < 12; i++)
        sum += (double)prng_below(prng, 1u << 24) / (double)(1u << 24);
    return sum;
}

static bool is_held_out(const struct record *record)
{
    const struct family *family = family_find(&families, record->benchmark);

    return family && family->is_held_out && record->usable && record->loop_ns > 0.0;
}

/* Of the rows that nothing is learnt from, how many lie in their intervals. */
static double share_held(struct predictor *predictor, const bool *is_for_learning)
{
    size_t rows = 0, held = 0;

    for (size_t i = 0; i < records.count && rows < 60; i++) {
        struct family_prediction prediction;
        struct error error;

        if (is_for_learning[i] || !is_held_out(&records.record[i]) ||
            predict_record(predictor, &records.record[i], &prediction, &error) != STATUS_OK)
            continue;
        struct prediction_interval interval = {
            .value = prediction.loop_ns, .low = prediction.loop_ns, .high = prediction.loop_ns};
        assert_true(margin_widen(&model, prediction.outcome.part, prediction.outcome.part_count,
                                 &interval, NULL));
        double measured = records.record[i].loop_ns;
        rows++;
        held += measured >= interval.low && measured <= interval.high;
    }
    assert_true(rows >= 30);
    return (double)held / (double)rows;
}

/* Every row takes a drawn factor more or less: of those that were not learnt from, about nine of
 * ten are within the margin; and it is no wider than errors of that size need. */
static void test_drawn_rules(void **state)
{
    bool *is_for_learning = calloc(records.count, sizeof(*is_for_learning));
    double held = 0.0;
    enum { WORLDS = 3 };
    struct prng prng;
    struct error error;

    (void)state;
    assert_non_null(is_for_learning);
    prng_seed(&prng, 8);
    for (size_t world = 0; world < WORLDS; world++) {
        struct predictor *predictor = predictor_of(&model, "a380");
        double sd = 0.1 * (double)(world + 1);

        for (size_t i = 0; i < records.count; i++) {
            is_for_learning[i] = prng_below(&prng, 2);
            records.record[i].loop_ns = measured_ns[i] * exp(sd * normal(&prng));
            records.record[i].usable = records.record[i].usable && is_for_learning[i];
        }
        assert_int_equal(margins_learn(&model, predictor, &records, &error), STATUS_OK);
        for (size_t i = 0; i < records.count; i++)
            records.record[i].usable = !strcmp(records.record[i].status, "ok") &&
                                       !strcmp(records.record[i].verified, "1") &&
                                       isfinite(records.record[i].value);
        assert_true(model.margin_count > 0);
        /* 1.645 standard deviations are nine of ten; so few rows are off by a third of that. */
        double width = log(model.margin[0].shorter) + log(model.margin[0].longer);
        assert_true(width > 2.0 * 1.645 * sd * 0.6);
        assert_true(width < 2.0 * (1.645 * sd * 1.6 + 0.05));
        held += share_held(predictor, is_for_learning) / WORLDS;
        predictor_close(predictor);
    }
    print_message("%.0f %% of rows that nothing was learnt from are within the margin\n",
                  100.0 * held);
    assert_true(held >= 0.82);
    free(is_for_learning);
}

/* The margin of a kind of time, which the model has. */
static const struct margin *margin_of(const char *kind)
{
    const struct margin *margin = model_margin(&model, kind);

    assert_ptr_not_equal(margin, &model.margin[0]);
    return margin;
}

/* A third of the rows take 30 % longer: so does the margin, and it is a third as wide towards
 * shorter times, as a logarithm. */
static void test_slower_rules(void **state)
{
    struct predictor *predictor = predictor_of(&model, "a380");
    struct error error;

    (void)state;
    for (size_t i = 0; i < records.count; i += 3)
        records.record[i].loop_ns *= 1.3;
    assert_int_equal(margins_learn(&model, predictor, &records, &error), STATUS_OK);
    assert_true(model.margin_count > 1);
    assert_true(model.margin[0].shorter > cbrt(1.25) && model.margin[0].shorter < cbrt(1.4));
    assert_true(model.margin[0].longer > 1.25 && model.margin[0].longer < 1.4);
    predictor_close(predictor);
}

/* What waits for memory takes twice as long: a kernel of arithmetic has a margin of a few percent,
 * one of memory a wide one, upwards. */
static void test_slower_memory(void **state)
{
    struct predictor *predictor = predictor_of(&model, "a380");
    struct error error;

    (void)state;
    for (size_t i = 0; i < records.count; i++) {
        struct family_prediction prediction;
        double memory = 0.0;

        if (!is_held_out(&records.record[i]) ||
            predict_record(predictor, &records.record[i], &prediction, &error) != STATUS_OK)
            continue;
        for (size_t p = 0; p < prediction.outcome.part_count; p++) {
            const struct part *part = &prediction.outcome.part[p];

            memory += !strcmp(part->name, "memory and math messages") ||
                              !strcmp(part->name, "turns to send")
                          ? part->share
                          : 0.0;
        }
        records.record[i].loop_ns *= 1.0 + memory;
    }
    assert_int_equal(margins_learn(&model, predictor, &records, &error), STATUS_OK);
    for (size_t i = 0; i < model.margin_count; i++)
        print_message("%s: %zu rows, %.3f, %.3f to %.3f\n", model.margin[i].mechanism,
                      model.margin[i].rows, model.margin[i].median, 1.0 / model.margin[i].shorter,
                      model.margin[i].longer);
    assert_true(margin_of("memory")->longer > 1.6);
    assert_true(margin_of("memory")->shorter < cbrt(margin_of("memory")->longer) + 1e-9);
    assert_true(margin_of("instructions")->longer < 1.3);
    assert_true(margin_of(PART_LAUNCH)->longer < 1.1);
    predictor_close(predictor);
}

/* A value of 100 from 80 to 125, and rules within a factor of 1.25: in logarithms, 0.2231 twice in
 * quadrature. Half the time in memory, of whose rules the factor is 2, and half in barriers, which
 * the model does not know: the root of 2 times 1.25. */
static void test_quadrature(void **state)
{
    struct prediction_interval interval = {.value = 100.0, .low = 80.0, .high = 125.0};
    const struct outcome barriers = {.part = {{"barriers", 0.9}}, .part_count = 1};
    const struct outcome both = {.part = {{"turns to send", 0.4}, {"barriers", 0.4}},
                                 .part_count = 2};
    double factor = exp(sqrt(2.0) * log(1.25));
    struct margin widened;
    struct model known = {.margin = {{"", 40, 1.0, 1.25, 1.25}, {"memory", 10, 1.0, 1.0, 2.0}},
                          .margin_count = 2};

    (void)state;
    assert_true(margin_widen(&known, barriers.part, barriers.part_count, &interval, &widened));
    assert_true(fabs(widened.longer - 1.25) < 1e-9 && fabs(widened.shorter - 1.25) < 1e-9);
    assert_true(fabs(interval.low - 100.0 / factor) < 1e-9);
    assert_true(fabs(interval.high - 100.0 * factor) < 1e-9);
    interval = (struct prediction_interval){.value = 100.0, .low = 100.0, .high = 100.0};
    assert_true(margin_widen(&known, both.part, both.part_count, &interval, &widened));
    assert_true(fabs(interval.low - 100.0 / sqrt(1.25)) < 1e-9);
    assert_true(fabs(interval.high - 100.0 * sqrt(2.5)) < 1e-9);
    assert_int_equal(widened.rows, 40);
    assert_string_equal(widened.mechanism, "memory");
    known.margin_count = 0;
    assert_false(margin_widen(&known, both.part, both.part_count, &interval, &widened));
    assert_true(fabs(interval.high - 100.0 * sqrt(2.5)) < 1e-9);
}

/* Six draws of a time, in halves of the unit: a share of the spread further above, of the ratio
 * below. */
static void test_span(void **state)
{
    const double share = 7.5 / 36.0 - 0.02;
    struct prediction_interval interval = {.value = 100.0, .draws = 6};

    (void)state;
    interval_span(&interval, (const double[]){200.0, 1600.0, 100.0, 300.0, 400.0, 210.0}, 6, 0.5);
    assert_true(fabs(interval.high - (800.0 + share * 750.0)) < 1e-9);
    assert_true(fabs(interval.low - 50.0 * pow(16.0, -share)) < 1e-9);
    interval_span(&interval, (const double[]){240.0, 400.0, 260.0}, 3, 0.5);
    assert_true(fabs(interval.high - (200.0 + share * 100.0)) < 1e-9);
    assert_true(fabs(interval.low - 100.0 * pow(2.0, -share)) < 1e-9);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_drawn_rules, restore_times),
        cmocka_unit_test_teardown(test_slower_rules, restore_times),
        cmocka_unit_test_teardown(test_slower_memory, restore_times),
        cmocka_unit_test(test_quadrature),
        cmocka_unit_test(test_span),
    };

    if (argc != 2)
        return 2;
    results_path = argv[1];
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
