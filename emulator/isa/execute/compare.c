/* Integer comparison and selection. */
#include "isa/execute/condition.h"
#include "isa/execute/execute.h"
#include "isa/execute/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

/* 64-bit lanes hold every narrower type's value, those of unsigned quadwords only as their bits. Of
 * one of those and a signed value, both are within the range of a signed quadword if they are not
 * negative, and else in their order by sign. */
static uint32_t compare(const struct inst *inst, const int64_t *a, const int64_t *b)
{
    bool a_is_uq = inst->source[0].type == TYPE_UQ && !inst->source[0].negate;
    bool b_is_uq = inst->source[1].type == TYPE_UQ && !inst->source[1].negate;
    int64_t sign_a[MAX_LANES], sign_b[MAX_LANES];
    enum condition condition = (enum condition)inst->condition;

    if (a_is_uq == b_is_uq)
        return condition_compare_i64(condition, a, b, inst->lanes, a_is_uq);
    LANES
    {
        bool far = a[lane] < 0 || b[lane] < 0; /* the unsigned one is the greater */

        sign_a[lane] = far ? a_is_uq : a[lane];
        sign_b[lane] = far ? b_is_uq : b[lane];
    }
    return condition_compare_i64(condition, sign_a, sign_b, inst->lanes, false);
}

static int execute_cmp(struct thread *thread, const struct inst *inst)
{
    int64_t a[MAX_LANES], b[MAX_LANES], result[MAX_LANES];

    if (fetch_i64(thread, inst, 0, a) || fetch_i64(thread, inst, 1, b))
        return -1;
    uint32_t bits = compare(inst, a, b), mask = thread_write_mask(thread, inst);
    thread_set_flags(thread, inst, mask, bits);
    if (inst->destination.is_null)
        return 0;
    LANES result[lane] = bits >> lane & 1 ? -1 : 0;
    return store_i64(thread, inst, result, mask);
}

/* sel: by the predicate, or by comparing the sources (minimum, maximum); csel: by the third source
 * against zero. */
static int execute_select_integer(struct thread *thread, const struct inst *inst)
{
    int64_t a[MAX_LANES], b[MAX_LANES], c[MAX_LANES];

    if (fetch_i64(thread, inst, 0, a) || fetch_i64(thread, inst, 1, b))
        return -1;
    uint32_t bits;
    if (inst->opcode == OP_csel) {
        if (fetch_i64(thread, inst, 2, c))
            return -1;
        bits = condition_sign_i64((enum condition)inst->condition, c, inst->lanes);
    } else if (inst->condition != CONDITION_NONE) {
        bits = compare(inst, a, b);
    } else {
        bits = thread_predicate(thread, inst);
    }
    LANES a[lane] = bits >> lane & 1 ? a[lane] : b[lane];
    return store_i64(thread, inst, a, thread_active_lanes(thread, inst));
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
