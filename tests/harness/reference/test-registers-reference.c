/* The reference of family `registers` against its kernels written out: a ring per work-item, a ring
 * of several turns, vectors as rows of a matrix. */
#include "test.h"

#include "families/registers/registers-reference.h"

#define SEED 0x5eedu

/* registers_live_N and registers_same_N for one work-item. */
static uint32_t run_ring(uint32_t n, uint32_t rounds, uint32_t iterations, uint32_t gid)
{
    uint32_t v[REGISTERS_MOST_VALUES], folded = 0;

    for (uint32_t k = 0; k < n; k++)
        v[k] = SEED * (k + 1) + gid;
    for (uint32_t i = 0; i < iterations * rounds; i++) {
        for (uint32_t k = 0; k + 1 < n; k++)
            v[k] = v[k] * 3 + v[k + 1];
        v[n - 1] = v[n - 1] * 3 + v[0];
    }
    for (uint32_t k = 0; k < n; k++)
        folded = folded * 3 + v[k];
    return folded;
}

/* registers_vectors_N for one work-item. */
static uint32_t run_vectors(uint32_t vectors, uint32_t iterations, uint32_t gid)
{
    uint32_t v[REGISTERS_MOST_VALUES / 16][16], folded = 0;

    for (uint32_t k = 0; k < vectors; k++) {
        for (uint32_t e = 0; e < 16; e++)
            v[k][e] = SEED * (16 * k + e + 1) + gid;
    }
    for (uint32_t i = 0; i < iterations; i++) {
        for (uint32_t k = 0; k < vectors; k++) {
            for (uint32_t e = 0; e < 16; e++)
                v[k][e] = v[k][e] * 3 + v[(k + 1) % vectors][e];
        }
    }
    for (uint32_t e = 0; e < 16; e++) {
        uint32_t fold = 0;

        for (uint32_t k = 0; k < vectors; k++)
            fold = fold * 3 + v[k][e];
        folded = folded * 3 + fold;
    }
    return folded;
}

static void expect(const struct registers_ring *ring, uint32_t iterations)
{
    uint32_t constant, slope;

    registers_reference(ring, iterations, SEED, &constant, &slope);
    for (uint32_t gid = 0; gid < 70; gid++) {
        uint32_t found = ring->step == 1
                             ? run_ring(ring->values, ring->updates / ring->values, iterations, gid)
                             : run_vectors(ring->values / 16, iterations, gid);

        assert_int_equal(constant + gid * slope, found);
    }
}

static void test_rings(void **state)
{
    static const struct registers_ring rings[] = {{8, 1, 16},    {16, 1, 192}, {16, 1, 16},
                                                  {192, 1, 192}, {64, 16, 64}, {192, 16, 192}};

    (void)state;
    for (size_t r = 0; r < sizeof(rings) / sizeof(rings[0]); r++) {
        for (uint32_t iterations = 0; iterations < 12; iterations++)
            expect(&rings[r], iterations);
        expect(&rings[r], 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rings)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
