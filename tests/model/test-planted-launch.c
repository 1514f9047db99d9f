/* Dispatch on devices with seeded, unusual figures: does the fit recover them? Argument: the
 * description that they are put into. */
#include "test.h"

#include "planted.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *base_description;

static const struct planted_figure figures[] = {
    {"group_dispatch_interval", 5, 40, 0},
    {"thread_dispatch_interval", 20, 90, 0},
};

static const char *const sweep[] = {
    "launch", "--axis", "subgroup_size=16", "--axis", "workgroup_size=S,2S,4S,16S,32S", NULL};

/* The device starts a work-group per interval; its threads start on as many Xe-cores at a time as
 * the device has, eight here. */
static void test_launch(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct planted_figure drawn[COUNT(figures)];
        struct model model;

        memcpy(drawn, figures, sizeof(figures));
        planted_draw(drawn, COUNT(drawn), seed);
        planted_describe("planted-launch", base_description, drawn, COUNT(drawn));
        planted_fit(&model, "planted-launch", sweep);
        planted_assert(&model, "launch.dispatch.simd16.per_group",
                       planted_value(drawn, COUNT(drawn), "group_dispatch_interval"));
        planted_assert(&model, "launch.dispatch.simd16.per_thread",
                       planted_value(drawn, COUNT(drawn), "thread_dispatch_interval") / 8.0);
        model_free(&model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_launch)};

    if (argc != 2)
        return 2;
    base_description = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
