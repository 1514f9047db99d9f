/* Banks of shared local memory, of devices with unusually few or many. Argument: the description
 * that they are put into. */
#include "test.h"

#include "planted.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *base_description;

/* Padding and wider loads would tell the same of the banks. */
static const char *const sweep[] = {"slm",
                                    "--variant",
                                    "load",
                                    "--variant",
                                    "store",
                                    "--variant",
                                    "atomic_add",
                                    "--axis",
                                    "subgroup_size=16",
                                    "--axis",
                                    "stride=1,2,4,8,16,32,33,64,128",
                                    "--axis",
                                    "workgroup_size=4S,16S",
                                    NULL};

/* A bank gives a word each cycle. */
static void test_slm(void **state)
{
    static const unsigned banks[] = {16, 64};

    (void)state;
    for (size_t i = 0; i < COUNT(banks); i++) {
        const struct planted_figure figure = {"slm_banks", banks[i], banks[i], banks[i]};
        struct model model;

        planted_describe("planted-slm", base_description, &figure, 1);
        planted_fit(&model, "planted-slm", sweep);
        planted_assert(&model, "slm.banks", banks[i]);
        planted_assert(&model, "slm.store.simd16.turn", 1.0);
        planted_assert(&model, "slm.atomic_add.simd16.turn", 1.0);
        model_free(&model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slm)};

    if (argc != 2)
        return 2;
    base_description = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
