#include "isa/execute/condition.h"

#include "isa/execute/operand.h"

/* How two values compare. */
enum order { ORDER_LESS = 1, ORDER_EQUAL = 2, ORDER_GREATER = 4, ORDER_NONE = 8 };

/* The orders in which a condition holds. */
static unsigned orders_of(enum condition condition)
{
    static const uint8_t orders[] = {
        [CONDITION_EQ] = ORDER_EQUAL,
        [CONDITION_NE] = ORDER_LESS | ORDER_GREATER | ORDER_NONE,
        [CONDITION_GT] = ORDER_GREATER,
        [CONDITION_GE] = ORDER_GREATER | ORDER_EQUAL,
        [CONDITION_LT] = ORDER_LESS,
        [CONDITION_LE] = ORDER_LESS | ORDER_EQUAL,
        [CONDITION_UNORDERED] = ORDER_NONE,
    };

    return orders[condition];
}

static enum order order_f64(double a, double b)
{
    return a < b ? ORDER_LESS : a > b ? ORDER_GREATER : a == b ? ORDER_EQUAL : ORDER_NONE;
}

uint32_t condition_compare_i64(enum condition condition, const int64_t *a, const int64_t *b,
                               unsigned lanes, bool is_unsigned)
{
    uint32_t bits = 0;
    unsigned orders = orders_of(condition);

    for (unsigned lane = 0; lane < lanes; lane++) {
        bool less = is_unsigned ? (uint64_t)a[lane] < (uint64_t)b[lane] : a[lane] < b[lane];
        enum order order = a[lane] == b[lane] ? ORDER_EQUAL : less ? ORDER_LESS : ORDER_GREATER;

        bits |= (uint32_t)((orders & order) != 0) << lane;
    }
    return bits;
}

uint32_t condition_compare_f64(enum condition condition, const double *a, const double *b,
                               unsigned lanes)
{
    uint32_t bits = 0;
    unsigned orders = orders_of(condition);

    for (unsigned lane = 0; lane < lanes; lane++)
        bits |= (uint32_t)((orders & order_f64(a[lane], b[lane])) != 0) << lane;
    return bits;
}

uint32_t condition_sign_i64(enum condition condition, const int64_t *value, unsigned lanes)
{
    static const int64_t zeros[MAX_LANES];

    return condition_compare_i64(condition, value, zeros, lanes, false);
}

uint32_t condition_sign_f64(enum condition condition, const double *value, unsigned lanes)
{
    static const double zeros[MAX_LANES];

    return condition_compare_f64(condition, value, zeros, lanes);
}

/* Whether the sign decides; only what computed the result knows of an overflow. */
static bool goes_by_sign(enum condition condition)
{
    return condition != CONDITION_NONE && condition != CONDITION_OVERFLOW;
}

void condition_flags_i64(struct thread *thread, const struct inst *inst, const int64_t *result,
                         uint32_t mask)
{
    enum condition condition = (enum condition)inst->condition;

    if (!goes_by_sign(condition))
        return;
    bool is_unsigned = !type_is_signed((enum type)inst->destination.type);
    int64_t held[MAX_LANES];
    static const int64_t zeros[MAX_LANES];
    for (unsigned lane = 0; lane < inst->lanes; lane++)
        held[lane] = destination_i64(inst, result[lane]);
    thread_set_flags(thread, inst, mask,
                     condition_compare_i64(condition, held, zeros, inst->lanes, is_unsigned));
}

void condition_flags_f64(struct thread *thread, const struct inst *inst, const double *result,
                         uint32_t mask)
{
    enum condition condition = (enum condition)inst->condition;

    if (!goes_by_sign(condition))
        return;
    double held[MAX_LANES];
    for (unsigned lane = 0; lane < inst->lanes; lane++)
        held[lane] = destination_f64(inst, result[lane]);
    thread_set_flags(thread, inst, mask, condition_sign_f64(condition, held, inst->lanes));
}
