/* Bandwidth and latency of devices with seeded, unusual figures. Argument: the description that
 * they are put into. */
#include "test.h"

#include "planted.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define LINE_BYTES   64.0
#define CLOCK_MHZ    2450.0 /* of the description that this is put into */

static const char *base_description;

/* Caches small enough that a sweep of seconds reaches the memory. */
static const struct planted_figure figures[] = {
    {"l1_bytes", 65536, 65536, 0},      {"l3_bytes", 65536, 65536, 0},
    {"l1_line_interval", 2, 5, 0},      {"l1_ports", 1, 1, 0},
    {"memory_latency", 500, 1500, 0},   {"memory_bandwidth", 20000, 50000, 0},
    {"memory_efficiency", 100, 100, 0},
};

static void sweep_device(struct planted_figure *drawn, struct model *model,
                         const char *working_sets, uint64_t seed)
{
    const char *const sweep[] = {"memory_32",
                                 "--variant",
                                 "load_*4",
                                 "--variant",
                                 "load_vec16",
                                 "--variant",
                                 "store_*4",
                                 "--variant",
                                 "store_vec8",
                                 "--axis",
                                 "subgroup_size=16",
                                 "--axis",
                                 "workgroup_count=1",
                                 "--axis",
                                 "workgroup_size=S,8S,32S",
                                 "--axis",
                                 working_sets,
                                 "--axis",
                                 "stride=1",
                                 NULL};

    memcpy(drawn, figures, sizeof(figures));
    planted_draw(drawn, COUNT(figures), seed);
    planted_describe("planted-memory", base_description, drawn, COUNT(figures));
    planted_fit(model, "planted-memory", sweep);
}

static double of(const struct planted_figure *drawn, const char *name)
{
    return planted_value(drawn, COUNT(figures), name);
}

/* Whole lines leave the first level one per interval; of vec8's a message uses half of each line,
 * of item's one element in 16. */
static void assert_first_level(const struct model *model, const struct planted_figure *drawn)
{
    double lines = LINE_BYTES / of(drawn, "l1_line_interval");

    planted_assert(model, "memory_32.load_vec4.simd16.set32768.stride1.bandwidth", lines);
    planted_assert(model, "memory_32.store_vec4.simd16.set32768.stride1.bandwidth", lines);
    planted_assert(model, "memory_32.store_block4.simd16.set32768.stride1.bandwidth", lines);
    planted_assert(model, "memory_32.store_vec8.simd16.set32768.stride1.bandwidth", lines / 2.0);
    planted_assert(model, "memory_32.load_vec16.simd16.set32768.stride1.bandwidth", lines / 4.0);
}

static void assert_memory(const struct model *model, const struct planted_figure *drawn)
{
    double bandwidth =
        fmin(of(drawn, "memory_bandwidth") / CLOCK_MHZ, LINE_BYTES / of(drawn, "l1_line_interval"));

    planted_assert(model, "memory_32.load_vec4.simd16.set98304.stride1.bandwidth", bandwidth);
    planted_assert(model, "memory_32.load_block4.simd16.set98304.stride1.bandwidth", bandwidth);
}

/* The lines of a step of 1024 bytes come one after another behind the first: at the interval of the
 * first level, or that of the memory where it is the longer one. */
static double of_lines(const struct planted_figure *drawn)
{
    double memory = LINE_BYTES / (of(drawn, "memory_bandwidth") / CLOCK_MHZ);

    return 15.0 * fmax(of(drawn, "l1_line_interval"), memory);
}

static double fitted_latency(const struct model *model)
{
    const struct parameter *p =
        model_find(model, "memory_32.load_vec4.simd16.set98304.stride1.latency");

    assert_non_null(p);
    return p->value;
}

/* The rest of a step's time is the same on both devices. */
static void test_memory(void **state)
{
    struct planted_figure first[COUNT(figures)], second[COUNT(figures)];
    struct model models[2];

    (void)state;
    sweep_device(first, &models[0], "working_set=32K,96K", 1);
    sweep_device(second, &models[1], "working_set=96K", 2);
    assert_first_level(&models[0], first);
    assert_memory(&models[0], first);
    assert_memory(&models[1], second);
    double planted = of(second, "memory_latency") + of_lines(second) - of(first, "memory_latency") -
                     of_lines(first);
    double fitted = fitted_latency(&models[1]) - fitted_latency(&models[0]);
    print_message("difference of latencies: planted %g, fitted %.2f\n", planted, fitted);
    assert_near(fitted, planted, 0.02 * fabs(planted));
    model_free(&models[0]);
    model_free(&models[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};

    if (argc != 2)
        return 2;
    base_description = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
