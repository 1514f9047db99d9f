/* Floating-point arithmetic and comparison. Single and half precision work on float lanes, double
 * precision on double lanes. Denormals and rounding follow cr0 (PRM, "Control register"). */
#include <float.h>
#include <math.h>

#include "isa/execute/condition.h"
#include "isa/execute/execute.h"
#include "isa/execute/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

enum {
    CR0_KEEP_DENORM_DF = 1 << 6,
    CR0_KEEP_DENORM_F = 1 << 7,
    CR0_KEEP_DENORM_HF = 1 << 10,
};

/* The type's smallest normal magnitude; 0 where the mode keeps denormals. */
static double least_kept(const struct thread *thread, enum type type)
{
    uint32_t cr0 = thread_read32(thread, ARF_CR);

    switch (type) {
    case TYPE_HF:
        return cr0 & CR0_KEEP_DENORM_HF ? 0.0 : 0x1p-14;
    case TYPE_F:
        return cr0 & CR0_KEEP_DENORM_F ? 0.0 : (double)FLT_MIN;
    case TYPE_DF:
        return cr0 & CR0_KEEP_DENORM_DF ? 0.0 : DBL_MIN;
    default:
        return 0.0;
    }
}

void flush_f32(const struct thread *thread, enum type type, float *value, unsigned lanes)
{
    float least = (float)least_kept(thread, type);

    for (unsigned lane = 0; least > 0.0f && lane < lanes; lane++)
        if (fabsf(value[lane]) < least)
            value[lane] = copysignf(0.0f, value[lane]);
}

void flush_f64(const struct thread *thread, enum type type, double *value, unsigned lanes)
{
    double least = least_kept(thread, type);

    for (unsigned lane = 0; least > 0.0 && lane < lanes; lane++)
        if (fabs(value[lane]) < least)
            value[lane] = copysign(0.0, value[lane]);
}

/* Sources as arithmetic sees them. */
static int fetch_flushed_f64(struct thread *thread, const struct inst *inst, unsigned index,
                             double *lanes)
{
    if (fetch_f64(thread, inst, index, lanes))
        return -1;
    flush_f64(thread, (enum type)inst->source[index].type, lanes, inst->lanes);
    return 0;
}

/* Which NaN results is not modelled: it is always the same one. */
static void one_nan(const struct inst *inst, float *value)
{
    const uint32_t bits = FLOAT_NAN;

    LANES if (isnan(value[lane])) memcpy(&value[lane], &bits, sizeof(bits));
}

static int execute_f32(struct thread *thread, const struct inst *inst)
{
    float a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0};
    float *const sources[3] = {a, b, c};
    enum type type = (enum type)inst->destination.type;

    for (unsigned i = 0; i < inst->source_count; i++) {
        if (fetch_f32(thread, inst, i, sources[i]))
            return -1;
        flush_f32(thread, (enum type)inst->source[i].type, sources[i], inst->lanes);
    }
    if (inst->opcode == OP_mac) {
        memcpy(c, thread->registers + ARF_ACC, inst->lanes * sizeof(*c));
        flush_f32(thread, TYPE_F, c, inst->lanes);
    }
    int rounding = enter_rounding(thread);
    switch (inst->opcode) {
    case OP_add:
        LANES a[lane] = a[lane] + b[lane];
        break;
    case OP_mul:
        LANES a[lane] = a[lane] * b[lane];
        break;
    case OP_mac:
        LANES a[lane] = fmaf(a[lane], b[lane], c[lane]);
        break;
    default:
        LANES a[lane] = fmaf(b[lane], c[lane], a[lane]);
        break;
    }
    one_nan(inst, a);
    flush_f32(thread, type, a, inst->lanes);
    uint32_t mask = thread_write_mask(thread, inst);
    double value[MAX_LANES];
    LANES value[lane] = (double)a[lane];
    condition_flags_f64(thread, inst, value, mask);
    int status = store_f32(thread, inst, a, mask);
    leave_rounding(rounding);
    return status;
}

/* Doubles, and halves where single precision would round twice. */
static int execute_f64(struct thread *thread, const struct inst *inst)
{
    double a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0};
    double *const sources[3] = {a, b, c};

    for (unsigned i = 0; i < inst->source_count; i++)
        if (fetch_flushed_f64(thread, inst, i, sources[i]))
            return -1;
    int rounding = enter_rounding(thread);
    switch (inst->opcode) {
    case OP_add:
        LANES a[lane] = a[lane] + b[lane];
        break;
    case OP_mul:
        LANES a[lane] = a[lane] * b[lane];
        break;
    default:
        LANES a[lane] = fma(b[lane], c[lane], a[lane]);
        break;
    }
    LANES a[lane] = isnan(a[lane]) ? (double)NAN : a[lane];
    flush_f64(thread, (enum type)inst->destination.type, a, inst->lanes);
    uint32_t mask = thread_write_mask(thread, inst);
    condition_flags_f64(thread, inst, a, mask);
    int status = store_f64(thread, inst, a, mask);
    leave_rounding(rounding);
    return status;
}

static int execute_cmp_float(struct thread *thread, const struct inst *inst)
{
    double a[MAX_LANES], b[MAX_LANES];
    int64_t result[MAX_LANES];

    if (fetch_flushed_f64(thread, inst, 0, a) || fetch_flushed_f64(thread, inst, 1, b))
        return -1;
    uint32_t bits = condition_compare_f64((enum condition)inst->condition, a, b, inst->lanes);
    LANES result[lane] = bits >> lane & 1 ? -1 : 0;
    uint32_t mask = thread_write_mask(thread, inst);
    thread_set_flags(thread, inst, mask, bits);
    return store_i64(thread, inst, result, mask);
}

/* The lanes in which a minimum or maximum is the first source; a number wins over a NaN. */
static uint32_t first_is_chosen(const struct inst *inst, const double *a, const double *b)
{
    uint32_t bits = condition_compare_f64((enum condition)inst->condition, a, b, inst->lanes);

    if (inst->condition == CONDITION_EQ || inst->condition == CONDITION_NE)
        return bits;
    LANES if (isnan(b[lane])) bits |= 1u << lane;
    return bits;
}

/* sel with a condition, and csel, which compares its third source with zero. */
static int execute_select_by_value(struct thread *thread, const struct inst *inst)
{
    double a[MAX_LANES], b[MAX_LANES], c[MAX_LANES];

    if (fetch_flushed_f64(thread, inst, 0, a) || fetch_flushed_f64(thread, inst, 1, b) ||
        (inst->opcode == OP_csel && fetch_flushed_f64(thread, inst, 2, c)))
        return -1;
    uint32_t first = inst->opcode == OP_csel
                         ? condition_sign_f64((enum condition)inst->condition, c, inst->lanes)
                         : first_is_chosen(inst, a, b);
    LANES a[lane] = first >> lane & 1 ? a[lane] : b[lane];
    return store_f64(thread, inst, a, thread_active_lanes(thread, inst));
}

/* sel by the predicate alone, and csel, without conversion: what is chosen moves as it is. IGC has
 * registers chosen between themselves, whatever they hold, in front of branches. */
static int execute_select_copy(struct thread *thread, const struct inst *inst)
{
    uint64_t a[MAX_LANES], b[MAX_LANES];
    double c[MAX_LANES];
    bool by_value = inst->opcode == OP_csel;

    if (by_value && fetch_flushed_f64(thread, inst, 2, c))
        return -1;
    uint32_t first = by_value ? condition_sign_f64((enum condition)inst->condition, c, inst->lanes)
                              : thread_predicate(thread, inst);
    if (fetch_raw(thread, inst, 0, a) || fetch_raw(thread, inst, 1, b))
        return -1;
    LANES a[lane] = first >> lane & 1 ? a[lane] : b[lane];
    return store_raw(thread, inst, a, thread_active_lanes(thread, inst));
}

/* sel by the predicate, with modifiers or conversion. */
static int execute_select_by_predicate(struct thread *thread, const struct inst *inst)
{
    double a[MAX_LANES], b[MAX_LANES];
    uint32_t first = thread_predicate(thread, inst);

    if (fetch_f64(thread, inst, 0, a) || fetch_f64(thread, inst, 1, b))
        return -1;
    LANES a[lane] = first >> lane & 1 ? a[lane] : b[lane];
    return store_f64(thread, inst, a, thread_active_lanes(thread, inst));
}

/* Whether what is chosen from has the destination's type and needs no conversion. */
static bool is_copy(const struct inst *inst)
{
    bool plain = !inst->saturate;

    for (unsigned i = 0; i < 2; i++)
        plain &= inst->source[i].type == inst->destination.type && !inst->source[i].negate &&
                 !inst->source[i].absolute;
    return plain;
}

execute_function float_select(const struct inst *inst)
{
    enum type type = (enum type)inst->destination.type;
    bool any = type_is_float(type);

    for (unsigned i = 0; i < inst->source_count; i++)
        any |= type_is_float((enum type)inst->source[i].type);
    if (!any)
        return NULL;
    switch (inst->opcode) {
    case OP_mac: /* accumulators of other types have another layout */
        return type == TYPE_F ? execute_f32 : NULL;
    case OP_add:
    case OP_mul:
    case OP_mad:
        return type == TYPE_DF || (type == TYPE_HF && inst->opcode == OP_mad) ? execute_f64
                                                                              : execute_f32;
    case OP_cmp:
    case OP_cmpn:
        return execute_cmp_float;
    case OP_sel:
        return inst->condition != CONDITION_NONE ? execute_select_by_value
               : is_copy(inst)                   ? execute_select_copy
                                                 : execute_select_by_predicate;
    case OP_csel:
        return is_copy(inst) ? execute_select_copy : execute_select_by_value;
    default:
        return NULL;
    }
}
