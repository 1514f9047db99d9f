/* Integer instructions on bits: counts, fields, rotations, products of bytes. */
#include "isa/execute/execute.h"
#include "isa/execute/integer.h"
#include "isa/execute/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

static unsigned leading_zeros(uint32_t value)
{
    return value ? (unsigned)__builtin_clz(value) : 32;
}

/* Counts and rearrangements of single bits. */
static int execute_bits(struct thread *thread, const struct inst *inst)
{
    uint32_t a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0}, result[MAX_LANES];

    if (fetch_u32(thread, inst, 0, a) ||
        (inst->source_count > 1 && fetch_u32(thread, inst, 1, b)) ||
        (inst->source_count > 2 && fetch_u32(thread, inst, 2, c)))
        return -1;
    bool is_signed = type_is_signed((enum type)inst->source[inst->opcode == OP_bfe ? 2 : 0].type);
    LANES
    {
        uint32_t width = a[lane] & 31, offset = b[lane] & 31, value = a[lane], low;

        switch (inst->opcode) {
        case OP_bfrev:
            low = 0;
            for (unsigned bit = 0; bit < 32; bit++)
                low |= (value >> bit & 1) << (31 - bit);
            result[lane] = low;
            break;
        case OP_cbit:
            result[lane] = (uint32_t)__builtin_popcount(value);
            break;
        case OP_lzd:
            result[lane] = leading_zeros(value);
            break;
        case OP_fbl:
            result[lane] = value ? (uint32_t)__builtin_ctz(value) : UINT32_MAX;
            break;
        case OP_fbh: /* signed: the first bit that differs from the sign */
            if (is_signed && (int32_t)value < 0)
                value = ~value;
            result[lane] = value ? leading_zeros(value) : UINT32_MAX;
            break;
        case OP_bfe: /* width, offset, value */
            value = c[lane];
            if (width == 0)
                result[lane] = 0;
            else if (offset + width < 32)
                result[lane] =
                    is_signed
                        ? (uint32_t)((int32_t)(value << (32 - offset - width)) >> (32 - width))
                        : value << (32 - offset - width) >> (32 - width);
            else
                result[lane] = is_signed ? (uint32_t)((int32_t)value >> offset) : value >> offset;
            break;
        case OP_bfi1: /* width, offset: the mask of the field */
            result[lane] = ((1u << width) - 1) << offset;
            break;
        case OP_bfi2: /* mask, field, base: the field's bits moved below the mask */
            low = a[lane] ? (uint32_t)__builtin_ctz(a[lane]) : 0;
            result[lane] = (b[lane] << low & a[lane]) | (c[lane] & ~a[lane]);
            break;
        default:
            return thread_fault(thread, inst, "no bit form");
        }
    }
    return store_integer_u32(thread, inst, result);
}

/* Four products of bytes, added to the first source. */
static int execute_dp4a(struct thread *thread, const struct inst *inst)
{
    int64_t sum[MAX_LANES];
    uint32_t a[MAX_LANES], b[MAX_LANES];

    if (fetch_i64(thread, inst, 0, sum) || fetch_u32(thread, inst, 1, a) ||
        fetch_u32(thread, inst, 2, b))
        return -1;
    bool a_signed = type_is_signed((enum type)inst->source[1].type);
    bool b_signed = type_is_signed((enum type)inst->source[2].type);
    LANES for (unsigned i = 0; i < 32; i += 8)
    {
        int64_t x = a[lane] >> i & 0xff, y = b[lane] >> i & 0xff;

        sum[lane] += (a_signed ? (int8_t)x : x) * (b_signed ? (int8_t)y : y);
    }
    return store_integer_i64(thread, inst, sum);
}

/* rol, ror: within the width of the first source. */
static int execute_rotate(struct thread *thread, const struct inst *inst)
{
    int64_t a[MAX_LANES], b[MAX_LANES];

    if (fetch_i64(thread, inst, 0, a) || fetch_i64(thread, inst, 1, b))
        return -1;
    unsigned bits = 8 * type_bytes((enum type)inst->source[0].type);
    uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    LANES
    {
        uint64_t value = (uint64_t)a[lane] & all;
        unsigned left = (unsigned)b[lane] & (bits - 1);

        if (inst->opcode == OP_ror)
            left = (bits - left) & (bits - 1);
        a[lane] = (int64_t)((value << left | value >> ((bits - left) & (bits - 1))) & all);
    }
    return store_i64(thread, inst, a, thread_write_mask(thread, inst));
}

execute_function bits_select(const struct inst *inst)
{
    switch (inst->opcode) {
    case OP_bfrev:
    case OP_cbit:
    case OP_lzd:
    case OP_fbl:
    case OP_fbh:
    case OP_bfe:
    case OP_bfi1:
    case OP_bfi2:
        return integer_is_narrow(inst) ? execute_bits : NULL;
    case OP_rol:
    case OP_ror:
        return type_bytes((enum type)inst->source[0].type) && inst->condition == CONDITION_NONE
                   ? execute_rotate
                   : NULL;
    case OP_dp4a:
        return execute_dp4a;
    default:
        return NULL;
    }
}
