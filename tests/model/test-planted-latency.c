/* Latencies and capacities of devices with seeded, unusual figures. Argument: the description that
 * they are put into. */
#include "test.h"

#include "planted.h"

#include <string.h>

#define COUNT(array)  (sizeof(array) / sizeof((array)[0]))

#define LANES_LATENCY 15.0 /* of the description that this is put into */

static const char *base_description;

static const struct planted_figure figures[] = {
    {"l1_hit_latency", 30, 90, 0},
    {"l3_hit_latency", 150, 300, 0},
    {"memory_latency", 450, 1200, 0},
    {"slm_latency", 20, 60, 0},
};

/* The first level of the description that this is put into has 192 KiB, the last 4 MiB. */
static const char *const sweep[] = {"latency",
                                    "--axis",
                                    "subgroup_size=16",
                                    "--axis",
                                    "working_set=16K,32K,64K,128K,256K,512K,1M,2M,8M,16M",
                                    NULL};

static double of(const struct planted_figure *drawn, const char *name)
{
    return planted_value(drawn, COUNT(figures), name);
}

static void assert_capacity(const struct model *model, const char *name, double truth)
{
    const struct parameter *p = model_find(model, "%s", name);

    assert_non_null(p);
    assert_true(p->interval.low <= truth && truth < p->interval.high);
}

static void test_latency(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct planted_figure drawn[COUNT(figures)];
        struct model model;

        memcpy(drawn, figures, sizeof(figures));
        planted_draw(drawn, COUNT(drawn), seed);
        planted_describe("planted-latency", base_description, drawn, COUNT(drawn));
        planted_fit(&model, "planted-latency", sweep);
        /* A step is the load and the cycle in which it is issued. */
        planted_assert(&model, "latency.global_uniform.simd16.level1.latency",
                       of(drawn, "l1_hit_latency") + LANES_LATENCY + 1.0);
        planted_assert(&model, "latency.global_uniform.simd16.level2.latency",
                       of(drawn, "l3_hit_latency") + 1.0);
        planted_assert(&model, "latency.global_uniform.simd16.level3.latency",
                       of(drawn, "memory_latency") + 1.0);
        planted_assert(&model, "latency.slm_uniform.simd16.level1.latency",
                       of(drawn, "slm_latency"));
        assert_capacity(&model, "latency.global_uniform.simd16.level1.capacity", 196608.0);
        assert_capacity(&model, "latency.global_uniform.simd16.level2.capacity", 4194304.0);
        model_free(&model);
    }
}

/* Half of the last level has 32 pages. */
static const struct planted_figure translations[] = {
    {"l1_tlb_entries", 2, 16, 0},
    {"l1_tlb_miss_latency", 20, 300, 0},
    {"l3_hit_latency", 150, 300, 0},
    {"memory_latency", 450, 1200, 0},
};

static const char *const sweep_of_pages[] = {"latency",
                                             "--variant",
                                             "global_uniform",
                                             "--axis",
                                             "subgroup_size=16",
                                             "--axis",
                                             "working_set=64K,128K,256K,512K,1M,2M,8M,16M",
                                             "--axis",
                                             "jump=0,1",
                                             NULL};

/* What a first TLB costs is found, and is in no level. */
static void test_first_tlb(void **state)
{
    (void)state;
    for (uint64_t seed = 2; seed <= 3; seed++) {
        struct planted_figure drawn[COUNT(translations)];
        struct model model;

        memcpy(drawn, translations, sizeof(translations));
        planted_draw(drawn, COUNT(drawn), seed);
        planted_describe("planted-tlb", base_description, drawn, COUNT(drawn));
        planted_fit(&model, "planted-tlb", sweep_of_pages);
        double reach = 65536.0 * planted_value(drawn, COUNT(drawn), "l1_tlb_entries");
        planted_assert(&model, "latency.global_uniform.simd16.l1_tlb.miss",
                       planted_value(drawn, COUNT(drawn), "l1_tlb_miss_latency"));
        planted_assert(&model, "latency.global_uniform.simd16.l1_tlb.reach", reach);
        planted_assert(&model, "latency.global_uniform.simd16.level2.latency",
                       planted_value(drawn, COUNT(drawn), "l3_hit_latency") + 1.0);
        planted_assert(&model, "latency.global_uniform.simd16.level3.latency",
                       planted_value(drawn, COUNT(drawn), "memory_latency") + 1.0);
        model_free(&model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_latency),
                                       cmocka_unit_test(test_first_tlb)};

    if (argc != 2)
        return 2;
    base_description = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
