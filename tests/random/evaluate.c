/* What a program computes, by the rules of OpenCL C. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

struct run {
    const struct program *program;
    struct value variables[VARIABLES][ITEMS];
    uint32_t array[ITEMS][ARRAY];
};

/* An integer's value. */
static wide integer(enum kind kind, uint64_t bits)
{
    unsigned above = 64 - kind_bits(kind);

    return kind_is_signed(kind) ? (wide)((int64_t)(bits << above) >> above)
                                : (wide)(bits << above >> above);
}

static uint64_t wrap(enum kind kind, wide value)
{
    return (uint64_t)value & UINT64_MAX >> (64 - kind_bits(kind));
}

static wide saturate(enum kind kind, wide value)
{
    wide high = ((wide)1 << (kind_bits(kind) - (unsigned)kind_is_signed(kind))) - 1,
         low = kind_is_signed(kind) ? -high - 1 : 0;

    return value < low ? low : value > high ? high : value;
}

static uint64_t integer_operation(enum op op, enum kind kind, const uint64_t *operand)
{
    unsigned bits = kind_bits(kind), count = (unsigned)operand[1] & (bits - 1);
    wide a = integer(kind, operand[0]), b = integer(kind, operand[1]);
    unsigned_wide product = (unsigned_wide)a * (unsigned_wide)b;
    uint64_t greatest = UINT64_MAX >> (64 - bits) >> kind_is_signed(kind);
    wide divisor = (wide)((operand[1] & greatest) | 1);

    switch (op) {
    case OP_ADD:
        return wrap(kind, a + b);
    case OP_SUBTRACT:
        return wrap(kind, a - b);
    case OP_MULTIPLY:
        return wrap(kind, (wide)product);
    case OP_AND:
        return operand[0] & operand[1];
    case OP_OR:
        return operand[0] | operand[1];
    case OP_XOR:
        return operand[0] ^ operand[1];
    case OP_NOT:
        return wrap(kind, ~a);
    case OP_SHIFT_LEFT:
        return wrap(kind, (wide)((unsigned_wide)a << count));
    case OP_SHIFT_RIGHT:
        return wrap(kind, a >> count);
    case OP_DIVIDE:
        return wrap(kind, a / divisor);
    case OP_REMAINDER:
        return wrap(kind, a % divisor);
    case OP_ADD_SAT:
        return wrap(kind, saturate(kind, a + b));
    case OP_SUB_SAT:
        return wrap(kind, saturate(kind, a - b));
    case OP_HADD:
        return wrap(kind, (a + b) >> 1);
    case OP_RHADD:
        return wrap(kind, (a + b + 1) >> 1);
    case OP_MUL_HI:
        return wrap(kind, kind_is_signed(kind) ? (wide)product >> bits : (wide)(product >> bits));
    case OP_ROTATE:
        return count ? wrap(kind, (wide)(operand[0] << count | operand[0] >> (bits - count)))
                     : operand[0];
    case OP_MIN:
        return operand[a < b ? 0 : 1];
    case OP_MAX:
        return operand[a > b ? 0 : 1];
    case OP_CLZ:
        return operand[0] ? (uint64_t)__builtin_clzll(operand[0]) - (64 - bits) : bits;
    case OP_POPCOUNT:
        return (uint64_t)__builtin_popcountll(operand[0]);
    default: /* OP_BITSELECT */
        return (operand[0] & ~operand[2]) | (operand[1] & operand[2]);
    }
}

/* The bits, or those that every NaN has where it is looked at. */
static uint64_t one_nan(enum kind kind, uint64_t bits)
{
    return kind_is_float(kind) ? bits_of(kind, number_of(kind, bits), TO_NEAREST) : bits;
}

static float float_of(uint64_t bits)
{
    return (float)number_of(FLOAT, bits);
}

static double double_of(uint64_t bits)
{
    return (double)number_of(DOUBLE, bits);
}

/* Each operation rounds once: floats and doubles as the host's do; of halves, a long double has
 * every digit of sums, products and both. */
static long double float_operation(enum op op, enum kind kind, const uint64_t *operand)
{
    long double a = number_of(kind, operand[0]), b = number_of(kind, operand[1]),
                c = number_of(kind, operand[2]);
    bool is_half = kind == HALF, is_float = kind == FLOAT;

    switch (op) {
    case OP_ADD:
        return is_half    ? a + b
               : is_float ? (long double)((float)a + (float)b)
                          : (long double)((double)a + (double)b);
    case OP_SUBTRACT:
        return is_half    ? a - b
               : is_float ? (long double)((float)a - (float)b)
                          : (long double)((double)a - (double)b);
    case OP_MULTIPLY:
        return is_half    ? a * b
               : is_float ? (long double)((float)a * (float)b)
                          : (long double)((double)a * (double)b);
    case OP_DIVIDE:
        return is_float ? (long double)(float_of(operand[0]) / float_of(operand[1]))
                        : (long double)(double_of(operand[0]) / double_of(operand[1]));
    case OP_FMA:
        return is_half    ? a * b + c
               : is_float ? (long double)fmaf((float)a, (float)b, (float)c)
                          : (long double)fma((double)a, (double)b, (double)c);
    case OP_MIN: /* which of two zeros is not said; the program adds 0 */
        return (isnan(a) ? b : isnan(b) ? a : a < b ? a : b) + 0.0L;
    case OP_MAX:
        return (isnan(a) ? b : isnan(b) ? a : a > b ? a : b) + 0.0L;
    case OP_FLOOR: /* of doubles the program adds 0: docs/devices.md has why */
        return kind == DOUBLE ? floorl(a) + 0.0L : floorl(a);
    case OP_CEIL:
        return kind == DOUBLE ? ceill(a) + 0.0L : ceill(a);
    case OP_TRUNC:
        return truncl(a);
    case OP_RINT:
        return nearbyintl(a);
    case OP_FABS:
        return fabsl(a);
    case OP_NEGATE:
        return -a;
    default: /* OP_SQRT */
        return is_float ? (long double)sqrtf((float)a) : (long double)sqrt((double)a);
    }
}

static bool relation_holds(enum relation relation, enum kind kind, uint64_t a, uint64_t b)
{
    long double x = number_of(kind, a), y = number_of(kind, b);

    switch (relation) {
    case EQUAL:
        return x == y;
    case NOT_EQUAL:
        return x != y;
    case LESS:
        return x < y;
    case LESS_EQUAL:
        return x <= y;
    case GREATER:
        return x > y;
    default:
        return x >= y;
    }
}

static struct value value_of(const struct run *run, const struct node *node, unsigned item);

static uint64_t component_of(const struct node *node, const struct value *from, unsigned i)
{
    enum kind kind = node->type.kind;
    const struct node *first = node->operand[0];
    const uint64_t operand[] = {from[0].bits[i], from[1].bits[i], from[2].bits[i]};

    switch (node->op) {
    case OP_SELECT:
        return from[relation_holds(node->relation, first->type.kind, operand[0], operand[1]) ? 2
                                                                                             : 3]
            .bits[i];
    case OP_CONVERT:
        return convert_saturated(
            kind, first->type.kind, operand[0],
            kind_is_float(first->type.kind) || kind_is_float(kind) ? node->rounding : TO_NEAREST);
    case OP_TRUNCATE:
        return wrap(kind, integer(first->type.kind, operand[0]));
    case OP_AS:
        return one_nan(first->type.kind, operand[0]);
    default:
        return kind_is_float(kind)
                   ? bits_of(kind, float_operation(node->op, kind, operand), TO_NEAREST)
                   : integer_operation(node->op, kind, operand);
    }
}

static struct value value_of(const struct run *run, const struct node *node, unsigned item)
{
    struct value from[4], result = {{0}};

    memset(from, 0, sizeof(from));
    switch (node->op) {
    case OP_VARIABLE:
        return run->variables[node->variable][item];
    case OP_CONSTANT:
        return node->constant;
    case OP_COMPONENT:
    case OP_SWIZZLE:
        for (unsigned i = 0; i < node->type.width; i++)
            result.bits[i] = run->variables[node->variable][item].bits[node->pattern[i]];
        return result;
    case OP_ELEMENT:
        result.bits[0] = run->array[item][value_of(run, node->operand[0], item).bits[0] % ARRAY];
        return result;
    default:
        break;
    }
    for (unsigned i = 0; i < 4 && node->operand[i]; i++)
        from[i] = value_of(run, node->operand[i], item);
    for (unsigned i = 0; i < node->type.width; i++)
        result.bits[i] = component_of(node, from, i);
    return result;
}

static bool condition_holds(const struct run *run, const struct node *condition, unsigned item)
{
    const struct node *first = condition->operand[0];

    return relation_holds(condition->relation, first->type.kind, value_of(run, first, item).bits[0],
                          value_of(run, condition->operand[1], item).bits[0]);
}

/* What does not ask other work-items. Whether the loop around it is left is not asked here. */
static void run_list(struct run *run, const struct list *list, unsigned item)
{
    for (const struct statement *s = list->first; s; s = s->next) {
        if (s->dropped)
            continue;
        unsigned count = 0;
        switch (s->step) {
        case STEP_ASSIGN:
            run->variables[s->variable][item] = value_of(run, s->value, item);
            break;
        case STEP_ELEMENT: {
            uint32_t added = (uint32_t)value_of(run, s->value, item).bits[0];

            run->array[item][value_of(run, s->index, item).bits[0] % ARRAY] += added;
            break;
        }
        case STEP_IF:
            run_list(run, condition_holds(run, s->condition, item) ? &s->body : &s->otherwise,
                     item);
            break;
        default: /* STEP_LOOP */
            count = (unsigned)value_of(run, s->value, item).bits[0] & 3;
            for (unsigned i = 0; i < count; i++) {
                run_list(run, &s->body, item);
                if (s->condition && condition_holds(run, s->condition, item))
                    break;
            }
            break;
        }
    }
}

static uint64_t least_or_greatest(enum kind kind, uint64_t a, uint64_t b, bool least)
{
    return (integer(kind, a) < integer(kind, b)) == least ? a : b;
}

/* The result of work-item `lane` of a sub-group with the values `from`. */
static uint64_t sub_group_result(const struct statement *s, enum kind kind, const uint64_t *from,
                                 const unsigned *index, uint32_t ballot, unsigned lane,
                                 unsigned size)
{
    uint64_t sum = 0, before = 0, least = from[0], greatest = from[0], greatest_so_far = from[0];

    for (unsigned i = 0; i < size; i++) {
        if (i < lane)
            before += from[i];
        if (i <= lane)
            greatest_so_far = least_or_greatest(kind, greatest_so_far, from[i], false);
        sum += from[i];
        least = least_or_greatest(kind, least, from[i], true);
        greatest = least_or_greatest(kind, greatest, from[i], false);
    }
    switch (s->sub_group_op) {
    case SHUFFLE:
        return from[index[lane] % size];
    case SHUFFLE_XOR:
        return from[lane ^ s->lane];
    case BROADCAST:
        return from[s->lane];
    case REDUCE_ADD:
        return wrap(kind, (wide)sum);
    case REDUCE_MIN:
        return least;
    case REDUCE_MAX:
        return greatest;
    case SCAN_INCLUSIVE_ADD:
        return wrap(kind, (wide)(before + from[lane]));
    case SCAN_EXCLUSIVE_ADD:
        return wrap(kind, (wide)before);
    case SCAN_INCLUSIVE_MAX:
        return greatest_so_far;
    default:
        return ballot;
    }
}

static void run_sub_groups(struct run *run, const struct statement *s)
{
    unsigned size = run->program->abilities.sub_group_size;
    enum kind kind = run->program->variables[s->variable].kind;

    for (unsigned first = 0; first < ITEMS; first += size) {
        uint64_t from[32], to[32];
        unsigned index[32];
        uint32_t ballot = 0;

        for (unsigned lane = 0; lane < size; lane++) {
            from[lane] = value_of(run, s->value, first + lane).bits[0];
            index[lane] = (unsigned)value_of(run, s->index, first + lane).bits[0];
            ballot |= (uint32_t)condition_holds(run, s->condition, first + lane) << lane;
        }
        for (unsigned lane = 0; lane < size; lane++)
            to[lane] = sub_group_result(s, kind, from, index, ballot, lane, size);
        for (unsigned lane = 0; lane < size; lane++)
            run->variables[s->variable][first + lane].bits[0] = to[lane];
    }
}

static void run_exchange(struct run *run, const struct statement *s)
{
    uint64_t local[ITEMS];

    for (unsigned item = 0; item < ITEMS; item++)
        local[item] = value_of(run, s->value, item).bits[0];
    for (unsigned item = 0; item < ITEMS; item++) {
        unsigned from = (unsigned)value_of(run, s->index, item).bits[0] % GROUP;

        run->variables[s->variable][item].bits[0] = local[item / GROUP * GROUP + from];
    }
}

static void start(struct run *run, const struct inputs *inputs)
{
    for (unsigned v = 0; v < VARIABLES; v++) {
        struct type type = run->program->variables[v];

        for (unsigned item = 0; item < ITEMS; item++) {
            for (unsigned i = 0; i < type.width; i++) {
                unsigned at = (item * (2 * v + 1) + 7 * v + i) % INPUTS;
                uint64_t bits = inputs->integers[at];
                long double number = (long double)inputs->floats[at];

                run->variables[v][item].bits[i] = kind_is_float(type.kind)
                                                      ? bits_of(type.kind, number, TO_NEAREST)
                                                      : wrap(type.kind, (wide)bits);
            }
        }
    }
    for (unsigned item = 0; item < ITEMS; item++)
        for (unsigned i = 0; i < ARRAY; i++)
            run->array[item][i] = (uint32_t)run->variables[0][item].bits[0] * i +
                                  (uint32_t)run->variables[1][item].bits[0];
}

void program_evaluate(const struct program *program, const struct inputs *inputs, uint64_t *results)
{
    struct run *run = calloc(1, sizeof(*run));

    if (!run)
        abort();
    run->program = program;
    start(run, inputs);
    for (const struct statement *s = program->body.first; s; s = s->next) {
        struct statement alone = *s;
        const struct list list = {&alone, &alone};

        alone.next = NULL;
        if (s->dropped)
            continue;
        if (s->step == STEP_SUB_GROUP)
            run_sub_groups(run, s);
        else if (s->step == STEP_EXCHANGE)
            run_exchange(run, s);
        else
            for (unsigned item = 0; item < ITEMS; item++)
                run_list(run, &list, item);
    }
    for (unsigned v = 0; v < VARIABLES; v++)
        for (unsigned i = 0; i < program->variables[v].width; i++, results += ITEMS)
            for (unsigned item = 0; item < ITEMS; item++)
                results[item] =
                    one_nan(program->variables[v].kind, run->variables[v][item].bits[i]);
    for (unsigned i = 0; i < ARRAY; i++, results += ITEMS)
        for (unsigned item = 0; item < ITEMS; item++)
            results[item] = run->array[item][i];
    free(run);
}
