/* Comparison of integers, and selection by it. */
#include "xe/execute.h"
#include "xe/integer.h"
#include "xe/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

static uint32_t lane_bits(unsigned lanes)
{
    return lanes >= 32 ? UINT32_MAX : (1u << lanes) - 1;
}

/* The lanes of `value` for which it holds against zero. */
uint32_t integer_condition(enum condition condition, const int64_t *value, unsigned lanes)
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

/* 64-bit lanes hold every narrower type's value; only unsigned quadwords need an unsigned compare.
 */
static bool compares_unsigned(const struct inst *inst)
{
    enum type a = (enum type)inst->source[0].type, b = (enum type)inst->source[1].type;
    return (a == TYPE_UQ && !type_is_signed(b)) || (b == TYPE_UQ && !type_is_signed(a));
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
        bits = integer_condition((enum condition)inst->condition, c, inst->lanes);
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

execute_function compare_select(const struct inst *inst)
{
    for (unsigned i = 0; i < inst->source_count; i++)
        if (type_is_float((enum type)inst->source[i].type))
            return NULL;
    switch (inst->opcode) {
    case OP_cmp:
    case OP_cmpn:
        return execute_cmp;
    case OP_sel:
    case OP_csel:
        return type_is_float((enum type)inst->destination.type) ? NULL : execute_select_integer;
    default:
        return NULL;
    }
}
