/* A launch of somebody's kernel from the words of a command line. */
#include "test.h"

#include "cli/predict-kernel.h"
#include "families/registry.h"

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
    struct outcome outcome;
    struct error error;

    if (kernel_launch_make(&made, predictor, request, &signature, &error) != STATUS_OK ||
        predict_launch(predictor, &made.kernel, &made.launch, &outcome, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    kernel_launch_free(&made);
    return outcome.cycles;
}

/* A loop of so many rounds takes so much longer: its own time is the same each round. */
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

/* A work-group that no Xe-core holds, and memory that is not there: errors that say so. */
static void test_faults(void **state)
{
    struct predict_request request = n_body();
    struct predict_signature signature;
    struct kernel_launch made;
    struct outcome outcome;
    struct error error;

    (void)state;
    request.global = request.local = "8192";
    assert_int_equal(kernel_launch_make(&made, predictor, &request, &signature, &error), STATUS_OK);
    assert_int_equal(predict_launch(predictor, &made.kernel, &made.launch, &outcome, &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, "a work-group of 8192 work-items"));
    kernel_launch_free(&made);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launch),
        cmocka_unit_test(test_bad_words),
        cmocka_unit_test(test_trips),
        cmocka_unit_test(test_faults),
    };

    if (argc < 2)
        return 1;
    module_path = argv[1];
    return cmocka_run_group_tests(tests, open_predictor, close_predictor);
}
