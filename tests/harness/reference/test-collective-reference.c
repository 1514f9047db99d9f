/* The host reference of family `collective` against values worked out by hand. */
#include "test.h"

#include "families/collective/collective-reference.h"

#include <string.h>

enum { LANES = 4 };

/* One iteration is four steps; c is 0. */
static void assert_chain(struct collective collective, const uint64_t *x, const uint64_t *d,
                         const uint64_t *expected)
{
    struct chain_lane lane[LANES];

    for (unsigned l = 0; l < LANES; l++)
        lane[l] = (struct chain_lane){.x = x[l], .d = d[l]};
    collective_reference(&collective, LANES, 1, lane);
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(lane[l].x, expected[l]);
}

static void test_sums(void **state)
{
    static const uint64_t x[] = {1, 2, 3, 4}, d[] = {0, 0, 0, 0};
    static const uint64_t total[] = {640, 640, 640, 640}; /* 10, 40, 160, 640 */
    /* 1 3 6 10; 1 4 10 20; 1 5 15 35; 1 6 21 56 */
    static const uint64_t running[] = {1, 6, 21, 56};
    static const uint64_t shifted_out[] = {0, 0, 0, 0};

    (void)state;
    assert_chain((struct collective){COLLECTIVE_REDUCE, OPERATION_ADD, 32}, x, d, total);
    assert_chain((struct collective){COLLECTIVE_INCLUSIVE, OPERATION_ADD, 32}, x, d, running);
    assert_chain((struct collective){COLLECTIVE_EXCLUSIVE, OPERATION_ADD, 32}, x, d, shifted_out);
    assert_chain((struct collective){COLLECTIVE_NONE, OPERATION_ADD, 32}, x, d, x);
}

static void test_least_and_greatest(void **state)
{
    static const uint64_t x[] = {5, 200, 3, 9}, d[] = {0, 1, 0, 0};
    static const uint64_t least[] = {3, 4, 3, 3};
    static const uint64_t greatest[] = {203, 204, 203, 203};
    /* 5 6 3 3; 5 6 3 3; ... */
    static const uint64_t least_so_far[] = {5, 6, 3, 3};
    /* 5 201 200 200; 5 202 201 201; ... */
    static const uint64_t greatest_so_far[] = {5, 204, 203, 203};
    /* Of 8 bits: 255 6 5 3; 255 0 6 5; 255 0 0 0; 255 0 0 0, as 255 + 1 is 0. */
    static const uint64_t least_before[] = {255, 0, 0, 0};

    (void)state;
    assert_chain((struct collective){COLLECTIVE_REDUCE, OPERATION_MIN, 16}, x, d, least);
    assert_chain((struct collective){COLLECTIVE_REDUCE, OPERATION_MAX, 16}, x, d, greatest);
    assert_chain((struct collective){COLLECTIVE_INCLUSIVE, OPERATION_MIN, 64}, x, d, least_so_far);
    assert_chain((struct collective){COLLECTIVE_INCLUSIVE, OPERATION_MAX, 64}, x, d,
                 greatest_so_far);
    assert_chain((struct collective){COLLECTIVE_EXCLUSIVE, OPERATION_MIN, 8}, x, d, least_before);
}

/* Narrow values wrap before they are compared. */
static void test_width(void **state)
{
    static const uint64_t x[] = {250, 0x1ff, 7, 8}, d[] = {0, 0, 0, 4};
    /* greatest 255 in every step; 255 + 4 is 3 in lane 3. */
    static const uint64_t greatest[] = {255, 255, 255, 3};

    (void)state;
    assert_chain((struct collective){COLLECTIVE_REDUCE, OPERATION_MAX, 8}, x, d, greatest);
}

static float as_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;

    memcpy(&value, &low, sizeof(value));
    return value;
}

/* c = 1/2 / (2 * 4) of x = 1/2 in four lanes, d = 1: the sum of four is a quarter of x. */
static void test_floats(void **state)
{
    static const struct {
        enum collective_kind kind;
        double factor; /* of lane 1's x, which all lanes share in a reduction */
    } cases[] = {{COLLECTIVE_REDUCE, 0.25}, {COLLECTIVE_NONE, 0.0625}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct collective collective = {cases[i].kind, OPERATION_ADD, FLOAT_BITS};
        struct chain_lane lane[LANES];
        double x = 0.5;

        for (unsigned l = 0; l < LANES; l++)
            lane[l] = (struct chain_lane){.x = 0x80000000u, .c = 0x80000000u, .d = 0};
        collective_reference(&collective, LANES, 1, lane);
        for (unsigned step = 0; step < CHAIN_STEPS; step++)
            x = cases[i].factor * x + 1.0;
        assert_near(as_float(lane[1].x), x, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_least_and_greatest),
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_floats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
