/* A launch of somebody's kernel from the words of a command line. */
#include "test.h"

#include "commands/predict-kernel.h"
#include "families/registry.h"
#include "predict/interval.h"
#include "predict/sample.h"

#include <string.h>

static const char *module_path;
static struct predictor *predictor;

static int open_predictor(void **state)
{
    struct model model;
    struct error error;

    (void)state;
    model_init(&model, &family_models);
    return predictor_open(&predictor,
                          &(struct predictor_settings){
                              .model = &model, .figures = &family_figures, .base = "a380"},
                          &error) == STATUS_OK
               ? 0
               : -1;
}

static int close_predictor(void **state)
{
    (void)state;
    predictor_close(predictor);
    return 0;
}

static struct predict_request n_body(void)
{
    return (struct predict_request){
        .spirv_path = module_path,
        .kernel = "n_body",
        .global = "512",
        .local = "64",
        .arguments = {"2=512", "3=0.5", "4=1K"},
        .argument_count = 3,
    };
}

static void test_launch(void **state)
{
    struct predict_request request = n_body();
    struct predict_signature signature;
    struct kernel_launch made;
    struct error error;

    (void)state;
    request.trips = "3,0";
    assert_int_equal(kernel_launch_make(&made, predictor, &request, &signature, &error), STATUS_OK);
    assert_int_equal(signature.argument_count, 5);
    assert_int_equal(signature.argument[0].kind, ARGUMENT_BUFFER);
    assert_int_equal(signature.argument[4].kind, ARGUMENT_LOCAL);
    assert_int_equal(made.launch.local[0], 64);
    assert_int_equal(made.launch.local[1], 1);
    assert_int_equal(made.launch.count[0], 8);
    assert_int_equal(made.launch.argument[2].value, 512);
    assert_int_equal(made.launch.argument[3].value, 0x3f000000);
    assert_true(made.launch.argument[4].is_local);
    assert_int_equal(made.launch.argument[4].bytes, 1024);
    assert_int_equal(made.launch.buffer_count, 2);
    assert_int_equal(made.launch.argument[1].value, made.launch.buffer[1].address);
    assert_true(made.launch.buffer[1].address >=
                made.launch.buffer[0].address + made.launch.buffer[0].bytes);
    assert_int_equal(made.kernel.trip_count, 2);
    assert_int_equal(made.kernel.trips[0], 3);
    kernel_launch_free(&made);
}

static void expect_error(const struct predict_request *request, const char *message)
{
    struct predict_signature signature;
    struct kernel_launch made;
    struct error error;

    assert_int_not_equal(kernel_launch_make(&made, predictor, request, &signature, &error),
                         STATUS_OK);
    if (!strstr(error.text, message))
        fail_msg("\"%s\" lacks \"%s\"", error.text, message);
}

static void test_bad_words(void **state)
{
    struct predict_request request = n_body();

    (void)state;
    request.global = "500";
    expect_error(&request, "--global 500 is no multiple of --local 64");
    request.global = "512,1,1,1";
    expect_error(&request, "--global 512,1,1,1: give 1 to 3");
    request.global = "0";
    expect_error(&request, "--global 0");
    request = n_body();
    request.local = "64,";
    expect_error(&request, "--local 64,");
    request = n_body();
    request.trips = "4,x";
    expect_error(&request, "--trips 4,x");
    request = n_body();
    request.argument_count = 2;
    expect_error(&request, "argument 4 of n_body is shared local memory: give --arg 4=BYTES");
    request.argument_count = 1;
    expect_error(&request, "argument 3 of n_body is a number: give --arg 3=VALUE");
    request = n_body();
    request.arguments[0] = "7=1";
    expect_error(&request, "--arg 7=1: give INDEX=VALUE; n_body has arguments 0 to 4");
    request.arguments[0] = "two";
    expect_error(&request, "--arg two");
    request.arguments[0] = "2=many";
    expect_error(&request, "argument 2 is a number");
    request = n_body();
    request.arguments[2] = "4=-1";
    expect_error(&request, "give its bytes");
    request.arguments[2] = "4=99999999999M";
    expect_error(&request, "give its bytes");
    request = n_body();
    request.kernel = "nobody";
    expect_error(&request, "there is no kernel nobody");
    request.spirv_path = "no-such-file.spv";
    expect_error(&request, "cannot read no-such-file.spv");
}

static double cycles_of(const struct predict_request *request)
{
    struct predict_signature signature;
    struct kernel_launch made;
    struct launch_sample sample;
    struct error error;

    if (kernel_launch_make(&made, predictor, request, &signature, &error) != STATUS_OK ||
        sample_launch(&sample, predictor, &made.kernel, &made.launch, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    kernel_launch_free(&made);
    return sample.outcome.cycles;
}

static void write_steps(const char *path, uint32_t count, size_t bytes)
{
    const uint32_t steps[] = {count, 1664525u, 1013904223u, 0};
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(steps, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* A struct by value has to be given, and its contents count. */
static void test_struct(void **state)
{
    static const char *const path = "predict-kernel-steps.bin";
    struct predict_request request = {
        .spirv_path = module_path,
        .kernel = "steps",
        .global = "512",
        .local = "64",
        .arguments = {"1=@predict-kernel-steps.bin"},
        .argument_count = 1,
    };
    double cycles[2];

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        write_steps(path, 100 + 100 * i, 16);
        cycles[i] = cycles_of(&request);
    }
    assert_true(cycles[1] - cycles[0] > 100.0);
    write_steps(path, 100, 8);
    expect_error(&request, "the file has 8 bytes");
    request.arguments[0] = "1=100";
    expect_error(&request, "argument 1 is a struct or a vector of at least 16 bytes");
    request.argument_count = 0;
    expect_error(&request, "argument 1 of steps");
    remove(path);
}

/* A loop takes longer in proportion to its trips: an iteration always takes the same time. */
static void test_trips(void **state)
{
    struct predict_request request = n_body();
    double cycles[3];

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        const char *trips[] = {"0,4", "0,8", "0,12"};

        request.trips = trips[i];
        cycles[i] = cycles_of(&request);
    }
    assert_true(cycles[1] - cycles[0] > 1000.0);
    assert_float_equal((cycles[2] - cycles[1]) / (cycles[1] - cycles[0]), 1.0, 0.02);
}

static enum status evaluate_again(void *context, double *value, struct error *error)
{
    return sample_again(context, value, error);
}

/* A work-group that no Xe-core holds, and memory that is not there: errors that say so. */
static void test_faults(void **state)
{
    struct predict_request request = n_body();
    struct predict_signature signature;
    struct kernel_launch made;
    struct launch_sample sample;
    struct error error;

    (void)state;
    request.global = request.local = "8192";
    assert_int_equal(kernel_launch_make(&made, predictor, &request, &signature, &error), STATUS_OK);
    assert_int_equal(sample_launch(&sample, predictor, &made.kernel, &made.launch, &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, "a work-group of 8192 work-items"));
    kernel_launch_free(&made);
}

/* What a buffer holds: by rule, from a file of which it has the size, and zeros. */
static void test_contents(void **state)
{
    static const uint32_t numbers[] = {7, 8, 9};
    struct predict_request request = n_body();
    struct predict_signature signature;
    struct kernel_launch made;
    struct predict_launch other;
    struct error error;
    FILE *file = fopen("contents.bin", "wb");

    (void)state;
    assert_non_null(file);
    assert_int_equal(fwrite(numbers, sizeof(numbers), 1, file), 1);
    assert_int_equal(fclose(file), 0);
    request.buffers[0] = "0=contents.bin";
    request.buffers[1] = "1=iota";
    request.buffer_count = 2;
    assert_int_equal(kernel_launch_make(&made, predictor, &request, &signature, &error), STATUS_OK);
    assert_int_equal(made.launch.buffer[0].bytes, sizeof(numbers));
    assert_memory_equal(made.launch.buffer[0].host, numbers, sizeof(numbers));
    const uint32_t *words = made.launch.buffer[1].host;
    assert_true(made.launch.buffer[1].is_file);
    assert_int_equal(words[0], 0);
    assert_int_equal(words[100], 100);
    assert_int_equal(made.unsaid_count, 0);
    kernel_launch_free(&made);
    request.buffers[0] = "0=random:5:10";
    request.buffer_count = 1;
    assert_int_equal(kernel_launch_make(&made, predictor, &request, &signature, &error), STATUS_OK);
    words = made.launch.buffer[0].host;
    for (size_t i = 0; i < made.launch.buffer[0].bytes / sizeof(*words); i++)
        assert_true(words[i] < 10);
    assert_null(made.launch.buffer[1].host);
    assert_int_equal(made.unsaid_count, 1);
    assert_int_equal(kernel_launch_fill(&made, &other, &error), STATUS_OK);
    assert_ptr_equal(other.buffer[0].host, words);
    words = other.buffer[1].host;
    for (size_t i = 0; i < other.buffer[1].bytes / sizeof(*words); i++)
        assert_true(words[i] < other.buffer[0].bytes / 8);
    kernel_launch_free(&made);
    remove("contents.bin");
}

static void test_bad_contents(void **state)
{
    static const struct {
        const char *word, *message;
    } bad[] = {
        {"0=random", "give zeros, iota, random:SEED[:LIMIT]"},
        {"0=random:x", "give zeros"},
        {"0=random:1:0", "their limit is 1 to"},
        {"0=random:1:2:3", "give zeros"},
        {"0=float:", "give zeros"},
        {"0=no-such-file", "cannot read no-such-file"},
        {"0=.", "no file with anything in it"},
        {"2=iota", "argument 2 of n_body is no global memory"},
        {"9=iota", "--buffer 9=iota: give INDEX=CONTENTS"},
    };
    struct predict_request request = n_body();

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        request.buffers[0] = bad[i].word;
        request.buffer_count = 1;
        expect_error(&request, bad[i].message);
    }
}

/* What a host emulates in about a second. */
static const double second = 2.5e7;

static double all_effort(const struct launch_sample *sample)
{
    return sample->spent + (double)sample->again_most * sample->again_effort;
}

/* All that a prediction emulates is no more than the launch itself or, where this has to be
 * emulated whole, an eighth more; of a short launch a little less than a second's, and of one that
 * takes a quarter of that or more the launch besides: once with empty caches, once with warm ones.
 */
static void assert_no_dearer(const struct launch_sample *sample)
{
    double least = 0.9 * second;
    double limit = sample->effort > least ? sample->effort : least;

    if (sample->groups_run == sample->groups && sample->effort > 0.25 * second &&
        sample->effort <= least)
        limit += sample->effort;
    assert_true(sample->again_most >= 9);
    assert_true(all_effort(sample) <= 1.13 * limit);
}

/* A launch whose set just fits in the L3 is like nothing less than itself: other figures are tried
 * on all of it, within seven seconds. Of one too long to be emulated whole, parts are: they say the
 * same of one whose work-groups are alike. */
static void test_sample(void **state)
{
    struct predict_request request = {.spirv_path = module_path,
                                      .kernel = "stencil_2d",
                                      .global = "1024,512",
                                      .local = "64,1",
                                      .arguments = {"0=2M", "1=2M"},
                                      .argument_count = 2};
    struct predict_signature signature;
    struct launch_sample whole, sample;
    struct kernel_launch made;
    struct error error;

    (void)state;
    if (kernel_launch_make(&made, predictor, &request, &signature, &error) != STATUS_OK ||
        sample_launch(&whole, predictor, &made.kernel, &made.launch, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_true(whole.groups_run == whole.groups && whole.spread == 0.0);
    assert_true(whole.unlike == 0.0 && whole.again_how.caches == PREDICT_WARM);
    assert_true(whole.again_most >= 9 && all_effort(&whole) <= 7.0 * second + 2.0 * whole.effort);
    kernel_launch_free(&made);
    request.global = "32768,2048";
    request.arguments[0] = "0=256M";
    request.arguments[1] = "1=256M";
    if (kernel_launch_make(&made, predictor, &request, &signature, &error) != STATUS_OK ||
        sample_launch(&sample, predictor, &made.kernel, &made.launch, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    kernel_launch_free(&made);
    assert_true(sample.groups_run < sample.groups / 2.0);
    assert_no_dearer(&sample);
    assert_near(sample.outcome.instructions, 128.0 * whole.outcome.instructions,
                0.1 * sample.outcome.instructions);
    assert_true(sample.outcome.cycles > 50.0 * whole.outcome.cycles);
}

/* The interval holds the time on a device with an assumed figure at either end of its range. */
static void test_interval(void **state)
{
    struct predict_request request = n_body();
    struct predict_signature signature;
    struct kernel_launch made;
    struct launch_sample sample;
    struct prediction_interval interval;
    struct evaluator evaluator = {
        .predictor = predictor, .context = &sample, .evaluate = evaluate_again};
    struct error error;

    (void)state;
    if (kernel_launch_make(&made, predictor, &request, &signature, &error) != STATUS_OK ||
        sample_launch(&sample, predictor, &made.kernel, &made.launch, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    evaluator.evaluations_most = sample.again_most;
    if (prediction_interval_find(&evaluator, sample.outcome.cycles, &interval, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_in_range(interval.draws, UNCERTAINTY_DRAWS / 2, UNCERTAINTY_DRAWS);
    assert_true(interval.low < interval.value && interval.value < interval.high);
    assert_true(interval.cause_count > 0);
    static const struct {
        enum vesim_figure_index figure;
        double value;
    } ends[] = {{VESIM_FIGURE_dispatch_latency, 500.0},
                {VESIM_FIGURE_dispatch_latency, 5000.0},
                {VESIM_FIGURE_retire_latency, 200.0},
                {VESIM_FIGURE_retire_latency, 5000.0}};
    for (size_t end = 0; end < sizeof(ends) / sizeof(ends[0]); end++) {
        double cycles;

        predictor_take(predictor, ends[end].figure, ends[end].value);
        assert_int_equal(sample_again(&sample, &cycles, &error), STATUS_OK);
        predictor_restore(predictor);
        assert_true(interval.low <= cycles && cycles <= interval.high);
    }
    evaluator.evaluations_most = 1;
    assert_int_equal(prediction_interval_find(&evaluator, sample.outcome.cycles, &interval, &error),
                     STATUS_OK);
    assert_int_equal(interval.draws, 0);
    kernel_launch_free(&made);
}

/* Memory that is twice as slow: a repeated launch finds all in the caches and takes no longer, a
 * fresh one does. Other figures are tried on a share of the work-groups. */
static void test_fresh(void **state)
{
    struct predict_request request = {.spirv_path = module_path,
                                      .kernel = "stencil_2d",
                                      .global = "512,256",
                                      .local = "64,4",
                                      .arguments = {"0=512K", "1=512K"},
                                      .argument_count = 2};
    const struct predict_once how = {.caches = PREDICT_WARM};
    struct prediction_interval fresh, repeated = {.draws = 1};
    struct predict_signature signature;
    struct kernel_launch made;
    struct launch_sample sample;
    struct outcome slow;
    struct error error;
    double cycles = 0.0;

    (void)state;
    if (kernel_launch_make(&made, predictor, &request, &signature, &error) != STATUS_OK ||
        sample_launch(&sample, predictor, &made.kernel, &made.launch, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_true(sample.again_how.cores > 0 && sample.again_how.caches == PREDICT_WARM);
    predictor_take(predictor, VESIM_FIGURE_memory_latency,
                   2.0 * predictor_figure(predictor, VESIM_FIGURE_memory_latency));
    enum status status = predict_once(predictor, &made.kernel, &made.launch, &how, &slow, &error);
    if (status == STATUS_OK)
        status = sample_again(&sample, &cycles, &error);
    predictor_restore(predictor);
    assert_int_equal(status, STATUS_OK);
    assert_near(cycles, slow.cycles, 0.05 * slow.cycles);
    assert_int_equal(sample.fresh.count, 1);
    assert_near(sample.fresh.most, slow.cold_cycles, 0.1 * slow.cold_cycles);
    assert_true(slow.cold_cycles > 1.2 * sample.cold_cycles);
    repeated.value = repeated.low = repeated.high = sample.outcome.cycles;
    assert_true(sample_fresh(&sample, &repeated, &fresh));
    assert_true(fresh.high >= sample.fresh.most && fresh.low <= sample.cold_cycles);
    kernel_launch_free(&made);
}

/* Work-groups that just fill the device once, and take long: the launch is emulated whole, and
 * once. Other figures are tried on its begin. */
static void test_one_fill(void **state)
{
    struct predict_request request = n_body();
    struct predict_signature signature;
    struct kernel_launch made;
    struct launch_sample sample;
    struct error error;
    double longer;

    (void)state;
    request.trips = "0,8";
    request.global = "16384";
    if (kernel_launch_make(&made, predictor, &request, &signature, &error) != STATUS_OK ||
        sample_launch(&sample, predictor, &made.kernel, &made.launch, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_true(sample.groups_run == sample.groups && sample.again_how.instructions_most > 0);
    assert_true(sample.again_cycles < sample.outcome.cycles / 2.0);
    assert_no_dearer(&sample);
    assert_int_equal(sample_again(&sample, &longer, &error), STATUS_OK);
    assert_float_equal(longer / sample.outcome.cycles, 1.0, 1e-9);
    predictor_take(predictor, VESIM_FIGURE_lanes_32bit,
                   predictor_figure(predictor, VESIM_FIGURE_lanes_32bit) / 2.0);
    assert_int_equal(sample_again(&sample, &longer, &error), STATUS_OK);
    predictor_restore(predictor);
    assert_true(longer > 1.05 * sample.outcome.cycles);
    kernel_launch_free(&made);
}

/* The parts of the time are all of it. */
static void test_parts(void **state)
{
    struct predict_request request = n_body();
    struct predict_signature signature;
    struct kernel_launch made;
    struct launch_sample sample;
    struct error error;
    double sum = 0.0, launch = 0.0;

    (void)state;
    if (kernel_launch_make(&made, predictor, &request, &signature, &error) != STATUS_OK ||
        sample_launch(&sample, predictor, &made.kernel, &made.launch, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    kernel_launch_free(&made);
    for (size_t i = 0; i < sample.outcome.part_count; i++) {
        sum += sample.outcome.part[i].share;
        if (!strcmp(sample.outcome.part[i].name, PART_LAUNCH))
            launch = sample.outcome.part[i].share;
    }
    assert_float_equal(sum, 1.0, 1e-9);
    assert_true(launch * sample.outcome.cycles >= 1500.0); /* A380: 1000 before and 500 behind */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launch),   cmocka_unit_test(test_bad_words),
        cmocka_unit_test(test_trips),    cmocka_unit_test(test_faults),
        cmocka_unit_test(test_contents), cmocka_unit_test(test_bad_contents),
        cmocka_unit_test(test_sample),   cmocka_unit_test(test_one_fill),
        cmocka_unit_test(test_interval), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_fresh),    cmocka_unit_test(test_struct),
    };

    if (argc < 2)
        return 1;
    module_path = argv[1];
    return cmocka_run_group_tests(tests, open_predictor, close_predictor);
}
