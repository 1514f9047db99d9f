/* The operations of the fast path. This file is compiled twice: see lanes.h. */
#include "isa/fast/fast.h"

#include "isa/execute/operand.h"
#include "isa/fast/fast-operands.h"

#define A a[i]
#define B b[i]
#define C c[i]

/* An instruction of one to three sources: all are read before anything is written. */
#define BODY(name, sources, fetch_source, expression)                                              \
    ALWAYS_INLINE int name(struct thread *thread, const struct inst *inst, unsigned lanes)         \
    {                                                                                              \
        u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS], c[MAX_BLOCKS];                                         \
        fetch_source(thread, inst, 0, lanes, a);                                                   \
        if (sources > 1)                                                                           \
            fetch_source(thread, inst, 1, lanes, b);                                               \
        if (sources > 2)                                                                           \
            fetch_source(thread, inst, 2, lanes, c);                                               \
        BLOCKS A = (u32x8)(expression);                                                            \
        store(thread, inst, lanes, thread_write_mask(thread, inst), a);                            \
        return 0;                                                                                  \
    }
#define OPERATION(name, sources, fetch_source, expression)                                         \
    BODY(name, sources, fetch_source, expression)                                                  \
    WIDTHS(name)

/* What the other ways of executing an instruction mean by it, too. */
#define COUNT(count)  ((count)&31)
#define SIGNED(value) ((i32x8)(value))
#define LOW(value)    (value)
#define LANE_OPERATION(name, sources, kind, expression)                                            \
    OPERATION(fast_##name, sources, fetch_##kind, expression)
#define LANE_OPERATION_3(name, kind, expression) LANE_OPERATION(name, 3, kind, expression)
#include "isa/execute/lane-operations.def"

OPERATION(fast_mov, 1, fetch, A)
OPERATION(fast_rol, 2, fetch, A << (B & 31) | A >> (-B & 31))
OPERATION(fast_ror, 2, fetch, A >> (B & 31) | A << (-B & 31))
OPERATION(fast_bfn, 3, fetch_logic, boolean_function(inst->function, A, B, C))

/* A byte of each lane, with its sign. */
ALWAYS_INLINE i32x8 signed_byte(u32x8 value, unsigned byte)
{
    return (i32x8)(value << (24 - 8 * byte)) >> 24;
}

ALWAYS_INLINE u32x8 byte_products(u32x8 b, u32x8 c)
{
    i32x8 sum = (i32x8)splat(0);

    for (unsigned byte = 0; byte < 4; byte++)
        sum += signed_byte(b, byte) * signed_byte(c, byte);
    return (u32x8)sum;
}
OPERATION(fast_dp4a, 3, fetch, A + byte_products(B, C))

/* Arithmetic always gives the same NaN: which operand's it is on hardware is not modelled, and
 * hosts differ. */
ALWAYS_INLINE f32x8 one_nan(f32x8 value)
{
    return (f32x8)choose((u32x8)(value != value), splat(FLOAT_NAN), (u32x8)value);
}

#define FLOAT_OPERATION(name, sources, fetch_source, expression)                                   \
    BODY(name##_plain, sources, fetch_source, expression)                                          \
    ALWAYS_INLINE int name(struct thread *thread, const struct inst *inst, unsigned lanes)         \
    {                                                                                              \
        return fast_is_usual_mode(thread) ? name##_plain(thread, inst, lanes)                      \
                                          : inst->general(thread, inst);                           \
    }                                                                                              \
    WIDTHS(name)

#define AF ((f32x8)A)
#define BF ((f32x8)B)
#define CF ((f32x8)C)

FLOAT_OPERATION(fast_add_float, 2, fetch_float, one_nan(AF + BF))
FLOAT_OPERATION(fast_mul_float, 2, fetch_float, one_nan(AF *BF))
FLOAT_OPERATION(fast_mad_float, 3, fetch_float, one_nan(multiply_add(BF, CF, AF)))
FLOAT_OPERATION(fast_to_float, 1, fetch_integer, __builtin_convertvector((i32x8)A, f32x8))

/* Extended math rounds as the host does, whatever the thread's mode. */
ALWAYS_INLINE f32x8 square_root(f32x8 x)
{
    f32x8 result;

    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        result[lane] = sqrtf(x[lane]);
    return result;
}

ALWAYS_INLINE f32x8 reciprocal_root(f32x8 x)
{
    f32x8 result;

    for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
        result[lane] = (float)(1.0 / sqrt((double)x[lane]));
    return result;
}

OPERATION(fast_inv, 1, fetch_float, 1.0f / AF)
OPERATION(fast_sqt, 1, fetch_float, square_root(AF))
OPERATION(fast_rsqt, 1, fetch_float, reciprocal_root(AF))

/* Towards zero; what is beyond the range takes its nearest value, and NaN is 0. */
ALWAYS_INLINE u32x8 truncated(f32x8 x)
{
    u32x8 above = (u32x8)(x >= 0x1p31f), below = (u32x8)(x <= -0x1p31f);
    u32x8 within = (u32x8)(x == x) & ~above & ~below;
    i32x8 whole = __builtin_convertvector((f32x8)((u32x8)x & within), i32x8);

    return ((u32x8)whole & within) | (above & 0x7fffffff) | (below & 0x80000000);
}
OPERATION(fast_to_signed, 1, fetch_float, truncated(AF))

/* sel by the predicate; all active lanes are written. */
ALWAYS_INLINE int fast_sel(struct thread *thread, const struct inst *inst, unsigned lanes)
{
    u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS];
    uint32_t first = thread_predicate(thread, inst);

    fetch(thread, inst, 0, lanes, a);
    fetch(thread, inst, 1, lanes, b);
    BLOCKS A = choose(mask_lanes(first >> i * BLOCK_LANES), A, B);
    store(thread, inst, lanes, thread_active_lanes(thread, inst), a);
    return 0;
}
WIDTHS(fast_sel)

/* The lesser or the greater of two; of a number and a NaN the number, of two NaNs a quiet one. */
#define SELECTION(name, fetch_source, first_is_chosen, chosen)                                     \
    ALWAYS_INLINE int name(struct thread *thread, const struct inst *inst, unsigned lanes)         \
    {                                                                                              \
        u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS];                                                        \
        fetch_source(thread, inst, 0, lanes, a);                                                   \
        fetch_source(thread, inst, 1, lanes, b);                                                   \
        BLOCKS                                                                                     \
        {                                                                                          \
            A = choose((u32x8)(first_is_chosen), A, B);                                            \
            A = (chosen);                                                                          \
        }                                                                                          \
        store(thread, inst, lanes, thread_active_lanes(thread, inst), a);                          \
        return 0;                                                                                  \
    }

#define AI    ((i32x8)A)
#define BI    ((i32x8)B)
#define QUIET (A | ((u32x8)(AF != AF) & 0x00400000))

SELECTION(fast_least_signed, fetch_integer, AI < BI, A)
WIDTHS(fast_least_signed)
SELECTION(fast_least_unsigned, fetch_integer, A < B, A)
WIDTHS(fast_least_unsigned)
SELECTION(fast_greatest_signed, fetch_integer, AI >= BI, A)
WIDTHS(fast_greatest_signed)
SELECTION(fast_greatest_unsigned, fetch_integer, A >= B, A)
WIDTHS(fast_greatest_unsigned)
SELECTION(fast_least_kept, fetch_float, (AF < BF) | (BF != BF), QUIET)
SELECTION(fast_greatest_kept, fetch_float, (AF >= BF) | (BF != BF), QUIET)

/* What compares floats depends on whether denormals are zeros. */
#define KEPT(name, kept)                                                                           \
    ALWAYS_INLINE int name(struct thread *thread, const struct inst *inst, unsigned lanes)         \
    {                                                                                              \
        bool keeps = thread_read32(thread, ARF_CR) & CR0_KEEP_DENORM_F;                            \
        return keeps ? kept(thread, inst, lanes) : inst->general(thread, inst);                    \
    }                                                                                              \
    WIDTHS(name)
KEPT(fast_least_float, fast_least_kept)
KEPT(fast_greatest_float, fast_greatest_kept)

/* cmp to a flag, and to a register if there is one: one function for each condition and way to
 * compare. */
#define COMPARE(name, fetch_source, type, operator)                                                \
    ALWAYS_INLINE int name(struct thread *thread, const struct inst *inst, unsigned lanes)         \
    {                                                                                              \
        u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS];                                                        \
        uint32_t bits = 0, mask = thread_write_mask(thread, inst);                                 \
        fetch_source(thread, inst, 0, lanes, a);                                                   \
        fetch_source(thread, inst, 1, lanes, b);                                                   \
        BLOCKS                                                                                     \
        {                                                                                          \
            A = (u32x8)((type)A operator(type) B);                                                 \
            bits |= lane_bits((i32x8)A) << i * BLOCK_LANES;                                        \
        }                                                                                          \
        thread_set_flags(thread, inst, mask, bits);                                                \
        if (inst->fast_container)                                                                  \
            store(thread, inst, lanes, mask, a);                                                   \
        return 0;                                                                                  \
    }
#define COMPARE_EACH(name, operator)                                                               \
    COMPARE(cmp_signed_##name, fetch_integer, i32x8, operator)                                     \
    WIDTHS(cmp_signed_##name)                                                                      \
    COMPARE(cmp_unsigned_##name, fetch_integer, u32x8, operator)                                   \
    WIDTHS(cmp_unsigned_##name)                                                                    \
    COMPARE(cmp_kept_##name, fetch_float, f32x8, operator)                                         \
    KEPT(cmp_float_##name, cmp_kept_##name)
#define COMPARE_ROWS(name)                                                                         \
    {                                                                                              \
        [CONDITION_EQ] = ROW(name##_eq), [CONDITION_NE] = ROW(name##_ne),                          \
        [CONDITION_GT] = ROW(name##_gt), [CONDITION_GE] = ROW(name##_ge),                          \
        [CONDITION_LT] = ROW(name##_lt), [CONDITION_LE] = ROW(name##_le),                          \
    }

COMPARE_EACH(eq, ==)
COMPARE_EACH(ne, !=)
COMPARE_EACH(gt, >)
COMPARE_EACH(ge, >=)
COMPARE_EACH(lt, <)
COMPARE_EACH(le, <=)

/* add that leaves a flag, as loops count: the order of the sum, cut to 32 bits, and zero. */
ALWAYS_INLINE i32x8 sum_holds(enum condition condition, i32x8 sum)
{
    switch (condition) {
    case CONDITION_EQ:
        return sum == 0;
    case CONDITION_NE:
        return sum != 0;
    case CONDITION_GT:
        return sum > 0;
    case CONDITION_GE:
        return sum >= 0;
    case CONDITION_LT:
        return sum < 0;
    default:
        return sum <= 0;
    }
}

ALWAYS_INLINE int fast_add_condition(struct thread *thread, const struct inst *inst, unsigned lanes)
{
    u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS];
    uint32_t bits = 0, mask = thread_write_mask(thread, inst);

    fetch(thread, inst, 0, lanes, a);
    fetch(thread, inst, 1, lanes, b);
    BLOCKS
    {
        A += B;
        bits |= lane_bits(sum_holds((enum condition)inst->condition, (i32x8)A)) << i * BLOCK_LANES;
    }
    thread_set_flags(thread, inst, mask, bits);
    store(thread, inst, lanes, mask, a);
    return 0;
}
WIDTHS(fast_add_condition)

/* Bits that leave a flag for each lane, whether they are all zero or not. */
ALWAYS_INLINE int fast_logic_condition(struct thread *thread, const struct inst *inst,
                                       unsigned lanes)
{
    u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS];
    uint32_t zeros = 0, mask = thread_write_mask(thread, inst);

    fetch_logic(thread, inst, 0, lanes, a);
    fetch_logic(thread, inst, 1, lanes, b);
    BLOCKS
    {
        A = inst->opcode == OP_and ? A & B : inst->opcode == OP_or ? A | B : A ^ B;
        zeros |= lane_bits((i32x8)(A == 0)) << i * BLOCK_LANES;
    }
    thread_set_flags(thread, inst, mask, inst->condition == CONDITION_EQ ? zeros : ~zeros);
    if (inst->fast_container)
        store(thread, inst, lanes, mask, a);
    return 0;
}
WIDTHS(fast_logic_condition)

extern const execute_function FAST_HALVES[OPCODE_COUNT];
extern const execute_function FAST_NARROWS[OPCODE_COUNT];
extern const execute_function FAST_WIDES[OPCODE_COUNT][FAST_WIDTHS];

const struct fast_functions FAST_FUNCTIONS = {
    .half = FAST_HALVES,
    .narrow = FAST_NARROWS,
    .wide = FAST_WIDES,
    .integer =
        {
            [OP_mov] = ROW(fast_mov),
            [OP_rol] = ROW(fast_rol),
            [OP_ror] = ROW(fast_ror),
            [OP_bfn] = ROW(fast_bfn),
            [OP_dp4a] = ROW(fast_dp4a),
#define LANE_OPERATION(name, sources, kind, expression) [OP_##name] = ROW(fast_##name),
#define LANE_OPERATION_3(name, kind, expression)        [OP_##name] = ROW(fast_##name),
#include "isa/execute/lane-operations.def"
        },
    .real = {[OP_mov] = ROW(fast_mov),
             [OP_add] = ROW(fast_add_float),
             [OP_mul] = ROW(fast_mul_float),
             [OP_mad] = ROW(fast_mad_float)},
    .math = {[MATH_INV] = ROW(fast_inv), [MATH_SQT] = ROW(fast_sqt), [MATH_RSQT] = ROW(fast_rsqt)},
    .compare = {[COMPARE_SIGNED] = COMPARE_ROWS(cmp_signed),
                [COMPARE_UNSIGNED] = COMPARE_ROWS(cmp_unsigned),
                [COMPARE_FLOAT] = COMPARE_ROWS(cmp_float)},
    .least = {[COMPARE_SIGNED] = ROW(fast_least_signed),
              [COMPARE_UNSIGNED] = ROW(fast_least_unsigned),
              [COMPARE_FLOAT] = ROW(fast_least_float)},
    .greatest = {[COMPARE_SIGNED] = ROW(fast_greatest_signed),
                 [COMPARE_UNSIGNED] = ROW(fast_greatest_unsigned),
                 [COMPARE_FLOAT] = ROW(fast_greatest_float)},
    .add_condition = ROW(fast_add_condition),
    .logic_condition = ROW(fast_logic_condition),
    .select = ROW(fast_sel),
    .to_float = ROW(fast_to_float),
    .to_signed = ROW(fast_to_signed),
};

#undef A
#undef B
#undef C
#undef AF
#undef BF
#undef CF
#undef AI
#undef BI
