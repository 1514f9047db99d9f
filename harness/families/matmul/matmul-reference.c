#include "families/matmul/matmul-reference.h"

#include <string.h>

#define HALF_FRACTION_BITS 10
#define HALF_BIAS          15

void matmul_reference(const int32_t *a, const int32_t *b, int32_t *c, size_t m, size_t n, size_t k)
{
    memset(c, 0, m * n * sizeof(*c));
    for (size_t row = 0; row < m; row++) {
        for (size_t j = 0; j < k; j++) {
            for (size_t col = 0; col < n; col++)
                c[row * n + col] += a[row * k + j] * b[j * n + col];
        }
    }
}

uint16_t matmul_half(int32_t value)
{
    uint32_t sign = value < 0 ? 0x8000u : 0;
    uint32_t magnitude = (uint32_t)(value < 0 ? -value : value);
    uint32_t exponent = 0;

    if (magnitude == 0)
        return 0;
    while (magnitude >> exponent > 1)
        exponent++;
    uint32_t fraction = magnitude - (1u << exponent);
    if (exponent > HALF_FRACTION_BITS)
        fraction >>= exponent - HALF_FRACTION_BITS;
    else
        fraction <<= HALF_FRACTION_BITS - exponent;
    return (uint16_t)(sign | (exponent + HALF_BIAS) << HALF_FRACTION_BITS | fraction);
}
