/* Ten kernels that are no benchmark, whole launches, predicted for devices whose assumed figures
 * are drawn from their ranges: how many of the intervals hold the time that vesim gives? Arguments:
 * the kernels' module; a description; "assumed", for a predictor that knows nothing but the
 * description, or "swept", for one that knows what a sweep of the device tells; and the seeds of
 * the devices. */
#include "test.h"

#include "base/stats.h"
#include "commands/predict-kernel.h"
#include "families/registry.h"
#include "planted.h"
#include "predict/interval.h"
#include "predict/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define DEVICES_MOST 16
#define HELD_LEAST   0.9
#define WIDTH_MOST   0.3 /* median */

static const char *module_path, *base_path;
static char **seeds;
static size_t seed_count;

/* What is measured of a device. */
static const char *const sweeps[][PLANTED_SWEEP_WORDS] = {
    {"pipeline", "--axis", "subgroup_size=8,16", "--axis", "workgroup_size=S,64,256"},
    {"latency", "--axis", "subgroup_size=16", "--axis", "working_set=16K,32K,256K,512K,2M,16M,24M"},
    {"latency", "--variant", "global_uniform", "--axis", "subgroup_size=16", "--axis",
     "stride=8256", "--axis", "working_set=40M,64M,96M,128M,192M,256M"},
    {"slm", "--axis", "subgroup_size=16", "--axis", "stride=1,8,16,32", "--axis",
     "workgroup_size=4S,16S"},
    {"atomics", "--variant", "global_add_u32", "--axis", "subgroup_size=16"},
    {"atomics", "--variant", "global_add_u32", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=8S,16S", "--axis", "workgroup_count=C", "--axis", "sharers=1"},
    {"memory_32", "--variant", "*_vec4", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=128,256,512", "--axis", "stride=1"},
    {"memory_32", "--variant", "load_vec4", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=512,1024", "--axis", "working_set=512K,16M", "--axis", "stride=1"},
    {"memory_32", "--variant", "store_vec4", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=256,512", "--axis", "workgroup_count=C", "--axis", "working_set=512K",
     "--axis", "stride=1"},
    {"launch", "--axis", "subgroup_size=16", "--axis", "workgroup_size=S,32S"},
};

/* `global` is of the swept devices; the others take less. */
static const struct predict_request requests[] = {
    {.kernel = "reduction",
     .global = "16384",
     .local = "256",
     .arguments = {"0=4M", "1=4K", "2=1048576", "3=1K"},
     .argument_count = 4,
     .buffers = {"0=float:1"},
     .buffer_count = 1},
    {.kernel = "scan",
     .global = "131072",
     .local = "256",
     .arguments = {"0=512K", "1=512K", "2=1K"},
     .argument_count = 3,
     .buffers = {"0=random:2:100"},
     .buffer_count = 1},
    {.kernel = "histogram",
     .global = "16384",
     .local = "256",
     .arguments = {"0=2M", "1=1K", "2=32"},
     .argument_count = 3,
     .buffers = {"0=random:3"},
     .buffer_count = 1},
    {.kernel = "gather",
     .global = "131072",
     .local = "256",
     .arguments = {"0=512K", "1=1M", "2=512K"},
     .argument_count = 3,
     .buffers = {"0=random:4:262144"},
     .buffer_count = 1},
    {.kernel = "stencil",
     .global = "1024,256",
     .local = "64,4",
     .arguments = {"0=1M", "1=1M"},
     .argument_count = 2,
     .buffers = {"0=float:5"},
     .buffer_count = 1},
    {.kernel = "n_body",
     .global = "4096",
     .local = "128",
     .arguments = {"0=64K", "1=64K", "2=512"},
     .argument_count = 3,
     .buffers = {"0=float:6"},
     .buffer_count = 1},
    {.kernel = "product",
     .global = "256,128",
     .local = "16,16",
     .arguments = {"0=64K", "1=128K", "2=128K", "3=128"},
     .argument_count = 4,
     .buffers = {"0=float:7", "1=float:8"},
     .buffer_count = 2},
    {.kernel = "sort_step",
     .global = "131072",
     .local = "256",
     .arguments = {"0=1M", "1=64", "2=256"},
     .argument_count = 3,
     .buffers = {"0=random:9"},
     .buffer_count = 1},
    {.kernel = "rounds",
     .global = "32768",
     .local = "128",
     .arguments = {"0=128K", "1=128K"},
     .argument_count = 2,
     .buffers = {"0=random:10"},
     .buffer_count = 1},
    {.kernel = "atomics",
     .global = "65536",
     .local = "256",
     .arguments = {"0=256K", "1=64K", "2=4095"},
     .argument_count = 3,
     .buffers = {"0=random:11"},
     .buffer_count = 1},
};

static const char *const small_global[COUNT(requests)] = {
    "2048", "16384", "2048", "16384", "256,64", "512", "64,32", "16384", "4096", "8192"};

/* What all devices together have come to. */
static struct {
    double width[COUNT(requests) * DEVICES_MOST];
    size_t count, held;
} total;

/* Draws each assumed figure from its range. */
static size_t draw(struct planted_figure *figures, uint64_t seed)
{
    struct vesim_description description;
    size_t count = 0;
    char text[256];

    if (vesim_description_load(&description, base_path, text, sizeof(text)))
        fail_msg("%s", text);
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        if (description.low[i] < description.high[i])
            figures[count++] =
                (struct planted_figure){vesim_figures[i].name, (unsigned)description.low[i],
                                        (unsigned)description.high[i], 0};
    }
    planted_draw(figures, count, seed);
    for (size_t i = 0; i < count; i++) {
        if (strstr(figures[i].name, "_banks")) /* of which hardware has a power of two */
            figures[i].value = (unsigned)exp2(floor(log2(figures[i].value)));
    }
    return count;
}

static struct predictor *open_predictor(const struct model *model, const char *base)
{
    struct predictor *predictor = NULL;
    struct error error;

    if (predictor_open(
            &predictor,
            &(struct predictor_settings){.model = model, .figures = &family_figures, .base = base},
            &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return predictor;
}

/* The time that vesim gives on the device itself, cycles. */
static double time_on(const char *device, const struct kernel_launch *made)
{
    struct predict_once how = {.caches = PREDICT_WARM};
    struct outcome outcome;
    struct model nothing;
    struct error error;
    char path[256];

    snprintf(path, sizeof(path), "./%s.device", device);
    model_init(&nothing, &family_models);
    struct predictor *predictor = open_predictor(&nothing, path);
    if (predict_once(predictor, &made->kernel, &made->launch, &how, &outcome, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    predictor_close(predictor);
    return outcome.cycles;
}

static enum status evaluate(void *context, double *value, struct error *error)
{
    return sample_again(context, value, error);
}

/* A prediction, and the launch that it is of. */
struct predicted {
    struct kernel_launch made;
    struct prediction_interval interval;
};

static void predict_kernel(struct predictor *predictor, const struct predict_request *asked,
                           const char *global, struct predicted *predicted)
{
    struct predict_request request = *asked;
    struct predict_signature signature;
    struct launch_sample sample;
    struct evaluator evaluator = {.predictor = predictor, .context = &sample, .evaluate = evaluate};
    struct error error;

    request.spirv_path = module_path;
    request.global = global;
    if (kernel_launch_make(&predicted->made, predictor, &request, &signature, &error) !=
            STATUS_OK ||
        sample_launch(&sample, predictor, &predicted->made.kernel, &predicted->made.launch,
                      &error) != STATUS_OK)
        fail_msg("%s: %s", request.kernel, error.text);
    evaluator.evaluations_most = sample.again_most;
    if (prediction_interval_find(&evaluator, sample.outcome.cycles, &predicted->interval, &error) !=
        STATUS_OK)
        fail_msg("%s: %s", request.kernel, error.text);
    sample_widen(&sample, &predicted->interval);
}

static void hold_against(const struct predicted *predicted, const char *device, const char *kernel)
{
    const struct prediction_interval *interval = &predicted->interval;
    double truth = time_on(device, &predicted->made);
    double width = (interval->high - interval->low) / interval->value;
    bool held = interval->low <= truth && truth <= interval->high;

    print_message("%-10s %-9s time %9.0f predicted %9.0f (%9.0f to %9.0f) error %+6.1f %% width "
                  "%5.1f %%%s, %s\n",
                  device, kernel, truth, interval->value, interval->low, interval->high,
                  100.0 * (interval->value / truth - 1.0), 100.0 * width, held ? "" : " NOT HELD",
                  interval->cause_count ? interval->cause[0].figure : "-");
    assert_true(total.count < COUNT(total.width));
    total.width[total.count++] = width;
    total.held += held;
}

static void describe_device(const char *seed, char *name, size_t size)
{
    struct planted_figure figures[VESIM_FIGURE_COUNT];
    size_t count = draw(figures, strtoull(seed, NULL, 10));

    snprintf(name, size, "unseen-%.32s", seed);
    planted_describe(name, base_path, figures, count);
}

static double median_width(void)
{
    stats_sort(total.width, total.count);
    print_message("%zu of %zu intervals hold the time; median width %.1f %%\n", total.held,
                  total.count, 100.0 * stats_quantile(total.width, total.count, 0.5));
    return stats_quantile(total.width, total.count, 0.5);
}

/* Nothing is known but the ranges: one prediction for all devices. */
static void test_assumed(void **state)
{
    char names[DEVICES_MOST][64];
    struct model nothing;

    (void)state;
    model_init(&nothing, &family_models);
    struct predictor *predictor = open_predictor(&nothing, base_path);
    for (size_t d = 0; d < seed_count; d++)
        describe_device(seeds[d], names[d], sizeof(names[d]));
    for (size_t i = 0; i < COUNT(requests); i++) {
        struct predicted predicted;

        predict_kernel(predictor, &requests[i], small_global[i], &predicted);
        for (size_t d = 0; d < seed_count; d++)
            hold_against(&predicted, names[d], requests[i].kernel);
        kernel_launch_free(&predicted.made);
    }
    predictor_close(predictor);
    median_width();
    assert_true((double)total.held >= HELD_LEAST * (double)total.count);
}

/* A device is swept, and the model has what that tells. */
static void test_swept(void **state)
{
    (void)state;
    for (size_t d = 0; d < seed_count; d++) {
        struct model model;
        char name[64];

        describe_device(seeds[d], name, sizeof(name));
        planted_fit_sweeps(&model, name, sweeps, COUNT(sweeps));
        struct predictor *predictor = open_predictor(&model, base_path);
        for (size_t i = 0; i < COUNT(requests); i++) {
            struct predicted predicted;

            predict_kernel(predictor, &requests[i], requests[i].global, &predicted);
            hold_against(&predicted, name, requests[i].kernel);
            kernel_launch_free(&predicted.made);
        }
        predictor_close(predictor);
        model_free(&model);
    }
    assert_true(median_width() <= WIDTH_MOST);
    assert_true((double)total.held >= HELD_LEAST * (double)total.count);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest assumed[] = {cmocka_unit_test(test_assumed)};
    const struct CMUnitTest swept[] = {cmocka_unit_test(test_swept)};

    if (argc < 5 || argc - 4 > DEVICES_MOST)
        return 2;
    module_path = argv[1];
    base_path = argv[2];
    seeds = argv + 4;
    seed_count = (size_t)(argc - 4);
    if (strcmp(argv[3], "swept") == 0)
        return cmocka_run_group_tests(swept, NULL, NULL);
    return cmocka_run_group_tests(assumed, NULL, NULL);
}
