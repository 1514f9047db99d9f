/* Exchanges through shared local memory on devices with seeded figures. Argument: the description
 * that they are put into. */
#include "test.h"

#include "planted.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *base_description;

static const struct planted_figure figures[] = {
    {"slm_latency", 20, 80, 0},
    {"gateway_interval", 2, 8, 0},
};

static const char *const sweep[] = {
    "exchange",          "--axis", "subgroup_size=16",       "--axis",
    "workgroup_count=1", "--axis", "workgroup_size=S,4S,8S", NULL};

static double of(const struct planted_figure *drawn, const char *name)
{
    return planted_value(drawn, COUNT(figures), name);
}

/* A step of the chain through local memory waits for one load; with a barrier each thread's message
 * also occupies the gateway. Exchanges in registers need neither. */
static void test_exchange(void **state)
{
    struct planted_figure drawn[2][COUNT(figures)];
    struct model models[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        memcpy(drawn[i], figures, sizeof(figures));
        planted_draw(drawn[i], COUNT(figures), 3 + 4 * i);
        planted_describe("planted-exchange", base_description, drawn[i], COUNT(figures));
        planted_fit(&models[i], "planted-exchange", sweep);
        planted_assert(&models[i], "exchange.shuffle_u32_slm_group.simd16.per_thread",
                       of(drawn[i], "gateway_interval"));
        planted_assert(&models[i], "exchange.pairs_u64_slm_group.simd16.per_thread",
                       of(drawn[i], "gateway_interval"));
    }
    planted_assert_difference(models, "exchange.shuffle_u32_slm.simd16.base",
                              of(drawn[1], "slm_latency") - of(drawn[0], "slm_latency"));
    assert_near(planted_fitted(&models[1], "exchange.shuffle_u32.simd16.base"),
                planted_fitted(&models[0], "exchange.shuffle_u32.simd16.base"), 0.1);
    model_free(&models[0]);
    model_free(&models[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exchange)};

    if (argc != 2)
        return 2;
    base_description = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
