/* The host reference of family `atomics` against a naive simulation of its kernels. */
#include "test.h"

#include "families/atomics/atomics-reference.h"

#include <string.h>

enum { SHARERS = 5, ITERATIONS = 7 };

static const uint64_t initial = 0xfffffffffffff123u;
static const uint32_t step = 0x9e3779b1u;

static struct atomic_cell make_cell(enum atomic_kind kind, unsigned bits)
{
    return (struct atomic_cell){.kind = kind,
                                .bits = bits,
                                .initial = bits == 64 ? initial : (uint32_t)initial,
                                .step = step,
                                .sharers = SHARERS,
                                .iterations = ITERATIONS};
}

/* Work-items take turns, one operation at a time. */
static void simulate(unsigned bits, uint64_t *value, uint64_t *total)
{
    uint64_t mask = UINT64_MAX >> (64 - bits);

    *value = initial & mask;
    *total = 0;
    for (int i = 0; i < ITERATIONS * ATOMICS_STEPS; i++) {
        for (int s = 0; s < SHARERS; s++) {
            *total = (*total + *value) & mask;
            *value = (*value + step) & mask;
        }
    }
}

static void test_additions(void **state)
{
    (void)state;
    for (unsigned bits = 32; bits <= 64; bits += 32) {
        struct atomic_cell add = make_cell(ATOMIC_ADD, bits), fetch = make_cell(ATOMIC_FETCH, bits);
        uint64_t value, total;

        simulate(bits, &value, &total);
        assert_true(atomics_total_is_right(&add, 0));
        assert_false(atomics_total_is_right(&add, 1));
        assert_true(atomics_final(&add, 0) == value);
        assert_true(atomics_total_is_right(&fetch, total));
        assert_false(atomics_total_is_right(&fetch, total + 1));
        assert_true(atomics_final(&fetch, total) == value);
    }
}

static void test_baselines(void **state)
{
    struct atomic_cell loop = make_cell(ATOMIC_LOOP, 32), chain = make_cell(ATOMIC_CHAIN, 64);
    uint64_t operands = (uint64_t)SHARERS * ITERATIONS * 4 * step;

    (void)state;
    assert_true(atomics_total_is_right(&loop, 0));
    assert_true(atomics_final(&loop, 0) == (uint32_t)initial);
    assert_true(atomics_total_is_right(&chain, operands));
    assert_false(atomics_total_is_right(&chain, operands + step));
    assert_true(atomics_final(&chain, operands) == initial);
    assert_int_equal(atomics_loop(3, 2), ((((3 ^ 0) + 3) ^ 1) + 3));
}

/* Every attempt of a work-item either succeeds or loses to another's: between 28 and 140
 * successes. */
static void test_exchanges(void **state)
{
    struct atomic_cell cell = make_cell(ATOMIC_EXCHANGE, 32);

    (void)state;
    assert_false(atomics_total_is_right(&cell, ITERATIONS * 4 - 1));
    assert_true(atomics_total_is_right(&cell, ITERATIONS * 4));
    assert_true(atomics_total_is_right(&cell, SHARERS * ITERATIONS * 4));
    assert_false(atomics_total_is_right(&cell, SHARERS * ITERATIONS * 4 + 1));
    assert_true(atomics_final(&cell, 30) == (uint32_t)(initial + 30ull * step));
}

static void test_floats(void **state)
{
    struct atomic_cell cell = make_cell(ATOMIC_FLOAT, 32);
    float value = 1234.0f;
    uint32_t bits;

    (void)state;
    memcpy(&bits, &value, sizeof(bits));
    cell.initial = bits;
    value += SHARERS * 4; /* an odd number of iterations: one more up than down */
    memcpy(&bits, &value, sizeof(bits));
    assert_true(atomics_final(&cell, 0) == bits);
    cell.iterations++;
    assert_true(atomics_final(&cell, 0) == cell.initial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_additions),
        cmocka_unit_test(test_baselines),
        cmocka_unit_test(test_exchanges),
        cmocka_unit_test(test_floats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
