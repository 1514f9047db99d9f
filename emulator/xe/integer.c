/* Integer and logic instructions. Most work on 32-bit lanes; what saturates, is 64 bits wide, wants
 * a sign in its flags or touches the accumulator takes the 64-bit way. */
#include "xe/execute.h"
#include "xe/operand.h"

static uint32_t lane_bits(unsigned lanes)
{
    return lanes >= 32 ? UINT32_MAX : (1u << lanes) - 1;
}

/* The lanes of `value` for which it holds against zero. */
static uint32_t condition_lanes(enum condition condition, const int64_t *value, unsigned lanes)
{
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        bool holds = false;
        switch (condition) {
        case CONDITION_EQ:
            holds = value[lane] == 0;
            break;
        case CONDITION_NE:
            holds = value[lane] != 0;
            break;
        case CONDITION_GT:
            holds = value[lane] > 0;
            break;
        case CONDITION_GE:
            holds = value[lane] >= 0;
            break;
        case CONDITION_LT:
            holds = value[lane] < 0;
            break;
        case CONDITION_LE:
            holds = value[lane] <= 0;
            break;
        default:
            break;
        }
        bits |= (uint32_t)holds << lane;
    }
    return bits;
}

static int store_result_u32(struct thread *thread, const struct inst *inst, const uint32_t *result)
{
    uint32_t mask = thread_write_mask(thread, inst);
    if (inst->condition != CONDITION_NONE) {
        unsigned size = type_bytes((enum type)inst->destination.type);
        uint32_t significant = size == 1 ? 0xff : size == 2 ? 0xffff : UINT32_MAX, zero = 0;
        for (unsigned lane = 0; lane < inst->lanes; lane++)
            zero |= (uint32_t)((result[lane] & significant) == 0) << lane;
        thread_set_flags(thread, inst, mask, inst->condition == CONDITION_EQ ? zero : ~zero);
    }
    return store_u32(thread, inst, result, mask);
}

/* The boolean function of three bits whose truth table is `table`, for each bit of each lane. */
static void boolean_function(uint8_t table, unsigned lanes, const uint32_t *a, const uint32_t *b,
                             const uint32_t *c, uint32_t *result)
{
    memset(result, 0, lanes * sizeof(*result));
    for (unsigned row = 0; row < 8; row++) {
        if (!(table >> row & 1))
            continue;
        uint32_t not_a = row & 1 ? 0 : UINT32_MAX, not_b = row & 2 ? 0 : UINT32_MAX,
                 not_c = row & 4 ? 0 : UINT32_MAX;
        for (unsigned lane = 0; lane < lanes; lane++)
            result[lane] |= (a[lane] ^ not_a) & (b[lane] ^ not_b) & (c[lane] ^ not_c);
    }
}

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

static int execute_u32(struct thread *thread, const struct inst *inst)
{
    uint32_t a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0}, result[MAX_LANES];
    if (fetch_u32(thread, inst, 0, a) ||
        (inst->source_count > 1 && fetch_u32(thread, inst, 1, b)) ||
        (inst->source_count > 2 && fetch_u32(thread, inst, 2, c)))
        return -1;
    switch (inst->opcode) {
    case OP_add:
        LANES result[lane] = a[lane] + b[lane];
        break;
    case OP_add3:
        LANES result[lane] = a[lane] + b[lane] + c[lane];
        break;
    case OP_mul:
        LANES result[lane] = a[lane] * b[lane];
        break;
    case OP_mad:
        LANES result[lane] = a[lane] + b[lane] * c[lane];
        break;
    case OP_shl:
        LANES result[lane] = a[lane] << (b[lane] & 31);
        break;
    case OP_shr:
        LANES result[lane] = a[lane] >> (b[lane] & 31);
        break;
    case OP_asr:
        LANES result[lane] = (uint32_t)((int32_t)a[lane] >> (b[lane] & 31));
        break;
    case OP_rol:
        LANES result[lane] = a[lane] << (b[lane] & 31) | a[lane] >> (-b[lane] & 31);
        break;
    case OP_ror:
        LANES result[lane] = a[lane] >> (b[lane] & 31) | a[lane] << (-b[lane] & 31);
        break;
    default:
        return thread_fault(thread, inst, "no 32-bit form");
    }
    return store_result_u32(thread, inst, result);
}

static int execute_logic(struct thread *thread, const struct inst *inst)
{
    uint32_t a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0}, result[MAX_LANES];
    if (fetch_logic_u32(thread, inst, 0, a) ||
        (inst->source_count > 1 && fetch_logic_u32(thread, inst, 1, b)) ||
        (inst->source_count > 2 && fetch_logic_u32(thread, inst, 2, c)))
        return -1;
    switch (inst->opcode) {
    case OP_and:
        LANES result[lane] = a[lane] & b[lane];
        break;
    case OP_or:
        LANES result[lane] = a[lane] | b[lane];
        break;
    case OP_xor:
        LANES result[lane] = a[lane] ^ b[lane];
        break;
    case OP_not:
        LANES result[lane] = ~a[lane];
        break;
    default:
        boolean_function(inst->function, inst->lanes, a, b, c, result);
        break;
    }
    return store_result_u32(thread, inst, result);
}

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
        case OP_fbh: /* signed: of the first bit that differs from the sign */
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
    return store_result_u32(thread, inst, result);
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
    return store_i64(thread, inst, sum, thread_write_mask(thread, inst));
}

/* Sets the wide accumulator's lanes that an instruction writes, from lane `first` of acc0. */
static void write_accumulator(struct thread *thread, const struct inst *inst, unsigned first,
                              const int64_t *value, uint32_t mask)
{
    LANES
    {
        unsigned at = (first + lane) % 64;
        if (!(mask >> lane & 1))
            continue;
        thread->accumulator[at] = value[lane];
        thread_write32(thread, ARF_ACC + at * 4, (uint32_t)value[lane]);
    }
}

static bool is_logic(enum opcode opcode)
{
    return opcode == OP_and || opcode == OP_or || opcode == OP_xor || opcode == OP_not;
}

static int execute_i64(struct thread *thread, const struct inst *inst)
{
    int64_t a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0}, result[MAX_LANES];
    int64_t *const sources[3] = {a, b, c};
    for (unsigned i = 0; i < inst->source_count; i++)
        if (is_logic((enum opcode)inst->opcode) ? fetch_logic_i64(thread, inst, i, sources[i])
                                                : fetch_i64(thread, inst, i, sources[i]))
            return -1;
    unsigned source_bytes = type_bytes((enum type)inst->source[0].type);
    unsigned shift_mask =
        source_bytes == 8 || type_bytes((enum type)inst->destination.type) == 8 ? 63 : 31;
    uint64_t source_mask = source_bytes == 8 ? UINT64_MAX : UINT32_MAX;
    switch (inst->opcode) {
    case OP_add:
        LANES result[lane] = (int64_t)((uint64_t)a[lane] + (uint64_t)b[lane]);
        break;
    case OP_add3:
        LANES result[lane] = (int64_t)((uint64_t)a[lane] + (uint64_t)b[lane] + (uint64_t)c[lane]);
        break;
    case OP_avg:
        LANES result[lane] = (a[lane] + b[lane] + 1) >> 1;
        break;
    case OP_mul:
        LANES result[lane] = (int64_t)((uint64_t)a[lane] * (uint64_t)b[lane]);
        break;
    case OP_mad:
        LANES result[lane] = (int64_t)((uint64_t)a[lane] + (uint64_t)b[lane] * (uint64_t)c[lane]);
        break;
    case OP_and:
        LANES result[lane] = a[lane] & b[lane];
        break;
    case OP_or:
        LANES result[lane] = a[lane] | b[lane];
        break;
    case OP_xor:
        LANES result[lane] = a[lane] ^ b[lane];
        break;
    case OP_not:
        LANES result[lane] = ~a[lane];
        break;
    case OP_shl:
        LANES result[lane] = (int64_t)((uint64_t)a[lane] << (b[lane] & shift_mask));
        break;
    case OP_shr:
        LANES result[lane] = (int64_t)(((uint64_t)a[lane] & source_mask) >> (b[lane] & shift_mask));
        break;
    case OP_asr:
        LANES result[lane] = a[lane] >> (b[lane] & shift_mask);
        break;
    default:
        return thread_fault(thread, inst, "no 64-bit form");
    }
    uint32_t mask = thread_write_mask(thread, inst);
    if (inst->condition != CONDITION_NONE)
        thread_set_flags(thread, inst, mask,
                         condition_lanes((enum condition)inst->condition, result, inst->lanes));
    if (inst->destination.is_accumulator && inst->destination.kind == OPERAND_REGISTER) {
        write_accumulator(thread, inst, (inst->destination.offset - ARF_ACC) / 4, result, mask);
        if (type_bytes((enum type)inst->destination.type) == 4)
            return 0;
    } else if (inst->writes_accumulator) {
        write_accumulator(thread, inst, 0, result, mask);
    }
    return store_i64(thread, inst, result, mask);
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
    write_accumulator(thread, inst, 0, carry, thread_write_mask(thread, inst));
    return store_result_u32(thread, inst, result);
}

/* Second half of a 32 x 32-bit product: the accumulator holds source 0 times the low word of source
 * 1. With accumulator write enabled the destination gets the high half, else (macl) the low. */
static int execute_mach(struct thread *thread, const struct inst *inst)
{
    int64_t a[MAX_LANES], b[MAX_LANES], result[MAX_LANES], low[MAX_LANES];
    if (fetch_i64(thread, inst, 0, a) || fetch_i64(thread, inst, 1, b))
        return -1;
    bool high = inst->opcode == OP_mach && inst->writes_accumulator;
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
    if (inst->writes_accumulator)
        write_accumulator(thread, inst, 0, low, mask);
    return store_i64(thread, inst, result, mask);
}

static uint32_t compare_lanes(enum condition condition, const int64_t *a, const int64_t *b,
                              unsigned lanes, bool is_unsigned)
{
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        bool equal = a[lane] == b[lane];
        bool less = is_unsigned ? (uint64_t)a[lane] < (uint64_t)b[lane] : a[lane] < b[lane];
        bool holds = false;
        switch (condition) {
        case CONDITION_EQ:
            holds = equal;
            break;
        case CONDITION_NE:
            holds = !equal;
            break;
        case CONDITION_GT:
            holds = !less && !equal;
            break;
        case CONDITION_GE:
            holds = !less;
            break;
        case CONDITION_LT:
            holds = less;
            break;
        case CONDITION_LE:
            holds = less || equal;
            break;
        default:
            break;
        }
        bits |= (uint32_t)holds << lane;
    }
    return bits;
}

/* 64-bit lanes hold every narrower type's value; only two quadwords need an unsigned compare. */
static bool compares_unsigned(const struct inst *inst)
{
    return inst->source[0].type == TYPE_UQ && inst->source[1].type != TYPE_Q;
}

static int execute_cmp(struct thread *thread, const struct inst *inst)
{
    int64_t a[MAX_LANES], b[MAX_LANES], result[MAX_LANES];
    if (fetch_i64(thread, inst, 0, a) || fetch_i64(thread, inst, 1, b))
        return -1;
    uint32_t bits =
        compare_lanes((enum condition)inst->condition, a, b, inst->lanes, compares_unsigned(inst));
    uint32_t mask = thread_write_mask(thread, inst);
    thread_set_flags(thread, inst, mask, bits);
    if (inst->destination.is_null)
        return 0;
    LANES result[lane] = bits >> lane & 1 ? -1 : 0;
    return store_i64(thread, inst, result, mask);
}

/* sel: by the predicate, or by comparing the sources (minimum, maximum); csel: by the third source
 * against zero. All active lanes are written. */
static int execute_select_integer(struct thread *thread, const struct inst *inst)
{
    int64_t a[MAX_LANES], b[MAX_LANES], c[MAX_LANES];
    if (fetch_i64(thread, inst, 0, a) || fetch_i64(thread, inst, 1, b))
        return -1;
    uint32_t bits;
    if (inst->opcode == OP_csel) {
        if (fetch_i64(thread, inst, 2, c))
            return -1;
        bits = condition_lanes((enum condition)inst->condition, c, inst->lanes);
    } else if (inst->condition != CONDITION_NONE) {
        bits = compare_lanes((enum condition)inst->condition, a, b, inst->lanes,
                             compares_unsigned(inst));
    } else {
        bits = thread_predicate(thread, inst);
    }
    LANES a[lane] = bits >> lane & 1 ? a[lane] : b[lane];
    uint32_t mask = inst->no_mask ? lane_bits(inst->lanes)
                                  : thread->active >> inst->first_lane & lane_bits(inst->lanes);
    return store_i64(thread, inst, a, mask);
}

static bool fits_u32(const struct inst *inst)
{
    bool fits = type_bytes((enum type)inst->destination.type) <= 4 && !inst->saturate &&
                !inst->destination.is_accumulator && !inst->writes_accumulator &&
                inst->condition <= CONDITION_NE;
    for (unsigned i = 0; i < inst->source_count; i++)
        fits &= type_bytes((enum type)inst->source[i].type) <= 4;
    return fits;
}

execute_function integer_select(const struct inst *inst)
{
    for (unsigned i = 0; i < inst->source_count; i++)
        if (type_is_float((enum type)inst->source[i].type))
            return NULL;
    if (type_is_float((enum type)inst->destination.type))
        return NULL;
    switch (inst->opcode) {
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_not:
        return fits_u32(inst) ? execute_logic : execute_i64;
    case OP_bfn:
        return fits_u32(inst) ? execute_logic : NULL;
    case OP_add:
    case OP_add3:
    case OP_mul:
    case OP_mad:
    case OP_shl:
    case OP_shr:
    case OP_asr:
        return fits_u32(inst) ? execute_u32 : execute_i64;
    case OP_rol:
    case OP_ror:
        return fits_u32(inst) ? execute_u32 : NULL;
    case OP_avg:
        return execute_i64;
    case OP_bfrev:
    case OP_cbit:
    case OP_lzd:
    case OP_fbl:
    case OP_fbh:
    case OP_bfe:
    case OP_bfi1:
    case OP_bfi2:
        return fits_u32(inst) ? execute_bits : NULL;
    case OP_addc:
    case OP_subb:
        return execute_carry;
    case OP_mach:
    case OP_macl:
        return execute_mach;
    case OP_cmp:
    case OP_cmpn:
        return execute_cmp;
    case OP_sel:
    case OP_csel:
        return execute_select_integer;
    case OP_dp4a:
        return execute_dp4a;
    default:
        return NULL;
    }
}
