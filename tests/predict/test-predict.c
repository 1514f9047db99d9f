/* Predictions of the benchmark's own families. */
#include "test.h"

#include "families/registry.h"
#include "predict/predict-family.h"

#include <string.h>

static struct predictor *open_predictor(const char *base)
{
    struct predictor *predictor;
    struct model model;
    struct error error;

    model_init(&model, &family_models);
    if (predictor_open(
            &predictor,
            &(struct predictor_settings){
                .model = &model, .figures = &family_figures, .families = &families, .base = base},
            &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return predictor;
}

static size_t variant_of(const struct family *family, const char *name)
{
    size_t v = family_variant(family, name);

    assert_true(v < family->variant_count);
    return v;
}

static struct family_prediction predict(struct predictor *predictor, const char *name,
                                        const char *variant,
                                        const struct configuration *configuration)
{
    const struct family *family = family_find(&families, name);
    struct family_prediction prediction;
    struct error error;

    assert_non_null(family);
    if (predict_family(predictor, family, configuration, variant_of(family, variant), &prediction,
                       &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return prediction;
}

static double share_of(const struct outcome *outcome, const char *name)
{
    for (size_t i = 0; i < outcome->resource_count; i++) {
        if (!strcmp(outcome->resource[i].name, name))
            return outcome->resource[i].share;
    }
    return 0.0;
}

/* By hand, on A380: last signal to release 22 cycles, one more thread one more at the gateway. */
static void test_barrier(void **state)
{
    struct configuration one = {16, 16, 1, {0}}, four = {16, 64, 1, {0}};
    struct predictor *predictor = open_predictor("a380");
    struct family_prediction alone = predict(predictor, "barrier", "work_group_local", &one);
    struct family_prediction together = predict(predictor, "barrier", "work_group_local", &four);

    (void)state;
    assert_true(alone.value > 0.0 && alone.baseline_ns > 0.0);
    assert_true(together.value > alone.value);
    assert_true(share_of(&together.outcome, "barriers") >
                share_of(&together.outcome, "barrier gateway"));
    predictor_close(predictor);
}

/* Repeated, a prediction is the same to the last bit. */
static void test_repeatable(void **state)
{
    struct configuration c = {32, 64, 1, {16, 32, 32}};
    struct predictor *predictor = open_predictor("iris-xe");
    double first = predict(predictor, "matmul", "slm_float", &c).value;

    (void)state;
    assert_true(first > 0.0);
    assert_true(predict(predictor, "matmul", "slm_float", &c).value == first);
    predictor_close(predictor);
}

/* What stores columns, a line for each element, is bound by lines; in rows it is not. */
static void test_bound(void **state)
{
    struct configuration c = {32, 64, 1, {128}};
    struct predictor *predictor = open_predictor("a380");
    struct family_prediction columns = predict(predictor, "transpose", "store_column", &c);
    struct family_prediction rows = predict(predictor, "transpose", "move", &c);

    (void)state;
    assert_string_equal(columns.outcome.resource[0].name, "cache lines of the load/store unit");
    assert_true(columns.outcome.resource[0].is_bound);
    assert_true(columns.outcome.resource[0].share > 0.6);
    assert_true(share_of(&rows.outcome, "cache lines of the load/store unit") < 0.6);
    predictor_close(predictor);
}

static void expect_unsupported(struct predictor *predictor, const char *name, const char *variant,
                               const struct configuration *configuration, const char *message)
{
    const struct family *family = family_find(&families, name);
    struct family_prediction prediction;
    struct error error;

    assert_int_equal(predict_family(predictor, family, configuration, variant_of(family, variant),
                                    &prediction, &error),
                     STATUS_UNSUPPORTED);
    if (!strstr(error.text, message))
        fail_msg("\"%s\" lacks \"%s\"", error.text, message);
}

static void test_unsupported(void **state)
{
    struct configuration c = {32, 64, 1, {16, 32, 32}};
    struct predictor *predictor = open_predictor("a380");

    (void)state;
    expect_unsupported(predictor, "matmul", "broadcast_block_float", &c, "no kernel of this size");
    predictor_close(predictor);
}

/* A figure with an interval moves predictions by its part of a whole cycle, and back. */
static void test_interval(void **state)
{
    struct configuration c = {16, 32, 1, {16, 32, 32}};
    struct family_prediction before, after;
    struct predictor *predictor;
    struct parameter *fitted;
    struct model model;
    struct error error;

    (void)state;
    model_init(&model, &family_models);
    model.clock_mhz = 2450.0;
    fitted = model_add_parameter(&model);
    assert_non_null(fitted);
    snprintf(fitted->name, sizeof(fitted->name), "pipeline.register.simd8");
    fitted->value = 10.0;
    fitted->interval = (struct interval){9.75, 10.25};
    if (predictor_open(
            &predictor,
            &(struct predictor_settings){
                .model = &model, .figures = &family_figures, .families = &families, .base = "a380"},
            &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(predictor_uncertain(predictor), 1);
    before = predict(predictor, "matmul", "naive_float", &c);
    assert_float_equal(predictor_vary(predictor, 0), 0.25, 1e-9);
    after = predict(predictor, "matmul", "naive_float", &c);
    assert_true(after.value > 1.01 * before.value);
    assert_float_equal(predictor_vary(predictor, SIZE_MAX), 0.0, 0.0);
    after = predict(predictor, "matmul", "naive_float", &c);
    assert_true(after.value == before.value);
    predictor_close(predictor);
    model_free(&model);
}

static void test_no_base(void **state)
{
    struct predictor *predictor;
    struct model model;
    struct error error;

    (void)state;
    model_init(&model, &family_models);
    assert_int_equal(predictor_open(&predictor,
                                    &(struct predictor_settings){.model = &model,
                                                                 .figures = &family_figures,
                                                                 .families = &families,
                                                                 .base = "no-such-device"},
                                    &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, "no-such-device"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barrier),  cmocka_unit_test(test_repeatable),
        cmocka_unit_test(test_bound),    cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_interval), cmocka_unit_test(test_no_base),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
