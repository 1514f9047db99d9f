/* Integer arithmetic whose results are wider than its operands: what saturates, carries, multiplies
 * in two halves or adds to the accumulator. */
#include "isa/execute/condition.h"
#include "isa/execute/execute.h"
#include "isa/execute/integer.h"
#include "isa/execute/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

void accumulator_write(struct thread *thread, const struct inst *inst, unsigned first,
                       const int64_t *value, uint32_t mask)
{
    unsigned dwords = 8 * (unsigned)thread->program->device->grf_bytes / 4; /* of acc0 to acc7 */

    LANES
    {
        unsigned at = (first + lane) % dwords;

        if (!(mask >> lane & 1))
            continue;
        thread->accumulator[at] = value[lane];
        thread_write32(thread, ARF_ACC + at * 4, (uint32_t)value[lane]);
    }
}

__extension__ typedef __int128 wide; /* holds every sum and product of quadwords */

/* The source's lanes; the fetched ones of an unsigned quadword are its bits. */
static int fetch_wide(struct thread *thread, const struct inst *inst, unsigned index, wide *lanes)
{
    int64_t narrow[MAX_LANES];

    if (fetch_i64(thread, inst, index, narrow))
        return -1;
    bool is_unsigned = inst->source[index].type == TYPE_UQ && !inst->source[index].negate;
    LANES lanes[lane] = is_unsigned ? (wide)(uint64_t)narrow[lane] : (wide)narrow[lane];
    return 0;
}

/* For saturation and overflow flags: computed in full, then compared with the destination's range.
 * */
int execute_wide(struct thread *thread, const struct inst *inst)
{
    wide a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0};
    wide *const sources[3] = {a, b, c};

    for (unsigned i = 0; i < inst->source_count; i++)
        if (fetch_wide(thread, inst, i, sources[i]))
            return -1;
    enum type type = (enum type)inst->destination.type;
    unsigned bits = type_bytes(type) * 8;
    wide high = ((wide)1 << (type_is_signed(type) ? bits - 1 : bits)) - 1;
    wide low = type_is_signed(type) ? -high - 1 : 0;
    int64_t result[MAX_LANES];
    uint32_t overflow = 0;
    LANES
    {
        wide value = a[lane];

        if (inst->opcode == OP_mul)
            value = __builtin_mul_overflow(value, b[lane], &value) ? high : value;
        else if (inst->opcode == OP_mad)
            value += __builtin_mul_overflow(b[lane], c[lane], &b[lane]) ? high : b[lane];
        else
            value += b[lane] + c[lane];
        overflow |= (uint32_t)(value < low || value > high) << lane;
        if (inst->saturate)
            value = value < low ? low : value > high ? high : value;
        result[lane] = (int64_t)value;
    }
    if (inst->condition == CONDITION_OVERFLOW)
        thread_set_flags(thread, inst, thread_write_mask(thread, inst), overflow);
    return store_integer_i64(thread, inst, result);
}

/* addc, subb: the sum or difference of dwords; carry or borrow goes to the accumulator. */
static int execute_carry(struct thread *thread, const struct inst *inst)
{
    uint32_t a[MAX_LANES], b[MAX_LANES], result[MAX_LANES];
    int64_t carry[MAX_LANES];

    if (fetch_u32(thread, inst, 0, a) || fetch_u32(thread, inst, 1, b))
        return -1;
    LANES
    {
        bool add = inst->opcode == OP_addc;

        result[lane] = add ? a[lane] + b[lane] : a[lane] - b[lane];
        carry[lane] = add ? result[lane] < a[lane] : a[lane] < b[lane];
    }
    uint32_t mask = thread_write_mask(thread, inst);
    int64_t value[MAX_LANES];
    integer_flags_u32(thread, inst, result, mask, value);
    accumulator_write(thread, inst, 0, carry, mask);
    return store_u32(thread, inst, result, mask);
}

/* Second part of a 32 x 32-bit product: the accumulator holds source 0 times the low word of source
 * 1. mach gives the product's high half, macl the low. */
static int execute_mach(struct thread *thread, const struct inst *inst)
{
    int64_t a[MAX_LANES], b[MAX_LANES], result[MAX_LANES], low[MAX_LANES];

    if (fetch_i64(thread, inst, 0, a) || fetch_i64(thread, inst, 1, b))
        return -1;
    bool high = inst->opcode == OP_mach;
    LANES
    {
        uint64_t product = (uint64_t)thread->accumulator[lane] +
                           ((uint64_t)a[lane] * (uint64_t)(b[lane] >> 16) << 16);
        bool is_signed = type_is_signed((enum type)inst->destination.type);

        result[lane] = !high       ? (int64_t)product
                       : is_signed ? (int64_t)product >> 32
                                   : (int64_t)(product >> 32);
        low[lane] = (int64_t)product;
    }
    uint32_t mask = thread_write_mask(thread, inst);
    condition_flags_i64(thread, inst, result, mask);
    if (inst->writes_accumulator)
        accumulator_write(thread, inst, 0, low, mask);
    return store_i64(thread, inst, result, mask);
}

/* mac: a product added to the accumulator. */
static int execute_mac(struct thread *thread, const struct inst *inst)
{
    int64_t a[MAX_LANES], b[MAX_LANES];

    if (fetch_i64(thread, inst, 0, a) || fetch_i64(thread, inst, 1, b))
        return -1;
    LANES a[lane] =
        (int64_t)((uint64_t)thread->accumulator[lane] + (uint64_t)a[lane] * (uint64_t)b[lane]);
    return store_integer_i64(thread, inst, a);
}

/* mullh: the low halves of 32 x 32-bit products, and in the next register the high ones. */
static int execute_both_halves(struct thread *thread, const struct inst *inst)
{
    const uint32_t high = inst->destination.offset + (uint32_t)thread->program->device->grf_bytes;
    const uint32_t mask = thread_write_mask(thread, inst);
    int64_t a[MAX_LANES], b[MAX_LANES];
    uint32_t low[MAX_LANES];

    if (fetch_i64(thread, inst, 0, a) || fetch_i64(thread, inst, 1, b))
        return -1;
    LANES
    {
        const uint64_t product = (uint64_t)a[lane] * (uint64_t)b[lane];

        low[lane] = (uint32_t)product;
        if (mask >> lane & 1)
            thread_write32(thread, high + lane * 4, (uint32_t)(product >> 32));
    }
    return store_u32(thread, inst, low, mask);
}

/* The destination is two whole registers. */
static bool has_room_for_both(const struct inst *inst)
{
    const struct operand *to = &inst->destination;

    return to->kind == OPERAND_REGISTER && to->vertical_stride == 1 && inst->lanes <= 16 &&
           type_bytes((enum type)to->type) == 4 && inst->condition == CONDITION_NONE &&
           !inst->saturate && to->offset + 2 * GRF_BYTES_MAX <= GRF_COUNT * GRF_BYTES_MAX;
}

execute_function wide_select(const struct inst *inst)
{
    switch (inst->opcode) {
    case OP_mullh:
        return has_room_for_both(inst) ? execute_both_halves : NULL;
    case OP_add:
    case OP_add3:
    case OP_mul:
    case OP_mad:
        return inst->saturate || inst->condition == CONDITION_OVERFLOW ? execute_wide : NULL;
    case OP_addc:
    case OP_subb:
        return inst->condition == CONDITION_OVERFLOW ? NULL : execute_carry;
    case OP_mach:
    case OP_macl:
        return inst->condition == CONDITION_OVERFLOW ? NULL : execute_mach;
    case OP_mac: /* the accumulator holds words in another layout */
        return type_bytes((enum type)inst->destination.type) == 4 ? execute_mac : NULL;
    default:
        return NULL;
    }
}
