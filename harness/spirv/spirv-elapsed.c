#include "spirv/spirv-elapsed.h"

#include "spirv/spirv-words.h"

#include <stdlib.h>
#include <string.h>

#define COUNTER_NAME "_Z23intel_get_cycle_counterv"
#define LANE_NAME    "__spirv_BuiltInSubgroupLocalInvocationId"
#define OPERANDS_MAX 4u

/* From the SPIR-V specification, version 1.6, sections 3.20, 3.21, 3.27, 3.28 and 3.31. */
enum {
    CAPABILITY_LINKAGE = 5,
    CAPABILITY_KERNEL = 6,
    CAPABILITY_INT64 = 11,
    DECORATION_BUILT_IN = 11,
    DECORATION_CONSTANT = 22,
    DECORATION_LINKAGE = 41,
    LINKAGE_EXPORT = 0,
    LINKAGE_IMPORT = 1,
    BUILT_IN_LANE = 41,
    SCOPE_DEVICE = 1,
    ENTRY_FUNCTION = 1, /* operands of an entry point */
    ENTRY_NAME = 2,
};

/* The copy, and the ids of what the kernels need: those that the module has are taken, the rest
 * gets its lines in `types` and `decorations`. */
struct copy {
    struct spirv_words module;
    spirv_wanted *wanted;
    const void *context;
    struct spirv_writer out, types, decorations;
    uint32_t bound; /* the next free id */
    uint32_t dword, qword, boolean, zero, device, counter, elapsed, lane;
};

/* The type or constant with these operands beside its id, which is operand `place`. */
static uint32_t global(struct copy *copy, unsigned code, unsigned place, const uint32_t *operands,
                       unsigned count)
{
    uint32_t whole[OPERANDS_MAX];
    struct spirv_instruction i;

    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(&copy->module, &at, &i);) {
        if (i.code == code && i.count == count + 1 &&
            !memcmp(i.operand, operands, place * sizeof(*operands)) &&
            !memcmp(i.operand + place + 1, operands + place, (count - place) * sizeof(*operands)))
            return i.operand[place];
    }
    memcpy(whole, operands, place * sizeof(*operands));
    whole[place] = copy->bound++;
    memcpy(whole + place + 1, operands + place, (count - place) * sizeof(*operands));
    spirv_put(&copy->types, code, whole, count + 1);
    return whole[place];
}

#define TYPE(copy, code, ...)                                                                      \
    global(copy, code, 0, (const uint32_t[]){__VA_ARGS__},                                         \
           sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t constant(struct copy *copy, uint32_t value)
{
    const uint32_t operands[] = {copy->dword, value};

    return global(copy, OP_CONSTANT, 1, operands, 2);
}

static void link_name(struct copy *copy, uint32_t id, const char *name, uint32_t how)
{
    const uint32_t operands[] = {id, DECORATION_LINKAGE};

    spirv_put_text(&copy->decorations, OP_DECORATE, operands, 2, name, &how, 1);
}

/* The variable that has the number of the lane in its sub-group. */
static void find_lane(struct copy *copy)
{
    struct spirv_instruction i;

    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(&copy->module, &at, &i);) {
        if (i.code == OP_DECORATE && i.count == 3 && i.operand[1] == DECORATION_BUILT_IN &&
            i.operand[2] == BUILT_IN_LANE) {
            copy->lane = i.operand[0];
            return;
        }
    }
    uint32_t pointer = TYPE(copy, OP_TYPE_POINTER, STORAGE_INPUT, copy->dword);
    copy->lane = copy->bound++;
    SPIRV_PUT(&copy->types, OP_VARIABLE, pointer, copy->lane, STORAGE_INPUT);
    link_name(copy, copy->lane, LANE_NAME, LINKAGE_IMPORT);
    SPIRV_PUT(&copy->decorations, OP_DECORATE, copy->lane, DECORATION_CONSTANT);
    SPIRV_PUT(&copy->decorations, OP_DECORATE, copy->lane, DECORATION_BUILT_IN, BUILT_IN_LANE);
}

static void find_globals(struct copy *copy)
{
    copy->dword = TYPE(copy, OP_TYPE_INT, 32, 0);
    copy->qword = TYPE(copy, OP_TYPE_INT, 64, 0);
    copy->boolean = global(copy, OP_TYPE_BOOL, 0, &copy->dword, 0);
    copy->zero = constant(copy, 0);
    copy->device = constant(copy, SCOPE_DEVICE);
    find_lane(copy);

    uint32_t pointer = TYPE(copy, OP_TYPE_POINTER, STORAGE_CROSS_WORKGROUP, copy->dword);
    copy->elapsed = copy->bound++;
    SPIRV_PUT(&copy->types, OP_VARIABLE, pointer, copy->elapsed, STORAGE_CROSS_WORKGROUP,
              copy->zero);
    link_name(copy, copy->elapsed, SPIRV_ELAPSED_NAME, LINKAGE_EXPORT);

    uint32_t type = TYPE(copy, OP_TYPE_FUNCTION, copy->qword);
    copy->counter = copy->bound++;
    SPIRV_PUT(&copy->types, OP_FUNCTION, copy->qword, copy->counter, 0, type);
    spirv_put(&copy->types, OP_FUNCTION_END, NULL, 0);
    link_name(copy, copy->counter, COUNTER_NAME, LINKAGE_IMPORT);
}

static void put_capabilities(struct copy *copy)
{
    static const uint32_t needed[] = {CAPABILITY_LINKAGE, CAPABILITY_KERNEL, CAPABILITY_INT64};
    struct spirv_instruction i;

    for (size_t n = 0; n < sizeof(needed) / sizeof(needed[0]); n++) {
        if (!spirv_find(&copy->module, OP_CAPABILITY, 0, needed[n], &i))
            SPIRV_PUT(&copy->out, OP_CAPABILITY, needed[n]);
    }
}

static bool is_wanted(const struct copy *copy, const struct spirv_instruction *entry)
{
    return copy->wanted(spirv_text(entry, ENTRY_NAME), copy->context);
}

/* The function that is exported under the name, or 0. */
static uint32_t exported(const struct copy *copy, const char *name)
{
    struct spirv_instruction i;

    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(&copy->module, &at, &i);) {
        if (i.code == OP_DECORATE && i.count > 3 && i.operand[1] == DECORATION_LINKAGE &&
            i.operand[i.count - 1] == LINKAGE_EXPORT && !strcmp(spirv_text(&i, 2), name))
            return i.operand[0];
    }
    return 0;
}

/* Is the function a wanted kernel? Some translators make the entry point a function of its own that
 * calls the kernel, exported under its name; consumers then may take the latter alone. */
static bool counts(const struct copy *copy, uint32_t function)
{
    struct spirv_instruction i;

    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(&copy->module, &at, &i);) {
        if (i.code != OP_ENTRY_POINT || !is_wanted(copy, &i))
            continue;
        uint32_t kernel = exported(copy, spirv_text(&i, ENTRY_NAME));
        if (function == (kernel ? kernel : i.operand[ENTRY_FUNCTION]))
            return true;
    }
    return false;
}

/* An entry point lists the variables that it reads. */
static void put_entry(struct copy *copy, const struct spirv_instruction *entry)
{
    size_t words = strlen(spirv_text(entry, ENTRY_NAME)) / sizeof(uint32_t) + 1;
    bool is_listed = false;

    for (size_t v = ENTRY_NAME + words; v < entry->count; v++)
        is_listed = is_listed || entry->operand[v] == copy->lane;
    bool adds = is_wanted(copy, entry) && !is_listed;
    const uint32_t first = (entry->count + 1 + adds) << 16 | OP_ENTRY_POINT;
    spirv_put_words(&copy->out, &first, 1);
    spirv_put_words(&copy->out, entry->operand, entry->count);
    if (adds)
        spirv_put_words(&copy->out, &copy->lane, 1);
}

/* Reads the counter's lower half; returns its id. */
static uint32_t put_reading(struct copy *copy)
{
    uint32_t whole = copy->bound++, low = copy->bound++;

    SPIRV_PUT(&copy->out, OP_FUNCTION_CALL, copy->qword, whole, copy->counter);
    SPIRV_PUT(&copy->out, OP_U_CONVERT, copy->dword, low, whole);
    return low;
}

/* What stands before a kernel's return: its first lane raises the variable. */
static void put_ending(struct copy *copy, uint32_t start)
{
    uint32_t now = put_reading(copy), taken = copy->bound++, lane = copy->bound++;
    uint32_t is_first = copy->bound++, raise = copy->bound++, end = copy->bound++;
    uint32_t before = copy->bound++;

    SPIRV_PUT(&copy->out, OP_I_SUB, copy->dword, taken, now, start);
    SPIRV_PUT(&copy->out, OP_LOAD, copy->dword, lane, copy->lane);
    SPIRV_PUT(&copy->out, OP_I_EQUAL, copy->boolean, is_first, lane, copy->zero);
    SPIRV_PUT(&copy->out, OP_SELECTION_MERGE, end, 0);
    SPIRV_PUT(&copy->out, OP_BRANCH_CONDITIONAL, is_first, raise, end);
    SPIRV_PUT(&copy->out, OP_LABEL, raise);
    SPIRV_PUT(&copy->out, OP_ATOMIC_U_MAX, copy->dword, before, copy->elapsed, copy->device,
              copy->zero, taken);
    SPIRV_PUT(&copy->out, OP_BRANCH, end);
    SPIRV_PUT(&copy->out, OP_LABEL, end);
}

/* Copies a function from its first instruction on, which has been read; with its readings if it is
 * a wanted kernel. */
static void put_function(struct copy *copy, size_t begin, size_t *at)
{
    const uint32_t *words = copy->module.words;
    bool is_counted = counts(copy, words[begin + 2]), has_begun = false;
    uint32_t start = 0;
    unsigned labels = 0;
    struct spirv_instruction i;

    spirv_put_words(&copy->out, words + begin, *at - begin);
    for (size_t before = *at; spirv_next(&copy->module, at, &i); before = *at) {
        /* Variables stand first in the first block. */
        if (is_counted && labels && !has_begun && i.code != OP_VARIABLE) {
            start = put_reading(copy);
            has_begun = true;
        }
        labels += i.code == OP_LABEL;
        if (is_counted && i.code == OP_RETURN)
            put_ending(copy, start);
        spirv_put_words(&copy->out, words + before, *at - before);
        if (i.code == OP_FUNCTION_END)
            return;
    }
}

/* Copies the module, with each new part in its place: SPIR-V, section 2.4. */
static void put_module(struct copy *copy)
{
    bool has_decorations = false, has_types = false;
    struct spirv_instruction i;

    spirv_put_words(&copy->out, copy->module.words, SPIRV_HEADER_WORDS);
    put_capabilities(copy);
    for (size_t at = SPIRV_HEADER_WORDS, before = at; spirv_next(&copy->module, &at, &i);
         before = at) {
        if (!has_decorations && i.code >= OP_TYPE_VOID && i.code <= OP_CONSTANT) {
            spirv_put_words(&copy->out, copy->decorations.words, copy->decorations.count);
            has_decorations = true;
        }
        if (!has_types && i.code == OP_FUNCTION) {
            spirv_put_words(&copy->out, copy->types.words, copy->types.count);
            has_types = true;
        }
        if (i.code == OP_ENTRY_POINT)
            put_entry(copy, &i);
        else if (i.code == OP_FUNCTION)
            put_function(copy, before, &at);
        else
            spirv_put_words(&copy->out, copy->module.words + before, at - before);
    }
    if (!copy->out.failed)
        copy->out.words[SPIRV_HEADER_BOUND] = copy->bound;
}

static bool any_is_wanted(const struct copy *copy)
{
    struct spirv_instruction i;

    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(&copy->module, &at, &i);) {
        if (i.code == OP_ENTRY_POINT && is_wanted(copy, &i))
            return true;
    }
    return false;
}

void *spirv_count_elapsed(const void *bytes, size_t size, spirv_wanted *wanted, const void *context,
                          size_t *copy_bytes)
{
    struct copy copy = {
        .module = {bytes, size / sizeof(uint32_t)}, .wanted = wanted, .context = context};

    if (!any_is_wanted(&copy))
        return NULL;
    copy.bound = copy.module.words[SPIRV_HEADER_BOUND];
    find_globals(&copy);
    put_module(&copy);
    copy.out.failed = copy.out.failed || copy.types.failed || copy.decorations.failed;
    free(copy.types.words);
    free(copy.decorations.words);
    return spirv_written(&copy.out, copy_bytes);
}
