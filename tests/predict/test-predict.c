/* Predictions of the benchmark's own families. */
#include "predictor-of.h"

#include "predict/check-code.h"
#include "predict/family-figures.h"
#include "predict/interval.h"
#include "predict/predict-family.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* One that knows nothing of the device. */
static struct predictor *open_predictor(const char *base)
{
    struct model model;

    model_init(&model, &family_models);
    return predictor_of(&model, base);
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

/* From fewer iterations: much less effort, and nearly the same. */
static void test_again(void **state)
{
    const struct family *family = family_find(&families, "barrier");
    struct configuration c = {16, 64, 1, {0}};
    struct predictor *predictor = open_predictor("a380");
    struct family_prediction first = predict(predictor, "barrier", "work_group_local", &c), again;
    struct error error;

    (void)state;
    assert_int_equal(predict_family_again(predictor, family, &c,
                                          variant_of(family, "work_group_local"), &again, &error),
                     STATUS_OK);
    assert_true(again.effort > 0.0 && again.effort < first.effort / 8.0);
    assert_float_equal(again.value / first.value, 1.0, 0.05);
    predictor_close(predictor);
}

/* One more work-group that ends at once takes its start or, of many threads, that of its share of
 * those, as all Xe-cores start threads side by side. */
static void expect_dispatch(const char *base)
{
    struct configuration c = {16, 16, 1, {0}};
    const struct family *family = family_find(&families, "launch");
    struct predictor *predictor = open_predictor(base);
    double cycle = 1000.0 / predictor_clock_mhz(predictor);
    double cores = predictor_topology(predictor).xe_cores;

    for (c.workgroup_size = 16; c.workgroup_size <= 512; c.workgroup_size *= 32) {
        double threads = c.workgroup_size / 16.0 / cores;
        double takes =
            cycle *
            fmax(predictor_figure(predictor, VESIM_FIGURE_group_dispatch_interval),
                 threads * predictor_figure(predictor, VESIM_FIGURE_thread_dispatch_interval));
        struct family_prediction again;
        struct error error;

        assert_float_equal(predict(predictor, "launch", "dispatch", &c).value, takes, 0.01 * takes);
        assert_int_equal(predict_family_loop_again(predictor, family, &c,
                                                   variant_of(family, "dispatch"), &again, &error),
                         STATUS_OK);
        assert_float_equal(again.loop_ns, takes, 0.02 * takes);
    }
    predictor_close(predictor);
}

static void test_dispatch(void **state)
{
    (void)state;
    expect_dispatch("a380");
    expect_dispatch("iris-xe");
    expect_dispatch("uhd770");
}

/* Loads that the first level holds, short beside what a launch takes until it holds them, by
 * figures that a world of the suite other-worlds had. By hand: each Xe-core takes as many lines at
 * once as it has ports. */
static void test_short_loop(void **state)
{
    static const struct {
        size_t figure;
        double value;
    } slow[] = {{VESIM_FIGURE_memory_row_miss, 91.0},
                {VESIM_FIGURE_l3_random, 21.0},
                {VESIM_FIGURE_l3_turn_interval, 9.0},
                {VESIM_FIGURE_l1_mshrs, 421.0},
                {VESIM_FIGURE_issue_lowest, 1.0},
                {VESIM_FIGURE_memory_latency, 1096.0},
                {VESIM_FIGURE_l3_hit_latency, 201.0},
                {VESIM_FIGURE_l3_latency_spread, 125.0},
                {VESIM_FIGURE_l1_tlb_entries, 9.0},
                {VESIM_FIGURE_group_dispatch_interval, 34.0},
                {VESIM_FIGURE_l3_banks, 4.0},
                {VESIM_FIGURE_l3_prefetch_lines, 3.0},
                {VESIM_FIGURE_l1_tlb_miss_latency, 96.0},
                {VESIM_FIGURE_tlb_miss_latency, 900.0}};
    struct configuration c = {16, 256, 64, {0}};
    struct predictor *predictor = open_predictor("a380");

    (void)state;
    for (size_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++)
        predictor_take(predictor, slow[i].figure, slow[i].value);
    double cycles_of_kib = 1024.0 / predictor_figure(predictor, VESIM_FIGURE_line_bytes) *
                           predictor_figure(predictor, VESIM_FIGURE_l1_line_interval) /
                           predictor_figure(predictor, VESIM_FIGURE_l1_ports) /
                           (predictor_figure(predictor, VESIM_FIGURE_slices) *
                            predictor_figure(predictor, VESIM_FIGURE_xe_cores_per_slice));
    double least = cycles_of_kib * 1000.0 / predictor_clock_mhz(predictor);
    for (c.own[0] = 128 << 10; c.own[0] <= 1 << 20; c.own[0] *= 2) {
        double value = predict(predictor, "device_bandwidth", "read", &c).value;

        assert_true(value >= 0.95 * least && value <= 2.0 * least);
    }
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

    predictor_take(predictor, VESIM_FIGURE_l1_line_interval, 2.0); /* a line a cycle */
    struct family_prediction columns = predict(predictor, "transpose", "store_column", &c);
    struct family_prediction rows = predict(predictor, "transpose", "copy", &c);

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

/* Several processes predict what one does, in the same places. */
static void test_processes(void **state)
{
    enum { ROWS = 5, PROCESSES = 3 };
    struct predictor *predictor = open_predictor("a380");
    struct coded_row *alone = coded_rows_allocate(ROWS), *shared = coded_rows_allocate(ROWS);
    struct record record[ROWS];

    (void)state;
    assert_non_null(alone);
    assert_non_null(shared);
    memset(record, 0, sizeof(record));
    for (size_t i = 0; i < ROWS; i++) {
        record[i] = (struct record){.benchmark = "barrier",
                                    .variant = i == 3 ? "no such" : "work_group_local",
                                    .subgroup_size = 16,
                                    .workgroup_size = 16 * (unsigned)(i + 1),
                                    .workgroup_count = 1,
                                    .parameters = "",
                                    .loop_ns = 1.0};
        alone[i].row.record = shared[i].row.record = &record[i];
    }
    coded_rows_predict(alone, ROWS, predictor, 1);
    coded_rows_predict(shared, ROWS, predictor, PROCESSES);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(shared[i].error.status, alone[i].error.status);
        assert_true(shared[i].row.predicted == alone[i].row.predicted);
    }
    assert_int_equal(shared[3].error.status, STATUS_UNSUPPORTED);
    assert_true(shared[4].row.predicted > shared[0].row.predicted);
    coded_rows_free(alone, ROWS);
    coded_rows_free(shared, ROWS);
    predictor_close(predictor);
}

struct asked {
    struct predictor *predictor;
    const struct configuration *configuration;
};

static enum status ask_matmul(void *context, double *value, struct error *error)
{
    const struct asked *asked = context;

    (void)error;
    *value = predict(asked->predictor, "matmul", "naive_float", asked->configuration).value;
    return STATUS_OK;
}

static enum status ask_transpose(void *context, double *value, struct error *error)
{
    const struct asked *asked = context;

    (void)error;
    *value = predict(asked->predictor, "transpose", "store_column", asked->configuration).value;
    return STATUS_OK;
}

static struct predictor *open_fitted(struct model *model, double value, struct interval interval)
{
    struct predictor *predictor;
    struct error error;

    model_init(model, &family_models);
    model->clock_mhz = 2450.0;
    struct parameter *fitted = model_add_parameter(model);
    assert_non_null(fitted);
    snprintf(fitted->name, sizeof(fitted->name), "pipeline.register.simd8");
    fitted->value = value;
    fitted->interval = interval;
    if (predictor_open(
            &predictor,
            &(struct predictor_settings){
                .model = model, .figures = &family_figures, .families = &families, .base = "a380"},
            &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return predictor;
}

/* A figure that is measured to a quarter of a cycle moves predictions by its part of a whole one,
 * in either direction; the figures that are assumed move them as well. */
static void test_interval(void **state)
{
    struct configuration c = {16, 32, 1, {16, 32, 32}};
    struct model model;
    struct predictor *predictor = open_fitted(&model, 10.0, (struct interval){9.75, 10.25});
    const struct uncertainty *uncertainty = predictor_uncertainty(predictor);
    struct asked asked = {predictor, &c};
    const struct evaluator evaluator = {
        .predictor = predictor, .context = &asked, .evaluate = ask_matmul, .evaluations_most = 10};
    double before = predict(predictor, "matmul", "naive_float", &c).value;
    struct prediction_interval interval;
    struct error error;

    (void)state;
    assert_int_equal(uncertainty->fine_count, 1);
    assert_int_equal(uncertainty->fine[0].index, VESIM_FIGURE_fpu_latency);
    assert_true(uncertainty->count > 10 && uncertainty->figure[0].assumed);
    predictor_take(predictor, VESIM_FIGURE_fpu_latency, 11.0);
    double raised = predict(predictor, "matmul", "naive_float", &c).value;
    assert_true(raised > 1.01 * before);
    predictor_restore(predictor);
    assert_true(predict(predictor, "matmul", "naive_float", &c).value == before);
    assert_int_equal(prediction_interval_find(&evaluator, before, &interval, &error), STATUS_OK);
    assert_true(interval.high - before > 0.249 * (raised - before));
    assert_true(before - interval.low > 0.249 * (raised - before));
    predictor_close(predictor);
    model_free(&model);
}

/* A transpose by columns takes a third longer where a line at each port takes two cycles, which is
 * in the range of what is assumed (at one, its instructions bound it): its interval has that time,
 * and the figure that matters most is named. */
static void test_assumed(void **state)
{
    struct configuration c = {32, 64, 1, {128}};
    struct predictor *predictor = open_predictor("a380");
    struct asked asked = {predictor, &c};
    const struct evaluator evaluator = {.predictor = predictor,
                                        .context = &asked,
                                        .evaluate = ask_transpose,
                                        .evaluations_most = 36};
    double before = predict(predictor, "transpose", "store_column", &c).value;
    struct prediction_interval interval;
    struct error error;

    (void)state;
    predictor_take(predictor, VESIM_FIGURE_l1_line_interval, 2.0);
    double slower = predict(predictor, "transpose", "store_column", &c).value;
    predictor_restore(predictor);
    assert_true(slower > 1.3 * before);
    assert_int_equal(prediction_interval_find(&evaluator, before, &interval, &error), STATUS_OK);
    assert_true(interval.low <= before && slower <= interval.high);
    assert_true(interval.cause_count > 0);
    /* at two lines a cycle, the lines in flight matter more */
    assert_string_equal(interval.cause[0].figure, "l1_mshrs");
    assert_true(interval.cause[0].assumed);
    assert_non_null(strstr(interval.cause[0].sweep, "vebench run memory_32 "));
    assert_non_null(
        strstr(predictor_rule(predictor, VESIM_FIGURE_tlb_miss_latency)->sweep, "stride=65600"));
    assert_null(predictor_rule(predictor, VESIM_FIGURE_long_lanes));
    predictor_close(predictor);
}

/* Each figure has a value from each part of its range, always the same ones. */
static void test_draws(void **state)
{
    struct predictor *predictor = open_predictor("a380"), *again = open_predictor("a380");
    const struct uncertainty *uncertainty = predictor_uncertainty(predictor);
    const struct uncertainty_draws *draws = predictor_draws(predictor);

    (void)state;
    assert_memory_equal(draws, predictor_draws(again), sizeof(*draws));
    for (size_t f = 0; f < uncertainty->count; f++) {
        const struct uncertain_figure *figure = &uncertainty->figure[f];
        double middle = figure->lines || uncertainty_is_power_of_two(figure->index)
                            ? sqrt(figure->low * figure->high)
                            : (figure->low + figure->high) / 2.0;
        double least = INFINITY, most = 0.0;
        size_t below = 0;

        for (size_t d = 0; d < UNCERTAINTY_DRAWS; d++) {
            least = fmin(least, draws->value[d][f]);
            most = fmax(most, draws->value[d][f]);
            below += draws->value[d][f] < middle;
        }
        assert_true(least >= figure->low && most <= figure->high);
        assert_true(below >= UNCERTAINTY_DRAWS / 4 && below <= 3 * UNCERTAINTY_DRAWS / 4);
    }
    predictor_close(again);
    predictor_close(predictor);
}

/* Where in its range a figure is at the moment, 0 to 1. */
static double place_of(const struct predictor *predictor, const struct uncertain_figure *figure)
{
    return (predictor_figure(predictor, figure->index) - figure->low) /
           (figure->high - figure->low);
}

/* Figures that may have many values, evenly spread over their range. */
static size_t find_wide(const struct uncertainty *uncertainty, size_t *wide)
{
    size_t count = 0;

    for (size_t f = 0; f < uncertainty->count; f++) {
        const struct uncertain_figure *figure = &uncertainty->figure[f];

        if (!figure->lines && !uncertainty_is_power_of_two(figure->index) &&
            figure->high - figure->low >= 40.0)
            wide[count++] = f;
    }
    return count;
}

/* Whether the interval of the predictor's `draws` holds the time of a device drawn anew, where so
 * many figures, any of them, add as much to it. */
static bool is_held(struct predictor *predictor, struct prng *prng, size_t draws, size_t deciding)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(predictor);
    struct prediction_interval interval = {.draws = draws};
    size_t wide[VESIM_FIGURE_COUNT], order[VESIM_FIGURE_COUNT];
    double drawn[UNCERTAINTY_DRAWS], truth = 1.0;
    size_t count = find_wide(uncertainty, wide);

    assert_true(count >= deciding);
    prng_permutation(prng, order, count);
    for (size_t d = 0; d < draws; d++) {
        predictor_take_draw(predictor, d);
        drawn[d] = 1.0;
        for (size_t i = 0; i < deciding; i++)
            drawn[d] += place_of(predictor, &uncertainty->figure[wide[order[i]]]);
    }
    predictor_restore(predictor);
    for (size_t i = 0; i < deciding; i++)
        truth += (double)prng_below(prng, 1u << 20) / (double)(1u << 20);
    interval.value = drawn[0];
    interval_span(&interval, drawn, draws, 1.0);
    return interval.low <= truth && truth <= interval.high;
}

/* Nine of ten, of six draws or of all, where several figures decide; where one does, more. */
static void test_coverage(void **state)
{
    enum { TRIES = 12000 };
    static const size_t deciding[] = {1, 2, 6}, draws[] = {6, 8, 12, 24};
    struct predictor *predictor = open_predictor("a380");
    struct prng prng;

    (void)state;
    prng_seed(&prng, (uint64_t)time(NULL));
    for (size_t c = 0; c < 12; c++) {
        size_t held = 0;

        predictor_draw(predictor, draws[c / 3]);
        for (size_t t = 0; t < TRIES; t++)
            held += is_held(predictor, &prng, draws[c / 3], deciding[c % 3]);
        print_message("%zu draws, %zu figures: %.1f %%\n", draws[c / 3], deciding[c % 3],
                      100.0 * (double)held / TRIES);
        assert_true(held >= TRIES * 86 / 100);
        assert_true(held <= TRIES * 95 / 100 || deciding[c % 3] == 1);
    }
    predictor_close(predictor);
}

/* Ways of which there is a power of two of sets, each as often: 3,072 lines of the first level make
 * 512, 256 and 128, and 65,536 of the L3 8,192 to 1,024. */
static void test_ways(void **state)
{
    static const double l1[] = {6, 12, 24}, l3[] = {8, 16, 32, 64};
    struct predictor *predictor = open_predictor("a380");
    const struct uncertainty *uncertainty = predictor_uncertainty(predictor);
    size_t seen = 0;

    (void)state;
    for (size_t f = 0; f < uncertainty->count; f++) {
        size_t index = uncertainty->figure[f].index, each[UNCERTAINTY_DRAWS] = {0};
        size_t count = index == VESIM_FIGURE_l1_ways ? 3 : index == VESIM_FIGURE_l3_ways ? 4 : 0;
        const double *ways = index == VESIM_FIGURE_l1_ways ? l1 : l3;

        for (size_t d = 0; count && d < UNCERTAINTY_DRAWS; d++)
            for (size_t i = 0; i < count; i++)
                each[i] += predictor_draws(predictor)->value[d][f] == ways[i];
        for (size_t i = 0; i < count; i++)
            assert_int_equal(each[i], UNCERTAINTY_DRAWS / count);
        seen += count > 0;
    }
    assert_int_equal(seen, 2);
    predictor_close(predictor);
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
        cmocka_unit_test(test_barrier),   cmocka_unit_test(test_repeatable),
        cmocka_unit_test(test_bound),     cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_processes), cmocka_unit_test(test_interval),
        cmocka_unit_test(test_assumed),   cmocka_unit_test(test_draws),
        cmocka_unit_test(test_coverage),  cmocka_unit_test(test_no_base),
        cmocka_unit_test(test_again),     cmocka_unit_test(test_short_loop),
        cmocka_unit_test(test_dispatch),  cmocka_unit_test(test_ways),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
