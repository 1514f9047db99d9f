/* Sums and products of half floats on the fast path. Lanes are computed as doubles, which hold
 * every product and rounds no sum so that rounding it again to a half would show. This file is
 * compiled twice: see lanes.h. */
#include "isa/fast/fast.h"

#include "isa/execute/operand.h"
#include "isa/fast/lanes.h"

typedef int64_t i64x8 __attribute__((vector_size(64)));
typedef uint64_t u64x8 __attribute__((vector_size(64)));
typedef double f64x8 __attribute__((vector_size(64)));

enum { HALF_BYTES = BLOCK_LANES * sizeof(uint16_t) }; /* of eight lanes */

/* Bits of halves, and of doubles: the least normal half, the least that rounds to infinity, and the
 * difference of the exponents' biases. */
#define HALF_SIGN     0x8000u
#define HALF_INFINITY 0x7c00u
#define HALF_NAN      0x7e00u
#define NORMAL        UINT64_C(0x3f10000000000000)
#define BEYOND        UINT64_C(0x40effe0000000000)
#define REBIAS        (UINT64_C(1008) << 52)
#define INFINITE      UINT64_C(0x7ff0000000000000)

ALWAYS_INLINE f64x8 widen(u16x8 halves)
{
    u32x8 bits = __builtin_convertvector(halves, u32x8), magnitude = (bits & 0x7fff) << 13;
    /* the product rebiases the exponent, and normalises what was denormal */
    u32x8 finite = (u32x8)((f32x8)magnitude * 0x1p112f);
    u32x8 is_finite = (u32x8)((i32x8)(bits & 0x7fff) < (int32_t)HALF_INFINITY);

    magnitude = choose(is_finite, finite, magnitude | 0x7f800000);
    return __builtin_convertvector((f32x8)(magnitude | (bits & HALF_SIGN) << 16), f64x8);
}

/* Rounded to nearest even; every NaN is the same. */
ALWAYS_INLINE u16x8 narrow(f64x8 value)
{
    u64x8 bits = (u64x8)value, sign = bits >> 48 & HALF_SIGN, magnitude = bits & INT64_MAX;
    u64x8 is_small = (u64x8)((i64x8)magnitude < (int64_t)NORMAL),
          is_large = (u64x8)((i64x8)magnitude >= (int64_t)BEYOND),
          is_nan = (u64x8)((i64x8)magnitude > (int64_t)INFINITE);
    u64x8 normal = (magnitude + ((UINT64_C(1) << 41) - 1) + (magnitude >> 42 & 1) - REBIAS) >> 42;
    /* a multiple of 2^-24: added to 2^52, the sum's last bits say how many */
    u64x8 denormal = (u64x8)((f64x8)magnitude * 0x1p24 + 0x1p52) & 0xfff;
    u64x8 half = sign | (normal & ~is_small & ~is_large) | (denormal & is_small) |
                 (HALF_INFINITY & is_large);

    return __builtin_convertvector((half & ~is_nan) | (HALF_NAN & is_nan), u16x8);
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

ALWAYS_INLINE f64x8 compute(enum opcode opcode, f64x8 a, f64x8 b, f64x8 c)
{
    f64x8 result;

    if (opcode == OP_add)
        return a + b;
    if (opcode == OP_mul)
        return a * b;
    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        result[lane] = fma(b[lane], c[lane], a[lane]);
    return result;
}

ALWAYS_INLINE int calculate(struct thread *thread, const struct inst *inst, enum opcode opcode)
{
    u16x8 result[MAX_BLOCKS];
    unsigned blocks = (inst->lanes + BLOCK_LANES - 1u) / BLOCK_LANES;

    if (!fast_is_usual_half_mode(thread))
        return inst->general(thread, inst);
    for (unsigned i = 0; i < blocks; i++) {
        f64x8 a = widen(fetch_half(thread, inst, 0, i)), b = widen(fetch_half(thread, inst, 1, i));
        f64x8 c = opcode == OP_mad ? widen(fetch_half(thread, inst, 2, i)) : b;

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
