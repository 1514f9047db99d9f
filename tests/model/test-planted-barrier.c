/* Barriers of devices with seeded, unusual figures: does the fit recover them? Argument: the
 * description that they are put into. */
#include "test.h"

#include "planted.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define TOLERANCE    0.02

static const char *base_description;

/* With few threads nothing is shared but the gateway, which takes one arrival per interval: the
 * last of n simultaneous ones waits for n - 1 of them. Before it signals, a thread waits for its
 * fence; the wait itself takes a cycle to issue. */
static const struct planted_figure figures[] = {
    {"barrier_latency", 20, 120, 0},
    {"gateway_interval", 2, 9, 0},
    {"slm_fence_latency", 10, 80, 0},
    {"lsc_fence_latency", 15, 150, 0},
};

static const char *const sweep[] = {"barrier",
                                    "--axis",
                                    "subgroup_size=8,16",
                                    "--axis",
                                    "workgroup_size=S,2S,4S,8S",
                                    "--axis",
                                    "workgroup_count=1",
                                    "--rounds", /* a step of Xe-LP's timer is 0.6 cycles of one */
                                    "6",
                                    NULL};

struct planted_device {
    struct planted_figure figure[4];
    struct model model;
};

static double of(const struct planted_device *device, const char *name)
{
    return planted_value(device->figure, COUNT(figures), name);
}

static void make(struct planted_device *device, const char *name, uint64_t seed)
{
    memcpy(device->figure, figures, sizeof(figures));
    planted_draw(device->figure, COUNT(figures), seed);
    planted_describe(name, base_description, device->figure, COUNT(figures));
    planted_fit(&device->model, name, sweep);
}

static void check_local(const struct planted_device *device)
{
    double gateway = of(device, "gateway_interval");
    double one_thread = of(device, "slm_fence_latency") + of(device, "barrier_latency") + 1.0;

    planted_assert(&device->model, "barrier.work_group_local.simd8.per_thread", gateway);
    planted_assert(&device->model, "barrier.work_group_local.simd8.base", one_thread - gateway);
    planted_assert(&device->model, "barrier.work_group_local.simd16.per_thread", gateway);
    planted_assert(&device->model, "barrier.work_group_local.simd16.base", one_thread - gateway);
}

/* A global fence also waits for the loop's own store, whose share no figure states: it cancels in
 * the difference of two devices. */
static void check_global(const struct planted_device *a, const struct planted_device *b)
{
    static const char base[] = "barrier.work_group_global.simd16.base";
    double truth = of(a, "lsc_fence_latency") - of(b, "lsc_fence_latency") +
                   of(a, "barrier_latency") - of(b, "barrier_latency") -
                   (of(a, "gateway_interval") - of(b, "gateway_interval"));
    double fitted = model_find(&a->model, base)->value - model_find(&b->model, base)->value;

    print_message("%s, difference: planted %g, fitted %.3f\n", base, truth, fitted);
    assert_near(fitted, truth, fmax(1.0, TOLERANCE * fabs(truth)));
    planted_assert(&a->model, "barrier.work_group_global.simd16.per_thread",
                   of(a, "gateway_interval"));
}

static void test_barriers(void **state)
{
    static struct planted_device devices[3];

    (void)state;
    for (size_t i = 0; i < COUNT(devices); i++) {
        char name[64];

        snprintf(name, sizeof(name), "planted-barrier-%zu", i);
        make(&devices[i], name, 100 + i);
        check_local(&devices[i]);
        assert_true(
            model_find(&devices[i].model, "barrier.sub_group_local.simd16.base")->below_resolution);
    }
    check_global(&devices[0], &devices[1]);
    check_global(&devices[1], &devices[2]);
    for (size_t i = 0; i < COUNT(devices); i++)
        model_free(&devices[i].model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_barriers)};

    if (argc != 2)
        return 2;
    base_description = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
