/* The reference of family `barrier_arrival` against a launch run work-item by work-item. */
#include "test.h"

#include "families/barrier/barrier_arrival-reference.h"

#include <stdbool.h>
#include <string.h>

enum { ITEMS_MAX = 256, GROUPS = 3 };

/* One iteration of one work-group: everyone leaves a value, works, fetches the partner's. */
static void iterate(const struct barrier_arrival_shape *shape, uint32_t i, uint32_t *v)
{
    uint32_t left[ITEMS_MAX];

    memcpy(left, v, shape->workgroup_size * sizeof(*v));
    for (uint32_t lid = 0; lid < shape->workgroup_size; lid++) {
        uint32_t span = shape->span_mask + 1;
        uint32_t partner = lid / span * span + (lid % span + 1) % span;
        bool works = lid / shape->subgroup_size >= shape->late_from;

        for (uint32_t o = 0; works && o < shape->operations; o++)
            v[lid] = v[lid] * 3 + i;
        v[lid] = v[lid] * 2 + left[partner];
    }
}

static void expect(const struct barrier_arrival_shape *shape, uint32_t iterations)
{
    uint32_t values[ITEMS_MAX], steps[ITEMS_MAX], slots[ITEMS_MAX];

    barrier_arrival_reference(shape, iterations, values, steps, slots);
    for (uint32_t group = 0; group < GROUPS; group++) {
        uint32_t v[ITEMS_MAX];

        for (uint32_t lid = 0; lid < shape->workgroup_size; lid++)
            v[lid] = group * shape->workgroup_size + lid;
        for (uint32_t i = 0; i < iterations; i++)
            iterate(shape, i, v);
        for (uint32_t lid = 0; lid < shape->workgroup_size; lid++)
            assert_int_equal(values[lid] + group * steps[lid], v[lid]);
    }
}

static void test_shapes(void **state)
{
    static const struct barrier_arrival_shape shapes[] = {
        {64, 16, 0, 0, 15},    {64, 16, 48, 0, 15}, {64, 16, 48, 3, 63},
        {256, 8, 16, 31, 255}, {64, 32, 64, 1, 31}, {16, 8, 16, 1, 7},
    };

    (void)state;
    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
        expect(&shapes[s], 0);
        expect(&shapes[s], 1);
        expect(&shapes[s], 2);
        expect(&shapes[s], 101);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
