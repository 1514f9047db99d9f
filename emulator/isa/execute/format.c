/* Number formats narrower than single precision, and the rounding mode. */
#include <fenv.h>
#include <math.h>

#include "isa/execute/operand.h"

/* Bits of doubles: the least normal half, the least that rounds to infinity, and the difference of
 * the exponents' biases. */
#define HALF_LEAST  UINT64_C(0x3f10000000000000)
#define HALF_BEYOND UINT64_C(0x40effe0000000000)
#define HALF_REBIAS (UINT64_C(1008) << 52)

enum { CR0_ROUNDING_SHIFT = 4 }; /* 0 nearest even, 1 up, 2 down, 3 toward zero */

int enter_rounding(const struct thread *thread)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    unsigned mode = thread_read32(thread, ARF_CR) >> CR0_ROUNDING_SHIFT & 3;

    if (mode == 0)
        return -1;
    int before = fegetround();
    fesetround(modes[mode]);
    return before;
}

void leave_rounding(int before)
{
    if (before >= 0)
        fesetround(before);
}

uint16_t double_to_half(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    uint64_t magnitude = bits & INT64_MAX;
    /* From 2^-14 to what rounds to 2^16: ten bits of fraction, rounded to nearest even. */
    if (magnitude >= HALF_LEAST && magnitude < HALF_BEYOND && fegetround() == FE_TONEAREST) {
        uint64_t rounded = magnitude + (UINT64_C(1) << 41) - 1 + (magnitude >> 42 & 1);

        return (uint16_t)(sign | ((rounded - HALF_REBIAS) >> 42));
    }
    if (isnan(value))
        return (uint16_t)(sign | 0x7e00 | (bits >> 42 & 0x3ff));
    if (isinf(value))
        return sign | 0x7c00;
    int exponent = ilogb(value);
    int unit = value == 0 || exponent < -14 ? -24 : exponent - 10; /* of the last place */
    if (exponent > 15) /* to infinity, or to the largest finite value */
        unit = 5;
    double steps = fabs(nearbyint(ldexp(exponent > 15 ? copysign(65520, value) : value, -unit)));
    if (unit == -24) /* denormal, or rounded up to the smallest normal */
        return (uint16_t)(sign | (uint16_t)steps);
    return (uint16_t)(sign | (uint16_t)(((unit + 25 - 1) << 10) + (int)steps));
}

uint16_t float_to_half(float value)
{
    uint32_t bits;

    if (fegetround() != FE_TONEAREST)
        return double_to_half((double)value);
    memcpy(&bits, &value, sizeof(bits));
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000)
        return (uint16_t)(sign | 0x7e00 | (bits >> 13 & 0x3ff));
    if (bits >= 0x477ff000) /* rounds to 2^16 or is infinite */
        return sign | 0x7c00;
    if (bits < 0x38800000) { /* below 2^-14: denormal, a multiple of 2^-24 */
        float magnitude;

        memcpy(&magnitude, &bits, sizeof(magnitude));
        return (uint16_t)(sign | (uint16_t)nearbyintf(ldexpf(magnitude, 24)));
    }
    uint32_t rounded = bits + 0xfff + (bits >> 13 & 1);
    return (uint16_t)(sign | ((rounded - 0x38000000) >> 13));
}

uint16_t float_to_bfloat(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    if ((bits & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float vf_to_float(uint8_t bits)
{
    if ((bits & 0x7f) == 0)
        return bits ? -0.0f : 0.0f;
    float value = ldexpf(1.0f + (float)(bits & 15) / 16.0f, (bits >> 4 & 7) - 3);
    return bits & 0x80 ? -value : value;
}
