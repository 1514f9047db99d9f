/* Integers that go through the accumulator, on the fast path: results for it, products in two
 * halves, sums with a carry. This file is compiled twice: see lanes.h. */
#include "isa/fast/fast.h"

#include "isa/execute/operand.h"
#include "isa/fast/fast-operands.h"

/* What the accumulator holds from its lane `first` on. */
ALWAYS_INLINE void store_accumulator(struct thread *thread, unsigned first, unsigned lanes,
                                     uint32_t mask, const int64_t *value, const u32x8 *low)
{
    for (unsigned lane = 0; lane < lanes; lane++)
        if (mask >> lane & 1)
            thread->accumulator[first + lane] = value[lane];
    store_at(thread->registers + ARF_ACC + first * sizeof(*low) / BLOCK_LANES, lanes, mask, low);
}

static inline int64_t extend(uint32_t value, bool is_signed)
{
    return is_signed ? (int64_t)(int32_t)value : (int64_t)value;
}

ALWAYS_INLINE bool is_signed(const struct inst *inst, unsigned n)
{
    return type_is_signed((enum type)inst->source[n].type);
}

/* Results for the accumulator have 64 bits. */
#define TO_ACCUMULATOR(name, sources, expression)                                                  \
    ALWAYS_INLINE int name(struct thread *thread, const struct inst *inst, unsigned lanes)         \
    {                                                                                              \
        u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS] = {{0}}, c[MAX_BLOCKS] = {{0}},                         \
                             low[MAX_BLOCKS] = {{0}};                                              \
        int64_t result[MAX_LANES];                                                                 \
        bool signs[] = {is_signed(inst, 0), is_signed(inst, 1), is_signed(inst, 2)};               \
        fetch(thread, inst, 0, lanes, a);                                                          \
        if (sources > 1)                                                                           \
            fetch(thread, inst, 1, lanes, b);                                                      \
        if (sources > 2)                                                                           \
            fetch(thread, inst, 2, lanes, c);                                                      \
        for (unsigned lane = 0; lane < lanes; lane++) {                                            \
            uint64_t x = (uint64_t)extend(a[lane / 8][lane % 8], signs[0]);                        \
            uint64_t y = (uint64_t)extend(b[lane / 8][lane % 8], signs[1]);                        \
            uint64_t z = (uint64_t)extend(c[lane / 8][lane % 8], signs[2]);                        \
            (void)y, (void)z;                                                                      \
            result[lane] = (int64_t)(expression);                                                  \
            low[lane / 8][lane % 8] = (uint32_t)result[lane];                                      \
        }                                                                                          \
        store_accumulator(thread, (inst->fast_destination - ARF_ACC) / 4, lanes,                   \
                          thread_write_mask(thread, inst), result, low);                           \
        return 0;                                                                                  \
    }                                                                                              \
    WIDTHS(name)
TO_ACCUMULATOR(fast_mov_acc, 1, x)
TO_ACCUMULATOR(fast_add3_acc, 3, x + y + z)
#define A             x
#define B             y
#define COUNT(count)  ((count)&31)
#define SIGNED(value) ((int64_t)(value))
#define LOW(value)    ((uint32_t)(value))
#define LANE_OPERATION(name, sources, kind, expression)                                            \
    TO_ACCUMULATOR(fast_##name##_acc, sources, expression)
#define LANE_OPERATION_3(name, kind, expression)
#include "isa/execute/lane-operations.def"
#undef A
#undef B

/* bfn: of 32 bits, extended as the destination's type says. */
ALWAYS_INLINE int fast_bfn_acc(struct thread *thread, const struct inst *inst, unsigned lanes)
{
    u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS], c[MAX_BLOCKS];
    int64_t result[MAX_LANES];
    bool has_sign = type_is_signed((enum type)inst->destination.type);

    fetch(thread, inst, 0, lanes, a);
    fetch(thread, inst, 1, lanes, b);
    fetch(thread, inst, 2, lanes, c);
    BLOCKS a[i] = boolean_function(inst->function, a[i], b[i], c[i]);
    for (unsigned lane = 0; lane < lanes; lane++)
        result[lane] = extend(a[lane / 8][lane % 8], has_sign);
    store_accumulator(thread, (inst->fast_destination - ARF_ACC) / 4, lanes,
                      thread_write_mask(thread, inst), result, a);
    return 0;
}
WIDTHS(fast_bfn_acc)

/* The low half of a product whose other part is in the accumulator already. */
ALWAYS_INLINE int fast_macl(struct thread *thread, const struct inst *inst, unsigned lanes)
{
    u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS];

    fetch(thread, inst, 0, lanes, a);
    fetch(thread, inst, 1, lanes, b);
    BLOCKS
    {
        u32x8 sum;

        for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
            sum[lane] = (uint32_t)thread->accumulator[i * BLOCK_LANES + lane];
        a[i] = sum + (a[i] * (b[i] >> 16) << 16);
    }
    store(thread, inst, lanes, thread_write_mask(thread, inst), a);
    return 0;
}
WIDTHS(fast_macl)

/* The high half of a product, the same way. The whole of it stays in the accumulator if the
 * instruction says so. */
ALWAYS_INLINE int fast_mach(struct thread *thread, const struct inst *inst, unsigned lanes)
{
    u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS], low[MAX_BLOCKS] = {{0}};
    int64_t product[MAX_LANES];
    bool a_signed = is_signed(inst, 0), b_signed = is_signed(inst, 1);
    uint32_t mask = thread_write_mask(thread, inst);

    fetch(thread, inst, 0, lanes, a);
    fetch(thread, inst, 1, lanes, b);
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint64_t upper = (uint64_t)extend(a[lane / 8][lane % 8], a_signed) *
                         (uint64_t)(extend(b[lane / 8][lane % 8], b_signed) >> 16);

        product[lane] = (int64_t)((uint64_t)thread->accumulator[lane] + (upper << 16));
        low[lane / 8][lane % 8] = (uint32_t)product[lane];
        a[lane / 8][lane % 8] = (uint32_t)((uint64_t)product[lane] >> 32);
    }
    if (inst->writes_accumulator)
        store_accumulator(thread, 0, lanes, mask, product, low);
    store(thread, inst, lanes, mask, a);
    return 0;
}
WIDTHS(fast_mach)

/* addc, subb: carry or borrow goes to the accumulator. */
#define CARRY(name, result, carries)                                                               \
    ALWAYS_INLINE int name(struct thread *thread, const struct inst *inst, unsigned lanes)         \
    {                                                                                              \
        u32x8 a[MAX_BLOCKS], b[MAX_BLOCKS], carry[MAX_BLOCKS];                                     \
        int64_t wide[MAX_LANES];                                                                   \
        uint32_t mask = thread_write_mask(thread, inst);                                           \
        fetch_integer(thread, inst, 0, lanes, a);                                                  \
        fetch_integer(thread, inst, 1, lanes, b);                                                  \
        BLOCKS                                                                                     \
        {                                                                                          \
            carry[i] = (u32x8)(carries)&1;                                                         \
            a[i] = (result);                                                                       \
        }                                                                                          \
        for (unsigned lane = 0; lane < lanes; lane++)                                              \
            wide[lane] = (int64_t)carry[lane / 8][lane % 8];                                       \
        store_accumulator(thread, 0, lanes, mask, wide, carry);                                    \
        store(thread, inst, lanes, mask, a);                                                       \
        return 0;                                                                                  \
    }                                                                                              \
    WIDTHS(name)
CARRY(fast_addc, a[i] + b[i], a[i] + b[i] < a[i])
CARRY(fast_subb, a[i] - b[i], a[i] < b[i])

const execute_function FAST_WIDES[OPCODE_COUNT][FAST_WIDTHS] = {
    [OP_mov] = ROW(fast_mov_acc), [OP_add3] = ROW(fast_add3_acc), [OP_macl] = ROW(fast_macl),
    [OP_bfn] = ROW(fast_bfn_acc), [OP_mach] = ROW(fast_mach),     [OP_addc] = ROW(fast_addc),
    [OP_subb] = ROW(fast_subb),
#define LANE_OPERATION(name, sources, kind, expression) [OP_##name] = ROW(fast_##name##_acc),
#define LANE_OPERATION_3(name, kind, expression)
#include "isa/execute/lane-operations.def"
#undef A
#undef B
};
