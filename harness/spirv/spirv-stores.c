#include "spirv/spirv-stores.h"

#include "spirv/spirv-words.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Parameters beyond these have no bit, and calls deeper than this are taken to load. */
enum { PARAMETERS_MAX = 64, CALLS_MAX = 16 };

/* Of OpenCL's extended instructions (OpenCL.std), the one that stores a vector through its last
 * operand. */
enum { OPENCL_VSTOREN = 172 };

/* Modules with more ids have everything loaded. */
#define IDS_MAX (1u << 20)

/* What is known of an id. */
struct id {
    bool is_variable; /* of the function's own */
    uint64_t from;    /* the parameters that a pointer is made of, a bit each; */
    uint64_t held;    /* those of the pointers in a variable, or in one seen as another type */
};

struct stores {
    const struct spirv_words *module;
    size_t begin, end; /* of the function's instructions */
    uint32_t ids;      /* every id is below it */
    struct id *id;     /* [ids] */
    uint64_t loaded;   /* parameters that are used for anything but a store */
    unsigned calls;    /* deep */
    size_t parameters;
};

static uint64_t loaded_by(const struct spirv_words *module, uint32_t function, unsigned calls,
                          size_t *parameters);

static uint64_t from(const struct stores *s, uint32_t id)
{
    return id < s->ids ? s->id[id].from : 0;
}

static uint64_t held(const struct stores *s, uint32_t id)
{
    return id < s->ids ? s->id[id].held : 0;
}

static bool is_variable(const struct stores *s, uint32_t id)
{
    return id < s->ids && s->id[id].is_variable;
}

/* The parameters behind every `step`th operand. */
static uint64_t bits_of(const struct stores *s, const struct spirv_instruction *i, unsigned first,
                        unsigned step)
{
    uint64_t bits = 0;

    for (unsigned at = first; at < i->count; at += step)
        bits |= from(s, i->operand[at]);
    return bits;
}

/* The parameters of a pointer that is made of others; 0 for any other instruction. Operands 0 and 1
 * are the result's type and id. */
static uint64_t pointer_made(const struct stores *s, const struct spirv_instruction *i)
{
    struct spirv_instruction base = *i;

    switch (i->code) {
    case OP_ACCESS_CHAIN:
    case OP_IN_BOUNDS_ACCESS_CHAIN:
    case OP_PTR_ACCESS_CHAIN:
    case OP_IN_BOUNDS_PTR_ACCESS_CHAIN:
        base.count = i->count < 3 ? i->count : 3;
        return bits_of(s, &base, 2, 1);
    case OP_COPY_OBJECT:
    case OP_BITCAST:
    case OP_PTR_CAST_TO_GENERIC:
    case OP_GENERIC_CAST_TO_PTR:
        return bits_of(s, i, 2, 1);
    case OP_LOAD:
        return i->count > 2 ? held(s, i->operand[2]) : 0;
    case OP_SELECT:
        return bits_of(s, i, 3, 1);
    case OP_PHI:
        return bits_of(s, i, 2, 2);
    default:
        return 0;
    }
}

static void add_call(struct stores *s, const struct spirv_instruction *i)
{
    size_t parameters = 0;
    uint64_t loaded = i->count > 2 && s->calls < CALLS_MAX
                          ? loaded_by(s->module, i->operand[2], s->calls + 1, &parameters)
                          : UINT64_MAX;

    for (unsigned number = 0; 3 + number < i->count; number++) {
        uint32_t argument = i->operand[3 + number];

        if (number >= parameters || number >= PARAMETERS_MAX || loaded >> number & 1)
            s->loaded |= from(s, argument) | held(s, argument);
    }
}

/* Operands that an instruction uses: what else it has are literals, or does not count. */
static const struct {
    unsigned code, first, end;
} used[] = {
    {OP_STORE, 1, 2}, /* the value */
    {OP_LOAD, 2, 3},
    {OP_VARIABLE, 3, UINT_MAX}, /* what it begins with */
    {OP_EXT_INST, 4, UINT_MAX},
    {OP_VECTOR_SHUFFLE, 2, 4},
    {OP_COMPOSITE_EXTRACT, 2, 3},
    {OP_COMPOSITE_INSERT, 2, 4},
    {OP_BRANCH_CONDITIONAL, 0, 1},
    {OP_SWITCH, 0, 1},
    {OP_LINE, 0, 0},
    {OP_LOOP_MERGE, 0, 0},
    {OP_SELECTION_MERGE, 0, 0},
    {OP_FUNCTION_PARAMETER, 0, 0},
    {OP_LIFETIME_START, 0, 0},
    {OP_LIFETIME_STOP, 0, 0},
};

/* Does the instruction only make a pointer, keep one in a variable, or store elsewhere what is
 * none? */
static bool is_known(const struct stores *s, const struct spirv_instruction *i)
{
    if (i->code == OP_STORE)
        return i->count > 1 && is_variable(s, i->operand[0]) && !held(s, i->operand[1]);
    if (i->code == OP_LOAD && i->count > 2 && !from(s, i->operand[2]))
        return true;
    if (i->code == OP_EXT_INST && i->count > 6 && i->operand[3] == OPENCL_VSTOREN)
        return true;
    bool is_seen_otherwise = i->code == OP_BITCAST && i->count > 2 && held(s, i->operand[2]);
    return is_seen_otherwise || (i->code != OP_LOAD && pointer_made(s, i));
}

/* What the instruction does with pointers beside making others. Of one that is not listed, a
 * literal may look like the id of a pointer, which only adds to it. */
static void add_use(struct stores *s, const struct spirv_instruction *i)
{
    struct spirv_instruction some = *i;
    unsigned first = 0;

    if (i->code == OP_FUNCTION_CALL)
        add_call(s, i);
    if (i->code == OP_FUNCTION_CALL || is_known(s, i))
        return;
    for (size_t u = 0; u < sizeof(used) / sizeof(used[0]); u++) {
        if (used[u].code != i->code)
            continue;
        first = used[u].first;
        some.count = i->count < used[u].end ? i->count : used[u].end;
    }
    for (unsigned at = first; at < some.count; at++)
        s->loaded |= from(s, i->operand[at]) | held(s, i->operand[at]);
}

/* Adds to what is known of an id. Returns whether it is new. */
static bool add_to(uint64_t *known, uint64_t bits)
{
    bool is_new = bits & ~*known;

    *known |= bits;
    return is_new;
}

static bool follow(struct stores *s, const struct spirv_instruction *i)
{
    if (i->count < 2)
        return false;
    if (i->code == OP_STORE)
        return is_variable(s, i->operand[0]) &&
               add_to(&s->id[i->operand[0]].held, from(s, i->operand[1]));
    uint64_t made = pointer_made(s, i);
    uint64_t same = i->code == OP_BITCAST && i->count > 2 ? held(s, i->operand[2]) : 0;
    if ((!made && !same) || i->operand[1] >= s->ids)
        return false;
    bool is_new = add_to(&s->id[i->operand[1]].from, made);
    return add_to(&s->id[i->operand[1]].held, same) || is_new;
}

/* Pointers of loops are made of what comes behind them: until nothing is new. */
static void follow_pointers(struct stores *s)
{
    struct spirv_instruction i;
    bool is_new = true;

    while (is_new) {
        is_new = false;
        for (size_t at = s->begin; at < s->end && spirv_next(s->module, &at, &i);)
            is_new |= follow(s, &i);
    }
}

/* Finds the function's instructions, and its parameters. False if it has no body. */
static bool find_function(struct stores *s, uint32_t function)
{
    struct spirv_instruction i;
    bool inside = false, has_body = false;

    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(s->module, &at, &i);) {
        if (i.code == OP_FUNCTION && i.count > 1 && i.operand[1] == function) {
            inside = true;
            s->begin = at;
        }
        if (!inside)
            continue;
        has_body |= i.code == OP_LABEL;
        if (i.code == OP_VARIABLE && i.count > 1 && i.operand[1] < s->ids)
            s->id[i.operand[1]].is_variable = true;
        if (i.code == OP_FUNCTION_PARAMETER && i.operand[1] < s->ids) {
            if (s->parameters < PARAMETERS_MAX)
                s->id[i.operand[1]].from = 1ull << s->parameters;
            s->parameters++;
        }
        s->end = at;
        if (i.code == OP_FUNCTION_END)
            break;
    }
    return has_body;
}

/* The parameters of a function that it uses for anything but stores. */
static uint64_t loaded_by(const struct spirv_words *module, uint32_t function, unsigned calls,
                          size_t *parameters)
{
    struct stores s = {.module = module, .ids = module->words[SPIRV_HEADER_BOUND], .calls = calls};
    struct spirv_instruction i;

    s.id = s.ids && s.ids <= IDS_MAX ? calloc(s.ids, sizeof(*s.id)) : NULL;
    if (!s.id)
        return UINT64_MAX;
    bool has_body = find_function(&s, function);
    follow_pointers(&s);
    for (size_t at = s.begin; at < s.end && spirv_next(module, &at, &i);)
        add_use(&s, &i);
    free(s.id);
    *parameters = s.parameters;
    return has_body ? s.loaded : UINT64_MAX;
}

uint64_t spirv_only_stored(const void *bytes, size_t size, const char *name)
{
    const struct spirv_words module = {bytes, size / sizeof(uint32_t)};
    struct spirv_instruction entry;
    size_t parameters;

    return spirv_find_entry(&module, name, &entry)
               ? ~loaded_by(&module, entry.operand[1], 0, &parameters)
               : 0;
}
