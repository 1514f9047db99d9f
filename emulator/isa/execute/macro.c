/* IEEE division and square root, which are sequences of instructions. The first, invm or rsqtm,
 * gives an approximation of 1/y or 1/√x, and madm after madm improves it. Their lanes have wider
 * exponents than their type: what a register has no room for is kept beside it, in mme0 to mme7,
 * and only the last result is rounded to the type.
 *
 * Where the result is known at once (an operand is zero, infinite or NaN, or the root's negative),
 * the first instruction leaves that in its destination and sets the lane's flag, "early out"; the
 * rest is skipped there. For rsqtm it is the square root: the compiler's reciprocal root of such a
 * value is the quotient of 1 and the destination (intel-graphics-compiler,
 * documentation/visa/instructions/INVM.md and RSQTM.md, visa/VisaToG4/TranslateMath.cpp,
 * IGC/VectorCompiler/lib/BiF/Library/Math/F64/rsqrt.cpp).
 *
 * Approximations are the exact values rounded to 24 bits; those of the hardware differ by less than
 * 2^-23 as well, but in bits that nobody has published. Correctly rounded results do not depend on
 * them. */
#include <float.h>
#include <math.h>

#include "isa/execute/execute.h"
#include "isa/execute/operand.h"

#define LANES for (unsigned lane = 0; lane < inst->lanes; lane++)

/* Holds every product of doubles, and has 7 bits more than that. */
__extension__ typedef __float128 quad;
__extension__ typedef unsigned __int128 quad_bits;

/* Lanes of single or double precision, and by which power of unit() each is to be multiplied. */
struct extended {
    double value[MAX_LANES];
    int8_t exponent[MAX_LANES];
};

static quad power_of_two(int exponent)
{
    return (quad)ldexp(1.0, exponent / 2) * (quad)ldexp(1.0, exponent - exponent / 2);
}

/* What one step of the exponent beside a register stands for: three quarters of the type's range of
 * exponents, so that whatever a sequence needs is within one step. */
static int unit_exponent(enum type type)
{
    return type == TYPE_F ? 192 : 1536;
}

static int8_t *exponents_of(struct thread *thread, const struct operand *operand)
{
    return operand->extended_by ? thread->macro_exponents[operand->extended_by - 1] : NULL;
}

static int fetch_extended(struct thread *thread, const struct inst *inst, unsigned index,
                          struct extended *to)
{
    const struct operand *operand = &inst->source[index];
    const int8_t *exponents = exponents_of(thread, operand);

    if (fetch_f64(thread, inst, index, to->value))
        return -1;
    flush_f64(thread, (enum type)operand->type, to->value, inst->lanes);
    LANES to->exponent[lane] = exponents ? exponents[(inst->first_lane + lane) % MAX_LANES] : 0;
    return 0;
}

static quad whole_value(const struct extended *lanes, unsigned lane, enum type type)
{
    return lanes->value[lane] * power_of_two(lanes->exponent[lane] * unit_exponent(type));
}

/* Rounds to the type, by the host's mode at the time; first brought into its range where the
 * destination has a place for the exponent. */
static void set_lane(struct extended *to, unsigned lane, quad value, enum type type,
                     bool is_extended)
{
    quad magnitude = value < 0 ? -value : value;
    double least = type == TYPE_F ? (double)FLT_MIN : DBL_MIN,
           greatest = type == TYPE_F ? (double)FLT_MAX : DBL_MAX;
    int exponent = 0;

    if (is_extended && magnitude > greatest && magnitude < (quad)INFINITY)
        exponent = 1;
    if (is_extended && magnitude < least && magnitude > 0)
        exponent = -1;
    value *= power_of_two(-exponent * unit_exponent(type));
    to->value[lane] = type == TYPE_F ? (double)(float)value : (double)value;
    to->exponent[lane] = (int8_t)exponent;
}

static int store_extended(struct thread *thread, const struct inst *inst,
                          const struct extended *from, uint32_t mask)
{
    int8_t *exponents = exponents_of(thread, &inst->destination);
    double value[MAX_LANES];

    LANES
    {
        value[lane] = isnan(from->value[lane]) ? (double)NAN : from->value[lane];
        if (exponents && mask >> lane & 1)
            exponents[(inst->first_lane + lane) % MAX_LANES] = from->exponent[lane];
    }
    if (!exponents)
        flush_f64(thread, (enum type)inst->destination.type, value, inst->lanes);
    return store_f64(thread, inst, value, mask);
}

/* The value rounded to 24 bits. */
static quad approximation(double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);

    return (quad)(float)fraction * power_of_two(exponent);
}

static quad approximate_inverse(double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);

    return approximation(1.0 / fraction) * power_of_two(-exponent);
}

static bool is_ordinary(double value)
{
    return isfinite(value) && value != 0.0;
}

/* invm, rsqtm. */
static int execute_start(struct thread *thread, const struct inst *inst)
{
    struct extended x, y, result;
    enum type type = (enum type)inst->destination.type;
    bool is_root = inst->function == MATH_RSQTM, is_extended = inst->destination.extended_by;
    uint32_t early = 0;

    if (fetch_extended(thread, inst, 0, &x) || (!is_root && fetch_extended(thread, inst, 1, &y)))
        return -1;
    LANES
    {
        double a = x.value[lane], b = is_root ? a : y.value[lane];

        if (is_ordinary(a) && is_ordinary(b) && !(is_root && a < 0)) {
            quad start = is_root ? approximation(1.0 / sqrt(a)) : approximate_inverse(b);

            set_lane(&result, lane, start, type, is_extended);
        } else {
            result.value[lane] = is_root ? sqrt(a) : a / b;
            result.exponent[lane] = 0;
            early |= 1u << lane;
        }
    }
    uint32_t mask = thread_write_mask(thread, inst);
    thread_set_flags(thread, inst, mask, early);
    return store_extended(thread, inst, &result, mask);
}

/* a + b c rounded to odd: if it is not exact, the neighbour whose last bit is set. Rounding that to
 * fewer bits gives what rounding the exact value would. */
static quad multiply_add_to_odd(quad a, quad b, quad c)
{
    quad product = b * c, sum = product + a, a_of_sum = sum - product;
    quad error = (product - (sum - a_of_sum)) + (a - a_of_sum); /* NaN if the sum is not finite */
    quad_bits bits;

    memcpy(&bits, &sum, sizeof(bits));
    if ((error < 0 || error > 0) && !(bits & 1))
        bits += (error < 0) == (sum < 0) ? (quad_bits)1 : ~(quad_bits)0;
    memcpy(&sum, &bits, sizeof(sum));
    return sum;
}

/* Whether a + b c in the type itself, `sum`, is what more bits of exponent would give: neither it
 * nor anything that was lost is near the end of the type's range. */
static bool is_within_range(double sum, double a, double b, double c, enum type type)
{
    double low = type == TYPE_F ? 0x1p-60 : 0x1p-900;

    return sum == 0 ? b == 0 || c == 0 || fabs(a) >= low : fabs(sum) >= low && isfinite(sum);
}

static int execute_madm(struct thread *thread, const struct inst *inst)
{
    struct extended a, b, c, result;
    enum type type = (enum type)inst->destination.type;
    quad sum[MAX_LANES];
    uint32_t beyond = 0;

    if (fetch_extended(thread, inst, 0, &a) || fetch_extended(thread, inst, 1, &b) ||
        fetch_extended(thread, inst, 2, &c))
        return -1;
    int rounding = enter_rounding(thread);
    LANES
    {
        double x = a.value[lane], y = b.value[lane], z = c.value[lane];
        double value = type == TYPE_F ? (double)fmaf((float)y, (float)z, (float)x) : fma(y, z, x);
        bool is_plain = !a.exponent[lane] && !b.exponent[lane] && !c.exponent[lane] &&
                        is_within_range(value, x, y, z, type);

        result.value[lane] = value;
        result.exponent[lane] = 0;
        beyond |= (uint32_t)!is_plain << lane;
    }
    leave_rounding(rounding);
    LANES if (beyond >> lane & 1) sum[lane] = multiply_add_to_odd(
        whole_value(&a, lane, type), whole_value(&b, lane, type), whole_value(&c, lane, type));
    rounding = enter_rounding(thread);
    LANES if (beyond >> lane & 1)
        set_lane(&result, lane, sum[lane], type, inst->destination.extended_by);
    leave_rounding(rounding);
    return store_extended(thread, inst, &result, thread_write_mask(thread, inst));
}

execute_function macro_select(const struct inst *inst)
{
    enum type type = (enum type)inst->destination.type;

    if (type != TYPE_F && type != TYPE_DF)
        return NULL;
    for (unsigned i = 0; i < inst->source_count; i++)
        if (!inst->source[i].is_null && inst->source[i].type != type)
            return NULL;
    if (inst->opcode == OP_madm)
        return execute_madm;
    return inst->opcode == OP_math && (inst->function == MATH_INVM || inst->function == MATH_RSQTM)
               ? execute_start
               : NULL;
}
