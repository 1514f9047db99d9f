/* Makes programs. */
#include <stdlib.h>
#include <string.h>

#include "tree.h"

struct maker {
    struct program *program;
    uint64_t state;
};

static uint64_t random64(struct maker *m)
{
    uint64_t x = m->state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static unsigned below(struct maker *m, unsigned limit)
{
    return (unsigned)(random64(m) >> 33) % limit;
}

static void *allocate(struct program *program, size_t bytes)
{
    void **block = calloc(1, sizeof(void *) + bytes);

    if (!block)
        abort();
    *block = program->allocated;
    program->allocated = block;
    return block + 1;
}

static struct node *new_node(struct maker *m, enum op op, struct type type)
{
    struct node *node = allocate(m->program, sizeof(*node));

    node->op = op;
    node->type = type;
    return node;
}

static bool same(struct type a, struct type b)
{
    return a.kind == b.kind && a.width == b.width;
}

static bool has_kind(const struct maker *m, enum kind kind)
{
    const struct abilities *abilities = &m->program->abilities;

    return (kind != HALF || abilities->has_half) && (kind != DOUBLE || abilities->has_double);
}

static struct type random_type(struct maker *m)
{
    static const uint8_t widths[] = {1, 1, 1, 1, 1, 2, 4};
    struct type type;

    do
        type.kind = (enum kind)below(m, KINDS);
    while (!has_kind(m, type.kind));
    type.width = widths[below(m, sizeof(widths))];
    return type;
}

static uint64_t random_bits(struct maker *m, enum kind kind)
{
    uint64_t bits = random64(m), edge = UINT64_C(1) << (kind_bits(kind) - 1);
    static const uint64_t near[] = {0, 1, 2, 7, UINT64_MAX, UINT64_MAX - 1};

    if (kind_is_float(kind)) /* quarters, from -32 to 32 */
        return bits_of(kind, (long double)((int)(bits % 257) - 128) / 4, TO_NEAREST);
    switch (bits >> 60 & 3) {
    case 0:
        bits = near[bits % (sizeof(near) / sizeof(near[0]))];
        break;
    case 1:
        bits = edge + bits % 3 - 1;
        break;
    case 2:
        bits = bits >> (bits % 60);
        break;
    default:
        break;
    }
    return bits & UINT64_MAX >> (64 - kind_bits(kind));
}

/* A variable of the type, or -1. */
static int find_variable(struct maker *m, struct type type)
{
    unsigned first = below(m, VARIABLES);

    for (unsigned i = 0; i < VARIABLES; i++)
        if (same(m->program->variables[(first + i) % VARIABLES], type))
            return (int)((first + i) % VARIABLES);
    return -1;
}

static struct node *make(struct maker *m, struct type type, unsigned depth);

static struct node *make_leaf(struct maker *m, struct type type)
{
    int variable = below(m, 5) ? find_variable(m, type) : -1;
    struct node *node;

    if (variable >= 0) {
        node = new_node(m, OP_VARIABLE, type);
        node->variable = (unsigned)variable;
        return node;
    }
    if (type.width == 1 && below(m, 2)) {
        struct type vector = {type.kind, below(m, 2) ? 2 : 4};

        variable = find_variable(m, vector);
        if (variable >= 0) {
            node = new_node(m, OP_COMPONENT, type);
            node->variable = (unsigned)variable;
            node->pattern[0] = below(m, vector.width);
            return node;
        }
    }
    node = new_node(m, OP_CONSTANT, type);
    for (unsigned i = 0; i < type.width; i++)
        node->constant.bits[i] = random_bits(m, type.kind);
    return node;
}

static struct node *make_select(struct maker *m, struct type type, unsigned depth)
{
    struct node *node = new_node(m, OP_SELECT, type);
    struct type compared = type.width == 1 ? random_type(m) : type;

    compared.width = type.width;
    node->operand[0] = make(m, compared, depth);
    node->operand[1] = below(m, 3) ? make(m, compared, depth) : new_node(m, OP_CONSTANT, compared);
    node->operand[2] = make(m, type, depth);
    node->operand[3] = make(m, type, depth);
    node->relation = (enum relation)below(m, RELATIONS);
    return node;
}

/* Whether it is a constant, or one's bits. */
static bool is_constant(const struct node *node)
{
    while (node->op == OP_AS || node->op == OP_CONVERT || node->op == OP_TRUNCATE)
        node = node->operand[0];
    return node->op == OP_CONSTANT;
}

/* Whether both read the same variable. */
static bool reads_the_same(const struct node *a, const struct node *b)
{
    return a->op == OP_VARIABLE && b->op == OP_VARIABLE && a->variable == b->variable;
}

/* What Intel's compilers are known to get wrong is not asked; docs/devices.md has their code:
 * - IGC 1.0.12504 finds the direction in which add_sat and sub_sat of longs saturate as if the sum
 *   could not overflow, where an operand is a constant or both are the same;
 * - it stores the low byte of a shifted integer in a loop that breaks, without saturation;
 * - IGC 1.0.12504 and 2.40.14, before Xe2, compare the word that a product of bytes is computed as
 *   (tests/programs/conditions.c has the code). */
static bool is_known_fault(const struct node *node)
{
    const bool is_byte = kind_bits(node->type.kind) == 8, is_long = node->type.kind == LONG;

    switch (node->op) {
    case OP_MULTIPLY:
        return is_byte;
    case OP_ADD_SAT:
    case OP_SUB_SAT:
        return is_long && (is_constant(node->operand[0]) || is_constant(node->operand[1]) ||
                           reads_the_same(node->operand[0], node->operand[1]));
    case OP_CONVERT:
        return is_byte && node->operand[0]->op == OP_SHIFT_RIGHT;
    default:
        return false;
    }
}

static struct node *make_conversion(struct maker *m, struct type type, unsigned depth)
{
    struct type from = random_type(m);
    bool same_size;

    from.width = type.width;
    /* what halves give of integers is left to the conversions of floats */
    if (type.kind == HALF)
        from.kind = below(m, 2) && m->program->abilities.has_double ? DOUBLE : FLOAT;
    same_size = kind_bits(from.kind) == kind_bits(type.kind);
    bool integers = !kind_is_float(from.kind) && !kind_is_float(type.kind);
    struct node *node = new_node(m, OP_CONVERT, type);
    if (integers && below(m, 2))
        node->op = OP_TRUNCATE;
    if (same_size && (integers || kind_is_float(from.kind)) && below(m, 2))
        node->op = OP_AS; /* from a float: its NaNs are made one */
    node->operand[0] = make(m, from, depth);
    node->rounding = (enum rounding)below(m, 4);
    return is_known_fault(node) ? make_leaf(m, type) : node;
}

static struct node *make_swizzle(struct maker *m, struct type type)
{
    struct node *node = new_node(m, OP_SWIZZLE, type);
    int variable = find_variable(m, type);

    if (variable < 0)
        return make_leaf(m, type);
    node->variable = (unsigned)variable;
    for (unsigned i = 0; i < type.width; i++)
        node->pattern[i] = below(m, type.width);
    return node;
}

static unsigned operands_of(enum op op)
{
    switch (op) {
    case OP_NOT:
    case OP_CLZ:
    case OP_POPCOUNT:
    case OP_FLOOR:
    case OP_CEIL:
    case OP_TRUNC:
    case OP_RINT:
    case OP_FABS:
    case OP_NEGATE:
    case OP_SQRT:
        return 1;
    case OP_BITSELECT:
    case OP_FMA:
        return 3;
    default:
        return 2;
    }
}

static enum op random_op(struct maker *m, struct type type)
{
    static const uint8_t integers[] = {
        OP_ADD,         OP_SUBTRACT,   OP_MULTIPLY,    OP_AND,      OP_OR,        OP_XOR,
        OP_NOT,         OP_ADD,        OP_SUBTRACT,    OP_MULTIPLY, OP_AND,       OP_SHIFT_LEFT,
        OP_SHIFT_RIGHT, OP_SHIFT_LEFT, OP_SHIFT_RIGHT, OP_DIVIDE,   OP_REMAINDER, OP_ADD_SAT,
        OP_SUB_SAT,     OP_HADD,       OP_RHADD,       OP_MUL_HI,   OP_ROTATE,    OP_MIN,
        OP_MAX,         OP_CLZ,        OP_POPCOUNT,    OP_BITSELECT};
    static const uint8_t floats[] = {OP_ADD,  OP_SUBTRACT, OP_MULTIPLY, OP_FMA,   OP_MIN,
                                     OP_MAX,  OP_FLOOR,    OP_CEIL,     OP_TRUNC, OP_RINT,
                                     OP_FABS, OP_NEGATE,   OP_DIVIDE,   OP_SQRT};
    bool exact =
        type.kind == DOUBLE || (type.kind == FLOAT && m->program->abilities.divides_exactly);

    if (!kind_is_float(type.kind))
        return (enum op)integers[below(m, sizeof(integers))];
    return (enum op)floats[below(m, (unsigned)sizeof(floats) - (exact ? 0 : 2))];
}

static struct node *make_operation(struct maker *m, struct type type, unsigned depth)
{
    struct node *node = new_node(m, random_op(m, type), type);

    for (unsigned i = 0; i < operands_of(node->op); i++)
        node->operand[i] = make(m, type, depth);
    return is_known_fault(node) ? make_leaf(m, type) : node;
}

static struct node *make(struct maker *m, struct type type, unsigned depth)
{
    if (depth == 0)
        return make_leaf(m, type);
    switch (below(m, 12)) {
    case 0:
    case 1:
        return make_leaf(m, type);
    case 2:
    case 3:
        return make_select(m, type, depth - 1);
    case 4:
    case 5:
        return make_conversion(m, type, depth - 1);
    case 6:
        if (type.width > 1)
            return make_swizzle(m, type);
        if (type.kind == UINT) {
            struct node *node = new_node(m, OP_ELEMENT, type);

            node->operand[0] = make(m, type, depth - 1);
            return node;
        }
        return make_operation(m, type, depth - 1);
    default:
        return make_operation(m, type, depth - 1);
    }
}

static struct statement *new_statement(struct maker *m, struct list *list, enum step step)
{
    struct program *program = m->program;
    struct statement *statement = allocate(program, sizeof(*statement));

    statement->step = step;
    statement->number = program->count;
    program->statements[program->count++] = statement;
    if (list->last)
        list->last->next = statement;
    else
        list->first = statement;
    list->last = statement;
    return statement;
}

static struct node *make_condition(struct maker *m)
{
    return make_select(m, (struct type){INT, 1}, 1);
}

static void make_list(struct maker *m, struct list *list, unsigned count, unsigned nesting);

/* Work-items may take different ways here. */
static void make_divergent(struct maker *m, struct list *list, unsigned nesting)
{
    const struct type uint_type = {UINT, 1};
    struct statement *statement;

    switch (below(m, nesting ? 6 : 3)) {
    case 3:
    case 4:
        statement = new_statement(m, list, STEP_IF);
        statement->condition = make_condition(m);
        make_list(m, &statement->body, 1 + below(m, 3), nesting - 1);
        if (below(m, 2))
            make_list(m, &statement->otherwise, 1 + below(m, 3), nesting - 1);
        break;
    case 5:
        statement = new_statement(m, list, STEP_LOOP);
        statement->value = make(m, uint_type, 1);
        statement->condition = below(m, 2) ? make_condition(m) : NULL;
        make_list(m, &statement->body, 1 + below(m, 2), nesting - 1);
        break;
    case 2:
        statement = new_statement(m, list, STEP_ELEMENT);
        statement->index = make(m, uint_type, 1);
        statement->value = make(m, uint_type, 2);
        break;
    default:
        statement = new_statement(m, list, STEP_ASSIGN);
        statement->variable = below(m, VARIABLES);
        statement->value = make(m, m->program->variables[statement->variable], 2);
        break;
    }
}

static void make_list(struct maker *m, struct list *list, unsigned count, unsigned nesting)
{
    for (unsigned i = 0; i < count && m->program->count < 200; i++)
        make_divergent(m, list, nesting);
}

static void make_sub_group(struct maker *m, struct list *list)
{
    static const enum kind kinds[] = {INT, UINT, LONG, ULONG};
    const struct abilities *abilities = &m->program->abilities;
    struct type type = {kinds[below(m, 4)], 1};
    enum sub_group_op op = (enum sub_group_op)below(m, SUB_GROUP_OPS - !abilities->has_ballot);

    if (op == BALLOT)
        type.kind = UINT;
    int variable = find_variable(m, type);
    if (variable < 0)
        return;
    struct statement *statement = new_statement(m, list, STEP_SUB_GROUP);
    statement->sub_group_op = op;
    statement->variable = (unsigned)variable;
    statement->value = make(m, type, 2);
    statement->index = make(m, (struct type){UINT, 1}, 1);
    statement->condition = make_condition(m);
    statement->lane = below(m, abilities->sub_group_size);
}

static void make_exchange(struct maker *m, struct list *list)
{
    int variable = find_variable(m, (struct type){UINT, 1});

    if (variable < 0)
        return;
    struct statement *statement = new_statement(m, list, STEP_EXCHANGE);
    statement->variable = (unsigned)variable;
    statement->value = make(m, (struct type){UINT, 1}, 2);
    statement->index = make(m, (struct type){UINT, 1}, 1);
}

struct program *program_make(uint64_t seed, const struct abilities *abilities)
{
    struct program *program = calloc(1, sizeof(*program));
    struct maker maker = {program, seed * UINT64_C(0xd1342543de82ef95)};

    if (!program)
        abort();
    program->abilities = *abilities;
    program->seed = seed;
    for (unsigned i = 0; i < VARIABLES; i++)
        program->variables[i] = random_type(&maker);
    program->variables[0] = program->variables[1] = (struct type){UINT, 1};
    program->variables[2] = (struct type){INT, 1};
    program->variables[3] = (struct type){LONG, 1};
    unsigned count = 3 + below(&maker, 6);
    for (unsigned i = 0; i < count; i++) {
        switch (below(&maker, 8)) {
        case 0:
        case 1:
            make_sub_group(&maker, &program->body);
            break;
        case 2:
            make_exchange(&maker, &program->body);
            break;
        default:
            make_divergent(&maker, &program->body, 2);
            break;
        }
    }
    return program;
}

void program_free(struct program *program)
{
    void **block = program->allocated;

    while (block) {
        void **next = *block;

        free(block);
        block = next;
    }
    free(program);
}

unsigned program_statements(const struct program *program)
{
    return program->count;
}

bool program_is_dropped(const struct program *program, unsigned statement)
{
    return program->statements[statement]->dropped;
}

void program_drop(struct program *program, unsigned statement, bool dropped)
{
    program->statements[statement]->dropped = dropped;
}
