/* Integer and logic arithmetic. Most of it works on 32-bit lanes; what is 64 bits wide, sets flags
 * by sign or touches the accumulator works on 64-bit lanes; wider results are in wide.c. */
#include "isa/execute/integer.h"

#include "isa/execute/condition.h"
#include "isa/execute/execute.h"
#include "isa/execute/lane-operations.h"
#include "isa/execute/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

/* As a plain destination of narrow lanes, an accumulator is like any other register. */
static bool keeps_accumulator(const struct inst *inst)
{
    return inst->destination.is_accumulator && inst->destination.kind == OPERAND_REGISTER &&
           type_bytes((enum type)inst->destination.type) == 4;
}

void integer_flags_u32(struct thread *thread, const struct inst *inst, const uint32_t *result,
                       uint32_t mask, int64_t *value)
{
    unsigned shift = 64 - 8 * type_bytes((enum type)inst->destination.type);
    bool is_signed = type_is_signed((enum type)inst->destination.type);

    LANES
    {
        uint64_t high = (uint64_t)result[lane] << shift;

        value[lane] = is_signed ? (int64_t)high >> shift : (int64_t)(high >> shift);
    }
    condition_flags_i64(thread, inst, value, mask);
}

int store_integer_u32(struct thread *thread, const struct inst *inst, const uint32_t *result)
{
    uint32_t mask = thread_write_mask(thread, inst);
    bool accumulates = inst->destination.is_accumulator || inst->writes_accumulator;

    if (inst->condition != CONDITION_NONE && inst->condition <= CONDITION_NE && !accumulates) {
        unsigned size = type_bytes((enum type)inst->destination.type);
        uint32_t significant = size == 1 ? 0xff : size == 2 ? 0xffff : UINT32_MAX, zero = 0;

        LANES zero |= (uint32_t)((result[lane] & significant) == 0) << lane;
        thread_set_flags(thread, inst, mask, inst->condition == CONDITION_EQ ? zero : ~zero);
    } else if (inst->condition != CONDITION_NONE || accumulates) {
        int64_t value[MAX_LANES];

        integer_flags_u32(thread, inst, result, mask, value);
        if (keeps_accumulator(inst))
            accumulator_write(thread, inst, (inst->destination.offset - ARF_ACC) / 4, value, mask);
        else if (inst->writes_accumulator)
            accumulator_write(thread, inst, 0, value, mask);
    }
    return store_u32(thread, inst, result, mask);
}

BOOLEAN_FUNCTION(uint32_t)

#define A ((bits)a[lane])
#define B ((bits)b[lane])
#define C ((bits)c[lane])

static int execute_u32(struct thread *thread, const struct inst *inst)
{
    typedef uint32_t bits;
    uint32_t a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0}, result[MAX_LANES];
    uint32_t *const sources[3] = {a, b, c};
    bool is_logic = operation_is_logic((enum opcode)inst->opcode);

    for (unsigned i = 0; i < inst->source_count; i++)
        if (is_logic ? fetch_logic_u32(thread, inst, i, sources[i])
                     : fetch_u32(thread, inst, i, sources[i]))
            return -1;
    switch (inst->opcode) {
#define COUNT(count)  ((count)&31)
#define SIGNED(value) ((int32_t)(value))
#define LOW(value)    (value)
#define LANE_OPERATION(name, sources, kind, expression)                                            \
    case OP_##name:                                                                                \
        LANES result[lane] = (uint32_t)(expression);                                               \
        break;
#define LANE_OPERATION_3(name, kind, expression) LANE_OPERATION(name, 3, kind, expression)
#include "isa/execute/lane-operations.def"
    case OP_bfn:
        LANES result[lane] = boolean_function(inst->function, A, B, C);
        break;
    default:
        return thread_fault(thread, inst, "no 32-bit form");
    }
    return store_integer_u32(thread, inst, result);
}

int store_integer_i64(struct thread *thread, const struct inst *inst, const int64_t *result)
{
    uint32_t mask = thread_write_mask(thread, inst);

    condition_flags_i64(thread, inst, result, mask);
    if (keeps_accumulator(inst)) {
        accumulator_write(thread, inst, (inst->destination.offset - ARF_ACC) / 4, result, mask);
        return 0;
    }
    if (inst->writes_accumulator)
        accumulator_write(thread, inst, 0, result, mask);
    return store_i64(thread, inst, result, mask);
}

static int execute_i64(struct thread *thread, const struct inst *inst)
{
    typedef uint64_t bits;
    int64_t a[MAX_LANES], b[MAX_LANES] = {0}, c[MAX_LANES] = {0}, result[MAX_LANES];
    int64_t *const sources[3] = {a, b, c};
    bool is_logic = operation_is_logic((enum opcode)inst->opcode);

    for (unsigned i = 0; i < inst->source_count; i++)
        if (is_logic ? fetch_logic_i64(thread, inst, i, sources[i])
                     : fetch_i64(thread, inst, i, sources[i]))
            return -1;
    unsigned source_bytes = type_bytes((enum type)inst->source[0].type);
    unsigned shift_mask =
        source_bytes == 8 || type_bytes((enum type)inst->destination.type) == 8 ? 63 : 31;
    uint64_t source_mask = source_bytes == 8 ? UINT64_MAX : UINT32_MAX;
    switch (inst->opcode) {
#define COUNT(count)  ((count)&shift_mask)
#define SIGNED(value) ((int64_t)(value))
#define LOW(value)    ((value)&source_mask)
#define LANE_OPERATION(name, sources, kind, expression)                                            \
    case OP_##name:                                                                                \
        LANES result[lane] = (int64_t)(expression);                                                \
        break;
#define LANE_OPERATION_3(name, kind, expression) LANE_OPERATION(name, 3, kind, expression)
#include "isa/execute/lane-operations.def"
    case OP_avg:
        LANES result[lane] = (int64_t)(A + B + 1) >> 1;
        break;
    default:
        return thread_fault(thread, inst, "no 64-bit form");
    }
    return store_integer_i64(thread, inst, result);
}

bool integer_is_narrow(const struct inst *inst)
{
    bool is_narrow = type_bytes((enum type)inst->destination.type) <= 4 && !inst->saturate;

    for (unsigned i = 0; i < inst->source_count; i++)
        is_narrow &= type_bytes((enum type)inst->source[i].type) <= 4;
    return is_narrow;
}

/* Whether the low 32 bits suffice: neither flags nor the accumulator depend on what lies above. */
static bool fits_u32(const struct inst *inst)
{
    return integer_is_narrow(inst) && !inst->destination.is_accumulator &&
           !inst->writes_accumulator && inst->condition <= CONDITION_NE;
}

execute_function integer_select(const struct inst *inst)
{
    for (unsigned i = 0; i < inst->source_count; i++)
        if (type_is_float((enum type)inst->source[i].type))
            return NULL;
    if (type_is_float((enum type)inst->destination.type))
        return NULL;
    execute_function wide = wide_select(inst);
    if (wide || inst->condition == CONDITION_OVERFLOW)
        return wide;
    switch (inst->opcode) {
    case OP_bfn:
        return integer_is_narrow(inst) ? execute_u32 : NULL;
#define LANE_OPERATION(name, sources, kind, expression) case OP_##name:
#define LANE_OPERATION_3(name, kind, expression)        case OP_##name:
#include "isa/execute/lane-operations.def"
        return fits_u32(inst) ? execute_u32 : execute_i64;
    case OP_avg:
        return execute_i64;
    default:
        return NULL;
    }
}
