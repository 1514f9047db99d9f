/* Sums and products of half floats on the fast path. Lanes are computed as floats, which hold every
 * product, and a sum so that rounding it again to a half does not show. This file is compiled
 * twice: see lanes.h. */
#include "isa/fast/fast.h"

#ifdef __F16C__
#include <immintrin.h>
#endif

#include "isa/execute/operand.h"
#include "isa/fast/lanes.h"

enum { HALF_BYTES = BLOCK_LANES * sizeof(uint16_t) }; /* of eight lanes */

/* Bits of halves, and of floats: the least normal half, the least that rounds to infinity, and the
 * difference of the exponents' biases. */
#define HALF_SIGN     0x8000u
#define HALF_INFINITY 0x7c00u
#define HALF_NAN      0x7e00u
#define NORMAL        0x38800000u
#define BEYOND        0x477ff000u
#define REBIAS        (UINT32_C(112) << 23)

/* The halves as floats. */
ALWAYS_INLINE f32x8 widen(u16x8 halves)
{
#ifdef __F16C__
    return _mm256_cvtph_ps((__m128i)halves);
#else
    u32x8 bits = __builtin_convertvector(halves, u32x8), magnitude = (bits & 0x7fff) << 13;
    /* the product rebiases the exponent, and normalises what was denormal */
    u32x8 finite = (u32x8)((f32x8)magnitude * 0x1p112f);
    u32x8 is_finite = (u32x8)((i32x8)(bits & 0x7fff) < (int32_t)HALF_INFINITY);

    magnitude = choose(is_finite, finite, magnitude | 0x7f800000);
    return (f32x8)(magnitude | (bits & HALF_SIGN) << 16);
#endif
}

/* Rounded to nearest even. */
ALWAYS_INLINE u16x8 round_to_half(f32x8 value)
{
#ifdef __F16C__
    return (u16x8)_mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT);
#else
    u32x8 bits = (u32x8)value, sign = bits >> 16 & HALF_SIGN, magnitude = bits & INT32_MAX;
    u32x8 is_small = (u32x8)((i32x8)magnitude < (int32_t)NORMAL),
          is_large = (u32x8)((i32x8)magnitude >= (int32_t)BEYOND),
          is_nan = (u32x8)((i32x8)magnitude > 0x7f800000);
    u32x8 normal = (magnitude + ((1u << 12) - 1) + (magnitude >> 13 & 1) - REBIAS) >> 13;
    /* a multiple of 2^-24: added to 2^23, the sum's last bits say how many */
    u32x8 denormal = (u32x8)((f32x8)magnitude * 0x1p24f + 0x1p23f) & 0xfff;
    u32x8 half = sign | (normal & ~is_small & ~is_large) | (denormal & is_small) |
                 (HALF_INFINITY & is_large);

    return __builtin_convertvector(half | (HALF_NAN & is_nan), u16x8);
#endif
}

/* The same; every NaN is the same. */
ALWAYS_INLINE u16x8 narrow(f32x8 value)
{
    u16x8 half = round_to_half(value);
    u16x8 is_nan = (u16x8)((i16x8)(half & 0x7fff) > (int16_t)HALF_INFINITY);

    return (half & ~is_nan) | (HALF_NAN & is_nan);
}

/* A sum rounded to odd: if it is not exact, of the two floats beside it, the one whose last bit is
 * set. Rounded again to fewer bits, that gives what the exact sum would. */
ALWAYS_INLINE f32x8 add_to_odd(f32x8 a, f32x8 b)
{
    f32x8 sum = a + b, b_of_sum = sum - a;
    f32x8 error = (a - (sum - b_of_sum)) + (b - b_of_sum); /* exact; NaN if the sum is not finite */
    u32x8 bits = (u32x8)sum, is_inexact = (u32x8)((error < 0) | (error > 0));
    u32x8 is_even = (bits & 1) - 1, is_inward = (u32x8)((i32x8)(bits ^ (u32x8)error) < 0);

    /* plus 1, or -1 */
    return (f32x8)(bits + ((is_inward | 1) & is_inexact & is_even));
}

ALWAYS_INLINE u16x8 fetch_half(const struct thread *thread, const struct inst *inst, unsigned n,
                               unsigned block)
{
    const struct fast_source *source = &inst->fast[n];
    const uint8_t *from = thread->registers + source->offset_or_value;
    u16x8 halves;

    if (source->form == FORM_UNSIGNED_WORDS) {
        memcpy(&halves, from + block * HALF_BYTES, sizeof(halves));
    } else {
        uint16_t half;

        memcpy(&half, from, sizeof(half));
        halves = (u16x8){half, half, half, half, half, half, half, half};
    }
    if (source->absolute)
        halves &= 0x7fff;
    return source->negate ? halves ^ (uint16_t)HALF_SIGN : halves;
}

ALWAYS_INLINE void store_half(uint8_t *to, u16x8 halves, uint32_t bits)
{
    u16x8 mask = __builtin_convertvector(mask_lanes(bits), u16x8), before;

    memcpy(&before, to, sizeof(before));
    halves = (halves & mask) | (before & ~mask);
    memcpy(to, &halves, sizeof(halves));
}

ALWAYS_INLINE f32x8 compute(enum opcode opcode, f32x8 a, f32x8 b, f32x8 c)
{
    if (opcode == OP_add)
        return a + b;
    if (opcode == OP_mul)
        return a * b;
    return add_to_odd(b * c, a);
}

ALWAYS_INLINE int calculate(struct thread *thread, const struct inst *inst, enum opcode opcode)
{
    u16x8 result[MAX_BLOCKS];
    unsigned blocks = (inst->lanes + BLOCK_LANES - 1u) / BLOCK_LANES;

    if (!fast_is_usual_half_mode(thread))
        return inst->general(thread, inst);
    for (unsigned i = 0; i < blocks; i++) {
        f32x8 a = widen(fetch_half(thread, inst, 0, i)), b = widen(fetch_half(thread, inst, 1, i));
        f32x8 c = opcode == OP_mad ? widen(fetch_half(thread, inst, 2, i)) : b;

        result[i] = narrow(compute(opcode, a, b, c));
    }
    uint8_t *to = thread->registers + inst->fast_destination;
    uint32_t mask = thread_write_mask(thread, inst);
    for (unsigned i = 0; i < blocks; i++)
        store_half(to + i * HALF_BYTES, result[i], mask >> i * BLOCK_LANES);
    return 0;
}

static int add(struct thread *thread, const struct inst *inst)
{
    return calculate(thread, inst, OP_add);
}

static int multiply(struct thread *thread, const struct inst *inst)
{
    return calculate(thread, inst, OP_mul);
}

static int multiply_and_add(struct thread *thread, const struct inst *inst)
{
    return calculate(thread, inst, OP_mad);
}

const execute_function FAST_HALVES[OPCODE_COUNT] = {
    [OP_add] = add,
    [OP_mul] = multiply,
    [OP_mad] = multiply_and_add,
};
