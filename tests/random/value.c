/* Numbers of OpenCL C's types on the host. A long double of 64 bits of fraction holds every
 * integer, and every product and sum of halves. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "program.h"

_Static_assert(LDBL_MANT_DIG >= 64, "quadwords have to be exact");

unsigned kind_bits(enum kind kind)
{
    static const unsigned bits[KINDS] = {8, 8, 16, 16, 32, 32, 64, 64, 16, 32, 64};

    return bits[kind];
}

bool kind_is_signed(enum kind kind)
{
    return kind >= HALF || kind % 2 == 0;
}

bool kind_is_float(enum kind kind)
{
    return kind >= HALF;
}

static long double half_number(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    long double fraction = (long double)(bits & 0x3ff), sign = bits & 0x8000 ? -1.0L : 1.0L;

    if (exponent == 31)
        return fraction > 0 ? (long double)NAN : sign * (long double)INFINITY;
    return sign * (exponent ? ldexpl(1024 + fraction, exponent - 25) : ldexpl(fraction, -24));
}

long double number_of(enum kind kind, uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float single;
    double wide;

    switch (kind) {
    case HALF:
        return half_number(bits);
    case FLOAT:
        memcpy(&single, &low, sizeof(single));
        return (long double)single;
    case DOUBLE:
        memcpy(&wide, &bits, sizeof(wide));
        return (long double)wide;
    default: {
        unsigned above = 64 - kind_bits(kind);

        return kind_is_signed(kind) ? (long double)((int64_t)(bits << above) >> above)
                                    : (long double)(bits << above >> above);
    }
    }
}

static int enter(enum rounding rounding)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    int before = fegetround();

    fesetround(modes[rounding]);
    return before;
}

static uint64_t half_of(long double number, enum rounding rounding)
{
    uint64_t sign = signbit(number) ? 0x8000 : 0;

    if (isnan(number))
        return 0x7e00;
    if (isinf(number))
        return sign | 0x7c00;
    if (number == 0)
        return sign;
    int exponent = ilogbl(number);
    int unit = exponent < -14 ? -24 : exponent - 10;
    long double steps = fabsl(nearbyintl(ldexpl(number, -unit)));
    if (ldexpl(steps, unit) > 65504.0L) {
        bool beyond = rounding == TO_NEAREST || (rounding == UPWARD && !sign) ||
                      (rounding == DOWNWARD && sign);

        return sign | (beyond ? 0x7c00 : 0x7bff);
    }
    if (unit == -24) /* a denormal, or rounded up to the least normal one */
        return sign | (uint64_t)steps;
    return sign | (((uint64_t)(unit + 24) << 10) + (uint64_t)steps);
}

uint64_t bits_of(enum kind kind, long double number, enum rounding rounding)
{
    volatile long double exact = number; /* the mode is not the compiler's to guess */
    int before = enter(rounding);
    uint64_t bits = 0;
    uint32_t low;
    volatile float single;
    volatile double wide;

    switch (kind) {
    case HALF:
        bits = half_of(exact, rounding);
        break;
    case FLOAT:
        single = (float)exact;
        float as_float = single;
        memcpy(&low, &as_float, sizeof(low));
        bits = isnan(as_float) ? UINT64_C(0x7fc00000) : low;
        break;
    case DOUBLE:
        wide = (double)exact;
        double as_double = wide;
        memcpy(&bits, &as_double, sizeof(bits));
        bits = isnan(as_double) ? UINT64_C(0x7ff8000000000000) : bits;
        break;
    default:
        bits = exact < 0 ? (uint64_t)(int64_t)exact : (uint64_t)exact;
        bits &= UINT64_MAX >> (64 - kind_bits(kind));
        break;
    }
    fesetround(before);
    return bits;
}

uint64_t convert_saturated(enum kind to, enum kind from, uint64_t bits, enum rounding rounding)
{
    long double number = number_of(from, bits);

    if (kind_is_float(to))
        return bits_of(to, number, rounding);
    if (isnan(number))
        return 0;
    unsigned magnitude_bits = kind_bits(to) - (unsigned)kind_is_signed(to);
    long double high = ldexpl(1.0L, (int)magnitude_bits) - 1,
                low = kind_is_signed(to) ? -high - 1 : 0;
    volatile long double exact = number;
    int before = enter(rounding);
    number = nearbyintl(exact);
    fesetround(before);
    return bits_of(to, number < low ? low : number > high ? high : number, TO_NEAREST);
}
