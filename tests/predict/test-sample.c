/* Which launches of a kernel a prediction emulates, and with which caches: its time of a fresh
 * launch and of a repeated one are those of the two launched one after the other, for 34 kernels
 * that are no benchmark. Parts stand for the whole in test-predict-kernel.c. Arguments: the
 * kernels' modules with sub-groups of 16 and of 32, and a description. */
#include "test.h"

#include "families/registry.h"
#include "foreign.h"

#include <math.h>
#include <stdlib.h>

/* The most that one may be off, as a share: less than full caches save in any of these kernels. */
#define OFF_MOST 0.01

enum { LANES_COUNT = 2 };

static struct kernel_module modules[LANES_COUNT];
static const char *base_path;

static bool is_near(const char *kernel, size_t lanes, const char *state, double sampled,
                    double truth)
{
    double off = sampled / truth - 1.0;
    bool near = fabs(off) <= OFF_MOST;

    print_message("%-16s %s %-8s time %9.0f sampled %9.0f error %+6.1f %%%s\n", kernel,
                  lanes ? "32" : "16", state, truth, sampled, 100.0 * off, near ? "" : ", OFF");
    return near;
}

static bool is_launch_near(struct predictor *predictor, const struct predict_request *asked,
                           size_t lanes)
{
    struct launch_sample sample;
    struct kernel_launch made;
    struct error error;

    foreign_make(&made, &modules[lanes], predictor, asked, NULL);
    if (sample_launch(&sample, predictor, &made.kernel, &made.launch, &error) != STATUS_OK)
        fail_msg("%s: %s", asked->kernel, error.text);
    struct outcome outcome = foreign_time(predictor, &made);
    bool near = is_near(asked->kernel, lanes, "repeated", sample.outcome.cycles, outcome.cycles);
    if (!isnan(sample.cold_cycles))
        near &= is_near(asked->kernel, lanes, "fresh", sample.cold_cycles, outcome.cold_cycles);
    kernel_launch_free(&made);
    return near;
}

static void test_sample(void **state)
{
    struct model nothing;
    bool near = true;

    (void)state;
    model_init(&nothing, &family_models);
    struct predictor *predictor = foreign_predictor(&nothing, base_path);
    for (size_t i = 0; i < FOREIGN_COUNT * LANES_COUNT; i++)
        near &= is_launch_near(predictor, &foreign_requests[i / LANES_COUNT], i % LANES_COUNT);
    predictor_close(predictor);
    assert_true(near);
}

/* These touch a fifth more than the L3 holds. If that replaced lines at random, which nobody knows,
 * a repeated launch would find some of them: its interval has that time, too. */
static void test_what_the_l3_may_keep(void **state)
{
    static const char *const kernels[] = {"dot_product", "matrix_vector"};
    struct model nothing;

    (void)state;
    model_init(&nothing, &family_models);
    struct predictor *predictor = foreign_predictor(&nothing, base_path);
    for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
        struct prediction_interval interval;
        struct launch_sample sample;
        struct kernel_launch made;

        foreign_make(&made, &modules[0], predictor, foreign_request(kernels[i]), NULL);
        predictor_take(predictor, VESIM_FIGURE_l3_random, 100.0);
        double kept = foreign_time(predictor, &made).cycles;
        predictor_restore(predictor);
        foreign_predict(predictor, &made, &sample, &interval);
        print_message("%s: %.0f (%.0f to %.0f), %.0f by chance\n", kernels[i], interval.value,
                      interval.low, interval.high, kept);
        assert_true(kept < 0.9 * interval.value);
        assert_true(interval.low <= kept);
        kernel_launch_free(&made);
    }
    predictor_close(predictor);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sample),
                                       cmocka_unit_test(test_what_the_l3_may_keep)};

    if (argc != 4)
        return 2;
    for (size_t i = 0; i < LANES_COUNT; i++)
        modules[i] = foreign_module(argv[1 + i]);
    base_path = argv[3];
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < LANES_COUNT; i++)
        free(modules[i].spirv);
    return status;
}
