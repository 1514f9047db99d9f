/* The instructions that programs spend their time in, on the operands that they mostly have: 32-bit
 * lanes, side by side in a register, or one value for all. Everything else, and the same
 * instructions with any frill, goes the general way; both ways give the same bits. */
#include "xe/fast.h"

#include "xe/lanes.h"
#include "xe/operand.h"

enum { CR0_ROUNDING = 3 << 4, CR0_KEEP_DENORM_F = 1 << 7 };

static void fetch(const struct thread *thread, const struct operand *operand, unsigned blocks,
                  union block *to)
{
    if (operand->shape == SHAPE_CONTIGUOUS && operand->kind == OPERAND_REGISTER) {
        for (unsigned i = 0; i < blocks; i++)
            load_block(&to[i], thread->registers + operand->offset + i * sizeof(*to));
        return;
    }
    uint32_t value = operand->kind == OPERAND_IMMEDIATE ? operand->broadcast
                                                        : thread_read32(thread, operand->offset);
    for (unsigned i = 0; i < blocks; i++)
        to[i].u = splat(value);
}

/* Sources with the modifiers that integers, bits and floats give them. */
static void fetch_integer(const struct thread *thread, const struct operand *operand,
                          unsigned blocks, union block *to)
{
    fetch(thread, operand, blocks, to);
    for (unsigned i = 0; operand->negate && i < blocks; i++)
        to[i].u = -to[i].u;
}

static void fetch_logic(const struct thread *thread, const struct operand *operand, unsigned blocks,
                        union block *to)
{
    fetch(thread, operand, blocks, to);
    for (unsigned i = 0; operand->negate && i < blocks; i++)
        to[i].u = ~to[i].u;
}

static void fetch_float(const struct thread *thread, const struct operand *operand, unsigned blocks,
                        union block *to)
{
    fetch(thread, operand, blocks, to);
    for (unsigned i = 0; operand->absolute && i < blocks; i++)
        to[i].u &= 0x7fffffff;
    for (unsigned i = 0; operand->negate && i < blocks; i++)
        to[i].u ^= 0x80000000;
}

static unsigned block_count(const struct inst *inst)
{
    return (inst->lanes + BLOCK_LANES - 1u) / BLOCK_LANES;
}

static uint32_t all_lanes(const struct inst *inst)
{
    return UINT32_MAX >> (32 - inst->lanes);
}

static uint32_t active_lanes(const struct thread *thread, const struct inst *inst)
{
    return inst->no_mask ? all_lanes(inst) : thread->active >> inst->first_lane & all_lanes(inst);
}

static uint32_t write_mask(const struct thread *thread, const struct inst *inst)
{
    uint32_t mask = active_lanes(thread, inst);
    return inst->predicate == PREDICATE_NONE ? mask : mask & thread_predicate(thread, inst);
}

static void store(struct thread *thread, const struct inst *inst, const union block *result,
                  uint32_t mask)
{
    uint8_t *registers = thread->registers + inst->destination.offset;
    for (unsigned i = 0; i < block_count(inst); i++)
        store_block(registers + i * sizeof(*result), &result[i], mask >> i * BLOCK_LANES);
}

/* Of the NaNs there are, arithmetic gives one: which operand's it is on hardware is not modelled,
 * and hosts differ. */
static inline f32x8 one_nan(f32x8 value)
{
    union block result = {.f = value};
    u32x8 is_nan = (u32x8)(value != value);
    result.u = (result.u & ~is_nan) | (splat(FLOAT_NAN) & is_nan);
    return result.f;
}

/* An instruction of one to three sources: all are read before anything is written. */
#define OPERATION(name, fetch_source, member, expression)                                          \
    static int fast_##name(struct thread *thread, const struct inst *inst)                         \
    {                                                                                              \
        union block s[3][MAX_BLOCKS];                                                              \
        unsigned blocks = block_count(inst);                                                       \
        for (unsigned n = 0; n < inst->source_count; n++)                                          \
            fetch_source(thread, &inst->source[n], blocks, s[n]);                                  \
        for (unsigned i = 0; i < blocks; i++)                                                      \
            s[0][i].member = (expression);                                                         \
        store(thread, inst, s[0], write_mask(thread, inst));                                       \
        return 0;                                                                                  \
    }

#define A s[0][i]
#define B s[1][i]
#define C s[2][i]

OPERATION(mov, fetch, u, A.u)
OPERATION(add, fetch_integer, u, A.u + B.u)
OPERATION(add3, fetch_integer, u, A.u + B.u + C.u)
OPERATION(mul, fetch_integer, u, A.u *B.u)
OPERATION(mad, fetch_integer, u, A.u + B.u * C.u)
OPERATION(shl, fetch_integer, u, A.u << (B.u & 31))
OPERATION(shr, fetch_integer, u, A.u >> (B.u & 31))
OPERATION(asr, fetch_integer, i, A.i >> (B.i & 31))
OPERATION(and, fetch_logic, u, A.u &B.u)
OPERATION(or, fetch_logic, u, A.u | B.u)
OPERATION(xor, fetch_logic, u, A.u ^ B.u)
OPERATION(not, fetch_logic, u, ~A.u)

/* Floats keep to the general way while the thread rounds otherwise or flushes denormals. */
#define FLOAT_OPERATION(name, expression)                                                          \
    OPERATION(name##_rounded, fetch_float, f, expression)                                          \
    static int fast_##name(struct thread *thread, const struct inst *inst)                         \
    {                                                                                              \
        uint32_t cr0 = thread_read32(thread, ARF_CR);                                              \
        if ((cr0 & (CR0_ROUNDING | CR0_KEEP_DENORM_F)) != CR0_KEEP_DENORM_F)                       \
            return inst->general(thread, inst);                                                    \
        return fast_##name##_rounded(thread, inst);                                                \
    }

FLOAT_OPERATION(add_f, one_nan(A.f + B.f))
FLOAT_OPERATION(mul_f, one_nan(A.f *B.f))
FLOAT_OPERATION(mad_f, one_nan(multiply_add(B.f, C.f, A.f)))

/* A boolean function of three bits, by its truth table. */
static int fast_bfn(struct thread *thread, const struct inst *inst)
{
    union block s[3][MAX_BLOCKS];
    unsigned blocks = block_count(inst);
    for (unsigned n = 0; n < 3; n++)
        fetch_logic(thread, &inst->source[n], blocks, s[n]);
    for (unsigned i = 0; i < blocks; i++) {
        u32x8 result = splat(0);
        for (unsigned row = 0; row < 8; row++)
            if (inst->function >> row & 1)
                result |= (row & 1 ? A.u : ~A.u) & (row & 2 ? B.u : ~B.u) & (row & 4 ? C.u : ~C.u);
        A.u = result;
    }
    store(thread, inst, s[0], write_mask(thread, inst));
    return 0;
}

/* sel by the predicate; all active lanes are written. */
static int fast_sel(struct thread *thread, const struct inst *inst)
{
    union block s[2][MAX_BLOCKS];
    unsigned blocks = block_count(inst);
    uint32_t first = thread_predicate(thread, inst);
    for (unsigned n = 0; n < 2; n++)
        fetch(thread, &inst->source[n], blocks, s[n]);
    for (unsigned i = 0; i < blocks; i++) {
        u32x8 mask = mask_lanes(first >> i * BLOCK_LANES);
        A.u = (A.u & mask) | (B.u & ~mask);
    }
    store(thread, inst, s[0], active_lanes(thread, inst));
    return 0;
}

/* add that leaves a flag, as loops count: its order is that of the sum itself, which 32 bits need
 * not hold. Where they don't, their sign is the wrong one. Equality is that of the 32 bits. */
static int fast_add_condition(struct thread *thread, const struct inst *inst)
{
    union block s[2][MAX_BLOCKS];
    unsigned blocks = block_count(inst);
    uint32_t bits = 0, mask = write_mask(thread, inst);
    for (unsigned n = 0; n < 2; n++)
        fetch(thread, &inst->source[n], blocks, s[n]);
    for (unsigned i = 0; i < blocks; i++) {
        union block sum = {.u = A.u + B.u};
        i32x8 overflows = (i32x8)((A.u ^ sum.u) & (B.u ^ sum.u)) < 0;
        i32x8 negative = (sum.i < 0) ^ overflows, zero = (sum.i == 0) & ~overflows;
        i32x8 holds = inst->condition == CONDITION_EQ   ? sum.i == 0
                      : inst->condition == CONDITION_NE ? sum.i != 0
                      : inst->condition == CONDITION_GT ? ~(negative | zero)
                      : inst->condition == CONDITION_GE ? ~negative
                      : inst->condition == CONDITION_LT ? negative
                                                        : negative | zero;
        bits |= lane_bits(holds) << i * BLOCK_LANES;
        A = sum;
    }
    thread_set_flags(thread, inst, mask, bits);
    store(thread, inst, s[0], mask);
    return 0;
}

/* cmp to a flag: one function for each way in which the lanes compare. */
#define COMPARE(name, fetch_source, member)                                                        \
    static int fast_cmp_##name(struct thread *thread, const struct inst *inst)                     \
    {                                                                                              \
        union block s[2][MAX_BLOCKS];                                                              \
        unsigned blocks = block_count(inst);                                                       \
        uint32_t bits = 0;                                                                         \
        for (unsigned n = 0; n < 2; n++)                                                           \
            fetch_source(thread, &inst->source[n], blocks, s[n]);                                  \
        for (unsigned i = 0; i < blocks; i++) {                                                    \
            i32x8 holds = inst->condition == CONDITION_EQ   ? A.member == B.member                 \
                          : inst->condition == CONDITION_NE ? A.member != B.member                 \
                          : inst->condition == CONDITION_GT ? A.member > B.member                  \
                          : inst->condition == CONDITION_GE ? A.member >= B.member                 \
                          : inst->condition == CONDITION_LT ? A.member < B.member                  \
                                                            : A.member <= B.member;                \
            bits |= lane_bits(holds) << i * BLOCK_LANES;                                           \
        }                                                                                          \
        thread_set_flags(thread, inst, write_mask(thread, inst), bits);                            \
        return 0;                                                                                  \
    }

COMPARE(signed, fetch_integer, i)
COMPARE(unsigned, fetch_integer, u)
COMPARE(kept_float, fetch_float, f)

static int fast_cmp_float(struct thread *thread, const struct inst *inst)
{
    bool keeps_denormals = thread_read32(thread, ARF_CR) & CR0_KEEP_DENORM_F;
    return keeps_denormals ? fast_cmp_kept_float(thread, inst) : inst->general(thread, inst);
}

/* Whether a source is of 32-bit lanes and lies as fetch() takes it. */
static bool source_fits(const struct operand *operand, unsigned lanes)
{
    if (operand->kind == OPERAND_IMMEDIATE)
        return operand->has_broadcast;
    return operand->kind == OPERAND_REGISTER && operand->shape != SHAPE_STRIDED &&
           type_bytes((enum type)operand->type) == 4 && !operand->is_null &&
           operand->offset + (lanes + 7) / 8 * 32 <= REGISTER_FILE_BYTES;
}

static bool fits(const struct inst *inst)
{
    const struct operand *to = &inst->destination;
    bool compares = inst->opcode == OP_cmp;
    bool plain = !inst->saturate && !inst->writes_accumulator && !to->is_accumulator &&
                 (compares || inst->opcode == OP_add || inst->condition == CONDITION_NONE);
    /* A lone lane is a run of one, whatever the stride says. */
    bool target = compares ? to->is_null
                           : to->kind == OPERAND_REGISTER && !to->is_null &&
                                 type_bytes((enum type)to->type) == 4 &&
                                 (to->shape == SHAPE_CONTIGUOUS || inst->lanes == 1) &&
                                 to->offset + (inst->lanes + 7u) / 8 * 32 <= REGISTER_FILE_BYTES;
    if (!plain || !target || inst->source_count == 0)
        return false;
    for (unsigned i = 0; i < inst->source_count; i++)
        if (!source_fits(&inst->source[i], inst->lanes))
            return false;
    return true;
}

static bool is_float(const struct inst *inst, unsigned index)
{
    return inst->source[index].type == TYPE_F;
}

static execute_function select_float(const struct inst *inst)
{
    if (inst->destination.type != TYPE_F)
        return NULL;
    for (unsigned i = 0; i < inst->source_count; i++)
        if (!is_float(inst, i))
            return NULL;
    switch (inst->opcode) {
    case OP_add:
        return fast_add_f;
    case OP_mul:
        return fast_mul_f;
    case OP_mad:
        return fast_mad_f;
    default:
        return NULL;
    }
}

static execute_function select_integer(const struct inst *inst)
{
    static const execute_function functions[OPCODE_COUNT] = {
        [OP_add] = fast_add, [OP_add3] = fast_add3, [OP_mul] = fast_mul, [OP_mad] = fast_mad,
        [OP_shl] = fast_shl, [OP_shr] = fast_shr,   [OP_asr] = fast_asr, [OP_and] = fast_and,
        [OP_or] = fast_or,   [OP_xor] = fast_xor,   [OP_not] = fast_not, [OP_bfn] = fast_bfn,
    };
    for (unsigned i = 0; i < inst->source_count; i++)
        if (is_float(inst, i) || inst->source[i].absolute)
            return NULL;
    return type_is_float((enum type)inst->destination.type) ? NULL : functions[inst->opcode];
}

static bool is_signed_value(const struct operand *operand)
{
    return !operand->negate && !operand->absolute &&
           (operand->type == TYPE_D || (operand->kind == OPERAND_IMMEDIATE &&
                                        (operand->type == TYPE_W || operand->type == TYPE_UW)));
}

static execute_function select_add_condition(const struct inst *inst)
{
    bool is_signed = is_signed_value(&inst->source[0]) && is_signed_value(&inst->source[1]);
    return is_signed && inst->destination.type == TYPE_D && inst->condition <= CONDITION_LE
               ? fast_add_condition
               : NULL;
}

static execute_function select_cmp(const struct inst *inst)
{
    const struct operand *a = &inst->source[0], *b = &inst->source[1];
    if (inst->condition == CONDITION_NONE || inst->condition > CONDITION_LE)
        return NULL;
    if (a->type == TYPE_F && b->type == TYPE_F)
        return fast_cmp_float;
    /* The general way compares integers as 64-bit values: here both have to be of one sign, and
     * a modifier must not lead out of 32 bits. */
    if (a->negate || a->absolute || b->negate || b->absolute)
        return NULL;
    bool b_positive = b->kind == OPERAND_IMMEDIATE && (int32_t)b->broadcast >= 0;
    if (a->type == TYPE_D && (b->type == TYPE_D || b->type == TYPE_W || b_positive))
        return fast_cmp_signed;
    if (a->type == TYPE_UD && (b->type == TYPE_UD || b->type == TYPE_UW || b_positive))
        return fast_cmp_unsigned;
    return NULL;
}

execute_function FAST_SELECT(const struct inst *inst)
{
    const struct operand *from = &inst->source[0], *to = &inst->destination;
    if (!fits(inst))
        return NULL;
    if (inst->opcode == OP_add && inst->condition != CONDITION_NONE)
        return select_add_condition(inst);
    switch (inst->opcode) {
    case OP_cmp:
        return select_cmp(inst);
    case OP_sel: /* with modifiers, or a type of its own for each operand, it converts */
        return inst->predicate != PREDICATE_NONE && !from->negate && !from->absolute &&
                       !inst->source[1].negate && !inst->source[1].absolute &&
                       type_is_float((enum type)from->type) == type_is_float((enum type)to->type) &&
                       type_is_float((enum type)inst->source[1].type) ==
                           type_is_float((enum type)to->type) &&
                       to->type != TYPE_F
                   ? fast_sel
                   : NULL;
    case OP_mov: /* between types of one kind the bits stay */
        return !from->negate && !from->absolute &&
                       type_is_float((enum type)from->type) == type_is_float((enum type)to->type)
                   ? fast_mov
                   : NULL;
    default: {
        execute_function function = select_float(inst);
        return function ? function : select_integer(inst);
    }
    }
}
