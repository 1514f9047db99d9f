/* The extended-math pipe. Results are those of the host's math library, which are closer to exact
 * than the hardware's: its functions are specified to 1 to 4 units in the last place. IEEE division
 * and square root are in macro.c. */
#include <math.h>

#include "isa/execute/execute.h"
#include "isa/execute/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

static float evaluate(enum math_function function, float x, float y)
{
    switch (function) {
    case MATH_INV:
        return 1.0f / x;
    case MATH_LOG:
        return log2f(x);
    case MATH_EXP:
        return exp2f(x);
    case MATH_SQT:
        return sqrtf(x);
    case MATH_RSQT:
        return (float)(1.0 / sqrt((double)x));
    case MATH_SIN:
        return sinf(x);
    case MATH_COS:
        return cosf(x);
    case MATH_FDIV:
        return x / y;
    case MATH_POW:
        return powf(fabsf(x), y);
    case MATH_TANH:
        return tanhf(x);
    case MATH_SIGMOID:
        return 1.0f / (1.0f + expf(-x));
    default:
        return NAN;
    }
}

static int execute_math_f32(struct thread *thread, const struct inst *inst)
{
    float x[MAX_LANES], y[MAX_LANES] = {0};
    enum math_function function = (enum math_function)inst->function;

    if (fetch_f32(thread, inst, 0, x) ||
        (inst->source_count > 1 && inst->source[1].kind != OPERAND_NONE &&
         !inst->source[1].is_null && fetch_f32(thread, inst, 1, y)))
        return -1;
    LANES x[lane] = evaluate(function, x[lane], y[lane]);
    return store_f32(thread, inst, x, thread_write_mask(thread, inst));
}

/* Quotients and remainders of dwords. Division by zero gives all ones, its remainder the
 * dividend. */
static int execute_division(struct thread *thread, const struct inst *inst)
{
    int64_t x[MAX_LANES], y[MAX_LANES];

    if (fetch_i64(thread, inst, 0, x) || fetch_i64(thread, inst, 1, y))
        return -1;
    bool remainder = inst->function == MATH_IREM;
    LANES
    {
        if (y[lane] == 0)
            x[lane] = remainder ? x[lane] : -1;
        else
            x[lane] = remainder ? x[lane] % y[lane] : x[lane] / y[lane];
    }
    return store_i64(thread, inst, x, thread_write_mask(thread, inst));
}

execute_function math_select(const struct inst *inst)
{
    if (inst->opcode != OP_math)
        return NULL;
    switch (inst->function) {
    case MATH_IQOT:
    case MATH_IREM:
        return execute_division;
    case MATH_INV:
    case MATH_LOG:
    case MATH_EXP:
    case MATH_SQT:
    case MATH_RSQT:
    case MATH_SIN:
    case MATH_COS:
    case MATH_FDIV:
    case MATH_POW:
    case MATH_TANH:
    case MATH_SIGMOID:
        return execute_math_f32;
    default:
        return NULL;
    }
}
