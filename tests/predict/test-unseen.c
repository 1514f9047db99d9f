/* Ten kernels that are no benchmark, whole launches, predicted for devices whose assumed figures
 * are drawn from their ranges: how many of the intervals hold the time that vesim gives? Arguments:
 * the kernels' module; a description; "assumed", for a predictor that knows nothing but the
 * description, or "swept", for one that knows what a sweep of the device tells, and then a document
 * for the table of these, or "-"; and the seeds of the devices. */
#include "test.h"

#include "base/stats.h"
#include "families/registry.h"
#include "foreign.h"

#include <stdlib.h>
#include <string.h>

#define DEVICES_MOST 16
#define HELD_LEAST   0.9
#define WIDTH_MOST   0.3 /* median */

static struct kernel_module module;
static const char *base_path;
static const char *document_path; /* NULL: none */
static char **seeds;
static size_t seed_count;

/* Of the devices that are not swept; those of the swept ones are in foreign_requests. */
static const char *const small_global[FOREIGN_UNSEEN] = {
    "2048", "16384", "2048", "16384", "256,64", "512", "64,32", "16384", "4096", "8192"};

/* What all devices together have come to. */
static struct {
    double width[2 * FOREIGN_UNSEEN * DEVICES_MOST];
    size_t count, held;
} total;

/* Of repeated launches of a device that was swept: how far off, and how wide the interval. */
static struct {
    double error, width;
} swept[FOREIGN_UNSEEN][DEVICES_MOST];

/* What vesim gives on the device itself. */
static struct outcome outcome_on(const char *device, const struct kernel_launch *made)
{
    struct model nothing;
    char path[256];

    snprintf(path, sizeof(path), "./%s.device", device);
    model_init(&nothing, &family_models);
    struct predictor *predictor = foreign_predictor(&nothing, path);
    struct outcome outcome = foreign_time(predictor, made);
    predictor_close(predictor);
    return outcome;
}

/* A prediction, and the launch that it is of. */
struct predicted {
    struct kernel_launch made;
    struct prediction_interval interval, fresh;
    bool has_fresh;
};

static void predict_kernel(struct predictor *predictor, const struct predict_request *asked,
                           const char *global, struct predicted *predicted)
{
    struct launch_sample sample;

    foreign_make(&predicted->made, &module, predictor, asked, global);
    foreign_predict(predictor, &predicted->made, &sample, &predicted->interval);
    predicted->has_fresh = sample_fresh(&sample, &predicted->interval, &predicted->fresh);
}

static void hold_time(const char *device, const char *kernel, const char *state,
                      const struct prediction_interval *interval, double truth)
{
    double width = (interval->high - interval->low) / interval->value;
    bool held = interval->low <= truth && truth <= interval->high;

    print_message("%-10s %-9s %-8s time %9.0f predicted %9.0f (%9.0f to %9.0f) error %+6.1f %% "
                  "width %5.1f %%%s, %s\n",
                  device, kernel, state, truth, interval->value, interval->low, interval->high,
                  100.0 * (interval->value / truth - 1.0), 100.0 * width, held ? "" : " NOT HELD",
                  interval->cause_count ? interval->cause[0].figure : "-");
    assert_true(total.count < sizeof(total.width) / sizeof(total.width[0]));
    total.width[total.count++] = width;
    total.held += held;
}

/* A repeated launch, and a first one if the prediction is of it, too. */
static void hold_against(const struct predicted *predicted, const char *device, const char *kernel)
{
    struct outcome outcome = outcome_on(device, &predicted->made);

    hold_time(device, kernel, "repeated", &predicted->interval, outcome.cycles);
    if (predicted->has_fresh)
        hold_time(device, kernel, "fresh", &predicted->fresh, outcome.cold_cycles);
}

static void describe_device(const char *seed, char *name, size_t size)
{
    struct planted_figure figures[VESIM_FIGURE_COUNT];
    size_t count = foreign_draw(figures, base_path, strtoull(seed, NULL, 10));

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
    struct predictor *predictor = foreign_predictor(&nothing, base_path);
    for (size_t d = 0; d < seed_count; d++)
        describe_device(seeds[d], names[d], sizeof(names[d]));
    for (size_t i = 0; i < FOREIGN_UNSEEN; i++) {
        struct predicted predicted;

        predict_kernel(predictor, &foreign_requests[i], small_global[i], &predicted);
        for (size_t d = 0; d < seed_count; d++)
            hold_against(&predicted, names[d], foreign_requests[i].kernel);
        kernel_launch_free(&predicted.made);
    }
    predictor_close(predictor);
    median_width();
    assert_true((double)total.held >= HELD_LEAST * (double)total.count);
}

static void put_swept(FILE *out)
{
    fputs("| kernel |", out);
    for (size_t d = 0; d < seed_count; d++)
        fprintf(out, " device %s |", seeds[d]);
    fputs("\n|---|", out);
    for (size_t d = 0; d < seed_count; d++)
        fputs("---|", out);
    fputc('\n', out);
    for (size_t i = 0; i < FOREIGN_UNSEEN; i++) {
        fprintf(out, "| %s |", foreign_requests[i].kernel);
        for (size_t d = 0; d < seed_count; d++)
            fprintf(out, " %+.1f %%, %.1f %% wide |", 100.0 * swept[i][d].error,
                    100.0 * swept[i][d].width);
        fputc('\n', out);
    }
}

static void keep_swept(const struct predicted *predicted, const char *device, size_t kernel,
                       size_t index)
{
    const struct prediction_interval *interval = &predicted->interval;
    double truth = outcome_on(device, &predicted->made).cycles;

    swept[kernel][index].error = interval->value / truth - 1.0;
    swept[kernel][index].width = (interval->high - interval->low) / interval->value;
}

/* A device is swept, and the model has what that tells. */
static void test_swept(void **state)
{
    (void)state;
    for (size_t d = 0; d < seed_count; d++) {
        struct model model;
        char name[64];

        describe_device(seeds[d], name, sizeof(name));
        planted_fit_sweeps(&model, name, foreign_sweeps, FOREIGN_SWEEPS);
        struct predictor *predictor = foreign_predictor(&model, base_path);
        for (size_t i = 0; i < FOREIGN_UNSEEN; i++) {
            struct predicted predicted;

            predict_kernel(predictor, &foreign_requests[i], NULL, &predicted);
            hold_against(&predicted, name, foreign_requests[i].kernel);
            keep_swept(&predicted, name, i, d);
            kernel_launch_free(&predicted.made);
        }
        predictor_close(predictor);
        model_free(&model);
    }
    assert_true(median_width() <= WIDTH_MOST);
    assert_true((double)total.held >= HELD_LEAST * (double)total.count);
    if (document_path)
        foreign_replace_table(document_path, "| kernel | device", put_swept);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest assumed[] = {cmocka_unit_test(test_assumed)};
    const struct CMUnitTest tests_swept[] = {cmocka_unit_test(test_swept)};

    bool is_swept = argc > 3 && !strcmp(argv[3], "swept");
    int first = is_swept ? 5 : 4; /* of the seeds */

    if (argc <= first || argc - first > DEVICES_MOST)
        return 2;
    module = foreign_module(argv[1]);
    base_path = argv[2];
    document_path = is_swept && strcmp(argv[4], "-") != 0 ? argv[4] : NULL;
    seeds = argv + first;
    seed_count = (size_t)(argc - first);
    int status = is_swept ? cmocka_run_group_tests(tests_swept, NULL, NULL)
                          : cmocka_run_group_tests(assumed, NULL, NULL);
    free(module.spirv);
    return status;
}
