/* mov and its kin: copies, conversions between types, rounding to whole numbers. */
#include <math.h>

#include "isa/execute/condition.h"
#include "isa/execute/execute.h"
#include "isa/execute/integer.h"
#include "isa/execute/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

static int execute_copy(struct thread *thread, const struct inst *inst)
{
    uint64_t lanes[MAX_LANES];

    if (fetch_raw(thread, inst, 0, lanes))
        return -1;
    return store_raw(thread, inst, lanes, thread_write_mask(thread, inst));
}

static int execute_copy_u32(struct thread *thread, const struct inst *inst)
{
    uint32_t lanes[MAX_LANES];

    if (fetch_u32(thread, inst, 0, lanes))
        return -1;
    return store_u32(thread, inst, lanes, thread_write_mask(thread, inst));
}

static int execute_integer_to_integer(struct thread *thread, const struct inst *inst)
{
    int64_t lanes[MAX_LANES];

    if (fetch_i64(thread, inst, 0, lanes))
        return -1;
    return store_integer_i64(thread, inst, lanes);
}

/* Integers saturate to the destination's range, as on hardware; NaN becomes 0. */
static int execute_float_to_integer(struct thread *thread, const struct inst *inst)
{
    double lanes[MAX_LANES];
    int64_t result[MAX_LANES];

    if (fetch_f64(thread, inst, 0, lanes))
        return -1;
    enum type type = (enum type)inst->destination.type;
    unsigned bits = type_bytes(type) * 8;
    bool is_signed = type_is_signed(type);
    double high = ldexp(1.0, (int)(is_signed ? bits - 1 : bits));
    double low = is_signed ? -high : 0.0;
    uint64_t greatest =
        bits == 64 && !is_signed ? UINT64_MAX : (UINT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;
    LANES
    {
        double value = trunc(lanes[lane]);

        if (isnan(value))
            result[lane] = 0;
        else if (value >= high)
            result[lane] = (int64_t)greatest;
        else if (value <= low)
            result[lane] = is_signed ? (int64_t)(0 - greatest - 1) : 0;
        else
            result[lane] = is_signed ? (int64_t)value : (int64_t)(uint64_t)value;
    }
    uint32_t mask = thread_write_mask(thread, inst);
    condition_flags_i64(thread, inst, result, mask);
    return store_i64(thread, inst, result, mask);
}

static int execute_to_float(struct thread *thread, const struct inst *inst)
{
    float lanes[MAX_LANES];
    int rounding = enter_rounding(thread); /* fetching rounds integers */

    if (fetch_f32(thread, inst, 0, lanes)) {
        leave_rounding(rounding);
        return -1;
    }
    uint32_t mask = thread_write_mask(thread, inst);
    double value[MAX_LANES];
    LANES value[lane] = (double)lanes[lane];
    condition_flags_f64(thread, inst, value, mask);
    int status = store_f32(thread, inst, lanes, mask);
    leave_rounding(rounding);
    return status;
}

static int execute_to_double(struct thread *thread, const struct inst *inst)
{
    double lanes[MAX_LANES];
    int rounding = enter_rounding(thread);

    if (fetch_f64(thread, inst, 0, lanes)) {
        leave_rounding(rounding);
        return -1;
    }
    uint32_t mask = thread_write_mask(thread, inst);
    condition_flags_f64(thread, inst, lanes, mask);
    int status = store_f64(thread, inst, lanes, mask);
    leave_rounding(rounding);
    return status;
}

/* Rounding to a whole number, in the source's type; frc gives what lies above the floor. */
static int execute_round(struct thread *thread, const struct inst *inst)
{
    double lanes[MAX_LANES];

    if (fetch_f64(thread, inst, 0, lanes))
        return -1;
    LANES
    {
        switch (inst->opcode) {
        case OP_rndd:
            lanes[lane] = floor(lanes[lane]);
            break;
        case OP_rndu:
            lanes[lane] = ceil(lanes[lane]);
            break;
        case OP_rndz:
            lanes[lane] = trunc(lanes[lane]);
            break;
        case OP_rnde:
            lanes[lane] = nearbyint(lanes[lane]);
            break;
        default:
            lanes[lane] = lanes[lane] - floor(lanes[lane]);
            break;
        }
    }
    uint32_t mask = thread_write_mask(thread, inst);
    condition_flags_f64(thread, inst, lanes, mask);
    return store_f64(thread, inst, lanes, mask);
}

static execute_function select_mov(const struct inst *inst)
{
    enum type from = (enum type)inst->source[0].type, to = (enum type)inst->destination.type;
    const struct operand *source = &inst->source[0];
    bool plain = !source->negate && !source->absolute && !inst->saturate &&
                 inst->condition == CONDITION_NONE && !inst->destination.is_accumulator &&
                 !inst->writes_accumulator;

    /* Of one type nothing is converted: bits move as they are, a signalling NaN's among them (PRM,
     * mov). Immediate integers may be packed vectors. */
    if (plain && type_is_float(from) && from == to)
        return execute_copy;
    if (plain && source->kind != OPERAND_IMMEDIATE && type_bytes(from) == type_bytes(to) &&
        !type_is_float(from) && !type_is_float(to))
        return execute_copy;
    if (!type_is_float(from) && !type_is_float(to) && inst->saturate)
        return execute_wide;
    if (!type_is_float(from) && !type_is_float(to))
        return plain && type_bytes(from) <= 4 && type_bytes(to) <= 4 ? execute_copy_u32
                                                                     : execute_integer_to_integer;
    if (type_is_float(from) && !type_is_float(to))
        return execute_float_to_integer;
    if (to == TYPE_DF || from == TYPE_DF)
        return execute_to_double;
    return execute_to_float;
}

execute_function move_select(const struct inst *inst)
{
    switch (inst->opcode) {
    case OP_mov:
        return select_mov(inst);
    case OP_movi: /* by an address register for each lane */
        return inst->source[0].kind == OPERAND_INDIRECT && inst->source[0].vxh ? select_mov(inst)
                                                                               : NULL;
    case OP_rndd:
    case OP_rndu:
    case OP_rndz:
    case OP_rnde:
    case OP_frc:
        return execute_round;
    default:
        return NULL;
    }
}
