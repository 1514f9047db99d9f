/* Floating-point arithmetic and comparison. Single and half precision work on float lanes, double
 * precision on double lanes. Denormals and rounding follow cr0 (PRM, "Control register"). */
#include <float.h>
#include <math.h>

#include "xe/execute.h"
#include "xe/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

enum {
    CR0_KEEP_DENORM_DF = 1 << 6,
    CR0_KEEP_DENORM_F = 1 << 7,
    CR0_KEEP_DENORM_HF = 1 << 10,
};

static bool flushes_denormals(const struct thread *thread, enum type type)
{
    uint32_t keep = type == TYPE_DF   ? CR0_KEEP_DENORM_DF
                    : type == TYPE_HF ? CR0_KEEP_DENORM_HF
                                      : CR0_KEEP_DENORM_F;
    return !(thread_read32(thread, ARF_CR) & keep);
}

static void flush_f32(const struct inst *inst, float *value, float smallest)
{
    LANES if (fabsf(value[lane]) < smallest) value[lane] = copysignf(0.0f, value[lane]);
}

static void flush_f64(const struct inst *inst, double *value)
{
    LANES if (fabs(value[lane]) < DBL_MIN) value[lane] = copysign(0.0, value[lane]);
}

static bool holds(enum condition condition, double a, double b)
{
    switch (condition) {
    case CONDITION_EQ:
        return a == b;
    case CONDITION_NE:
        return a != b;
    case CONDITION_GT:
        return a > b;
    case CONDITION_GE:
        return a >= b;
    case CONDITION_LT:
        return a < b;
    case CONDITION_LE:
        return a <= b;
    case CONDITION_UNORDERED:
        return isnan(a) || isnan(b);
    default:
        return false;
    }
}

/* Which of several NaNs comes out is not modelled: it is always the same. */
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
    bool flush = flushes_denormals(thread, type);
    float smallest = type == TYPE_HF ? 0x1p-14f : FLT_MIN;
    for (unsigned i = 0; i < inst->source_count; i++) {
        if (fetch_f32(thread, inst, i, sources[i]))
            return -1;
        if (flush)
            flush_f32(inst, sources[i], smallest);
    }
    int rounding = enter_rounding(thread);
    switch (inst->opcode) {
    case OP_add:
        LANES a[lane] = a[lane] + b[lane];
        break;
    case OP_mul:
        LANES a[lane] = a[lane] * b[lane];
        break;
    case OP_mad:
    case OP_madm:
        LANES a[lane] = fmaf(b[lane], c[lane], a[lane]);
        break;
    default:
        leave_rounding(rounding);
        return thread_fault(thread, inst, "no float form");
    }
    one_nan(inst, a);
    if (flush)
        flush_f32(inst, a, smallest);
    uint32_t mask = thread_write_mask(thread, inst), bits = 0;
    if (inst->condition != CONDITION_NONE) {
        LANES bits |= (uint32_t)holds((enum condition)inst->condition, (double)a[lane], 0.0)
                      << lane;
        thread_set_flags(thread, inst, mask, bits);
    }
    int status = store_f32(thread, inst, a, mask);
    leave_rounding(rounding);
    return status;
}

/* Doubles, and halves where single precision would round twice. */
static int execute_f64(struct thread *thread, const struct inst *inst)
{
    double a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0};
    double *const sources[3] = {a, b, c};
    bool is_double = inst->destination.type == TYPE_DF;
    bool flush = is_double && flushes_denormals(thread, TYPE_DF);
    for (unsigned i = 0; i < inst->source_count; i++) {
        if (fetch_f64(thread, inst, i, sources[i]))
            return -1;
        if (flush)
            flush_f64(inst, sources[i]);
    }
    int rounding = enter_rounding(thread);
    switch (inst->opcode) {
    case OP_add:
        LANES a[lane] = a[lane] + b[lane];
        break;
    case OP_mul:
        LANES a[lane] = a[lane] * b[lane];
        break;
    case OP_mad:
    case OP_madm:
        LANES a[lane] = fma(b[lane], c[lane], a[lane]);
        break;
    default:
        leave_rounding(rounding);
        return thread_fault(thread, inst, "no double form");
    }
    if (flush)
        flush_f64(inst, a);
    uint32_t mask = thread_write_mask(thread, inst), bits = 0;
    if (inst->condition != CONDITION_NONE) {
        LANES bits |= (uint32_t)holds((enum condition)inst->condition, a[lane], 0.0) << lane;
        thread_set_flags(thread, inst, mask, bits);
    }
    int status = store_f64(thread, inst, a, mask);
    leave_rounding(rounding);
    return status;
}

static int execute_cmp(struct thread *thread, const struct inst *inst)
{
    double a[MAX_LANES], b[MAX_LANES];
    int64_t result[MAX_LANES];
    if (fetch_f64(thread, inst, 0, a) || fetch_f64(thread, inst, 1, b))
        return -1;
    uint32_t bits = 0;
    LANES
    {
        bool yes = holds((enum condition)inst->condition, a[lane], b[lane]);
        bits |= (uint32_t)yes << lane;
        result[lane] = yes ? -1 : 0;
    }
    uint32_t mask = thread_write_mask(thread, inst);
    thread_set_flags(thread, inst, mask, bits);
    return store_i64(thread, inst, result, mask);
}

/* Of sel: minimum and maximum prefer a number to a NaN. */
static bool select_first(const struct inst *inst, double a, double b)
{
    if (isnan(a) || isnan(b))
        return inst->condition == CONDITION_EQ || inst->condition == CONDITION_NE
                   ? holds((enum condition)inst->condition, a, b)
                   : isnan(b);
    return holds((enum condition)inst->condition, a, b);
}

static int execute_select_float(struct thread *thread, const struct inst *inst)
{
    double a[MAX_LANES], b[MAX_LANES], c[MAX_LANES];
    if (fetch_f64(thread, inst, 0, a) || fetch_f64(thread, inst, 1, b) ||
        (inst->opcode == OP_csel && fetch_f64(thread, inst, 2, c)))
        return -1;
    uint32_t predicate = thread_predicate(thread, inst);
    LANES
    {
        bool first = inst->opcode == OP_csel ? holds((enum condition)inst->condition, c[lane], 0.0)
                     : inst->condition != CONDITION_NONE ? select_first(inst, a[lane], b[lane])
                                                         : predicate >> lane & 1;
        a[lane] = first ? a[lane] : b[lane];
    }
    uint32_t all = inst->lanes >= 32 ? UINT32_MAX : (1u << inst->lanes) - 1;
    return store_f64(thread, inst, a,
                     inst->no_mask ? all : thread->active >> inst->first_lane & all);
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
    case OP_add:
    case OP_mul:
    case OP_mad:
    case OP_madm:
        return type == TYPE_DF || (type == TYPE_HF && inst->opcode == OP_mad) ? execute_f64
                                                                              : execute_f32;
    case OP_cmp:
    case OP_cmpn:
        return execute_cmp;
    case OP_sel:
    case OP_csel:
        return execute_select_float;
    default:
        return NULL;
    }
}
