/* Divergence on devices with seeded branches. Argument: the description that they are put into. */
#include "test.h"

#include "planted.h"

#include <string.h>

static const char *base_description;

static const char *const sweep[] = {"divergence", "--axis", "subgroup_size=16", NULL};

/* The loop without conditions has one branch for each path. Consecutive conditions are jumped over
 * if no lane takes the path; if one does, that jump is not taken. */
static void test_divergence(void **state)
{
    struct planted_figure drawn[2] = {{"branch_latency", 10, 30, 0}, {"branch_latency", 35, 60, 0}};
    struct model models[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        planted_draw(&drawn[i], 1, 1 + i);
        planted_describe("planted-divergence", base_description, &drawn[i], 1);
        planted_fit(&models[i], "planted-divergence", sweep);
    }
    double planted = (double)drawn[1].value - (double)drawn[0].value;
    planted_assert_difference(models, "divergence.straight.simd16", planted);
    planted_assert_difference(models, "divergence.flat_divergent.simd16.per_path", -planted);
    model_free(&models[0]);
    model_free(&models[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_divergence)};

    if (argc != 2)
        return 2;
    base_description = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
