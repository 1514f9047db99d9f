#include "job/half.h"

#include <math.h>

/* IEEE 754 binary16: a sign, 5 bits of exponent with a bias of 15, 10 bits of fraction. */
#define FRACTION_BITS   10
#define EXPONENT_BIAS   15
#define EXPONENT_LEAST  (-14)
#define EXPONENT_BEYOND 16
#define INFINITE        0x7c00
#define NOT_A_NUMBER    0x7e00
#define SIGN            0x8000

float half_to_float(uint16_t half)
{
    int exponent = half >> FRACTION_BITS & 31;
    float fraction = (float)(half & 1023) / 1024.0f, sign = half & SIGN ? -1.0f : 1.0f;

    if (exponent == 31)
        return half & 1023 ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexpf(1.0f + fraction, exponent - EXPONENT_BIAS)
                            : ldexpf(fraction, EXPONENT_LEAST));
}

uint16_t half_from_float(float number)
{
    uint16_t sign = signbit(number) ? SIGN : 0;
    float size = fabsf(number);
    int exponent;

    if (isnan(number))
        return sign | NOT_A_NUMBER;
    if (size == 0.0f)
        return sign;
    if (isinf(size))
        return sign | INFINITE;
    frexpf(size, &exponent);
    exponent = exponent - 1 < EXPONENT_LEAST ? EXPONENT_LEAST : exponent - 1;
    if (exponent >= EXPONENT_BEYOND)
        return sign | INFINITE;
    /* In units of the last place, which is exact; a carry goes into the exponent by itself, and
     * what has none is below the least exponent. */
    float units = nearbyintf(ldexpf(size, FRACTION_BITS - exponent));
    uint32_t bits = (uint32_t)units + ((uint32_t)(exponent - EXPONENT_LEAST) << FRACTION_BITS);

    return sign | (uint16_t)(bits > INFINITE ? INFINITE : bits);
}
