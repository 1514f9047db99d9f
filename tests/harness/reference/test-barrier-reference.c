/* The host reference of family `barrier` against a naive simulation of its kernel. */
#include "test.h"

#include "barrier-simulation.h"
#include "base/prng.h"
#include "families/barrier/barrier-reference.h"

#include <stdlib.h>

static void assert_agrees(const struct barrier_arguments *a)
{
    size_t count = (size_t)a->workgroup_size * a->workgroup_count;
    uint32_t *data = malloc(count * sizeof(*data));
    uint32_t *sums = malloc(a->workgroup_size * sizeof(*sums));
    uint32_t sum_per_group = 0;
    struct prng prng;

    assert_non_null(data);
    assert_non_null(sums);
    prng_seed(&prng, 7);
    for (size_t i = 0; i < count; i++)
        data[i] = (uint32_t)prng_next(&prng);
    barrier_simulate(a, data);
    barrier_reference(a->workgroup_size, a->iterations, a->local_mask, a->global_mask, a->seed,
                      sums, &sum_per_group);
    prng_seed(&prng, 7);
    for (size_t i = 0; i < count; i++) {
        uint32_t group = (uint32_t)(i / a->workgroup_size);
        uint32_t expected =
            (uint32_t)prng_next(&prng) + sums[i % a->workgroup_size] + group * sum_per_group;

        if (data[i] != expected)
            fail_msg("element %zu: 0x%08x, reference 0x%08x", i, data[i], expected);
    }
    free(sums);
    free(data);
}

static void test_shapes(void **state)
{
    static const struct barrier_arguments shapes[] = {
        {8, 1, 1, 7, 7, 0},       {16, 3, 100, 7, 7, 12345},   {64, 2, 777, 15, 63, 1},
        {64, 2, 777, 63, 15, 99}, {512, 1, 1500, 511, 511, 5}, {512, 4, 300, 31, 31, 0xfffffff0},
        {4, 5, 33, 3, 3, 42},     {256, 2, 0, 255, 255, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        assert_agrees(&shapes[i]);
}

/* Two iterations of two work-items, by hand: slots 10 and 11. Iteration 0: v = 50, 55. Iteration 1
 * with the indices swapped: 251 and 276, to the same elements. */
static void test_by_hand(void **state)
{
    uint32_t sums[2];
    uint32_t per_group = 0;

    (void)state;
    barrier_reference(2, 2, 1, 1, 10, sums, &per_group);
    assert_int_equal(sums[0], 50 + 251);
    assert_int_equal(sums[1], 55 + 276);
    assert_int_equal(per_group, (5 + 25) * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
