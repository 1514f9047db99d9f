/* The host reference of family `matmul`: products by hand and by another order of loops, halves by
 * the value of their bits. */
#include "test.h"

#include "base/prng.h"
#include "families/matmul/matmul-reference.h"

#include <math.h>

static void test_by_hand(void **state)
{
    static const int32_t a[] = {1, 2, 3, 4, 5, 6}, b[] = {7, -8, 9, 10, -11, 12};
    int32_t c[4] = {99, 99, 99, 99};

    (void)state;
    matmul_reference(a, b, c, 2, 2, 3);
    assert_int_equal(c[0], 7 + 18 - 33);
    assert_int_equal(c[1], -8 + 20 + 36);
    assert_int_equal(c[2], 28 + 45 - 66);
    assert_int_equal(c[3], -32 + 50 + 72);
}

/* Every element as a separate sum, for a shape whose three sizes differ. */
static void test_element_by_element(void **state)
{
    enum { M = 5, N = 7, K = 11 };
    int32_t a[M * K], b[K * N], c[M * N];
    struct prng prng;

    (void)state;
    prng_seed(&prng, 3);
    for (size_t i = 0; i < M * K; i++)
        a[i] = (int32_t)prng_below(&prng, 17) - 8;
    for (size_t i = 0; i < K * N; i++)
        b[i] = (int32_t)prng_below(&prng, 17) - 8;
    matmul_reference(a, b, c, M, N, K);
    for (size_t row = 0; row < M; row++) {
        for (size_t col = 0; col < N; col++) {
            int32_t sum = 0;

            for (size_t j = 0; j < K; j++)
                sum += a[row * K + j] * b[j * N + col];
            assert_int_equal(c[row * N + col], sum);
        }
    }
}

/* A normal half is (1 + fraction / 2^10) * 2^(exponent - 15). */
static double value_of_half(uint16_t bits)
{
    double magnitude = ldexp(1.0 + (bits & 0x3ff) / 1024.0, (bits >> 10 & 0x1f) - 15);

    return bits & 0x8000 ? -magnitude : magnitude;
}

static void test_halves(void **state)
{
    (void)state;
    assert_int_equal(matmul_half(0), 0);
    assert_int_equal(matmul_half(1), 0x3c00);
    assert_int_equal(matmul_half(-2), 0xc000);
    for (int32_t value = -2048; value <= 2048; value++) {
        if (value != 0)
            assert_true(value_of_half(matmul_half(value)) == value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_element_by_element),
        cmocka_unit_test(test_halves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
