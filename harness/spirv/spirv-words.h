/* SPIR-V as words: its instructions one by one, and a module in the making. Modules are in the
 * host's byte order. The numbers are those of the SPIR-V specification, version 1.6, section 3. */
#ifndef VEBENCH_SPIRV_WORDS_H
#define VEBENCH_SPIRV_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SPIRV_HEADER_WORDS = 5,
    SPIRV_HEADER_VERSION = 1, /* its word */
    SPIRV_HEADER_BOUND = 3,   /* every id is below it */
};

enum spirv_op {
    OP_NAME = 5,
    OP_STRING = 7,
    OP_LINE = 8,
    OP_EXT_INST = 12,
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_VOID = 19, /* the first of the types; constants follow them */
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_IMAGE = 25,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_TYPE_FUNCTION = 33,
    OP_TYPE_LAST = 39,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_FUNCTION_PARAMETER = 55,
    OP_FUNCTION_END = 56,
    OP_FUNCTION_CALL = 57,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_PTR_ACCESS_CHAIN = 67,
    OP_IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
    OP_DECORATE = 71,
    OP_VECTOR_SHUFFLE = 79,
    OP_COMPOSITE_EXTRACT = 81,
    OP_COMPOSITE_INSERT = 82,
    OP_COPY_OBJECT = 83,
    OP_U_CONVERT = 113,
    OP_PTR_CAST_TO_GENERIC = 121,
    OP_GENERIC_CAST_TO_PTR = 122,
    OP_BITCAST = 124,
    OP_I_SUB = 130,
    OP_SELECT = 169,
    OP_I_EQUAL = 170,
    OP_ATOMIC_U_MAX = 239,
    OP_PHI = 245,
    OP_LOOP_MERGE = 246,
    OP_SELECTION_MERGE = 247,
    OP_LABEL = 248,
    OP_BRANCH = 249,
    OP_BRANCH_CONDITIONAL = 250,
    OP_SWITCH = 251,
    OP_RETURN = 253,
    OP_LIFETIME_START = 256,
    OP_LIFETIME_STOP = 257,
};

enum spirv_storage {
    STORAGE_UNIFORM_CONSTANT = 0,
    STORAGE_INPUT = 1,
    STORAGE_WORKGROUP = 4,
    STORAGE_CROSS_WORKGROUP = 5,
    STORAGE_FUNCTION = 7,
};

struct spirv_words {
    const uint32_t *words; /* borrowed */
    size_t count;
};

/* One instruction: its operands follow the first word. */
struct spirv_instruction {
    unsigned code, count;
    const uint32_t *operand;
};

/* Steps to the instruction at `*at`, and `*at` behind it. False at the end, or if the length makes
 * no sense. */
bool spirv_next(const struct spirv_words *module, size_t *at,
                struct spirv_instruction *instruction);

/* A literal string, which ends with a zero in its last word. */
const char *spirv_text(const struct spirv_instruction *instruction, unsigned operand);

/* The first instruction of that code whose operand of that number is `value`. */
bool spirv_find(const struct spirv_words *module, unsigned code, unsigned operand, uint32_t value,
                struct spirv_instruction *found);

/* The entry point of that name; NULL: the only one. */
bool spirv_find_entry(const struct spirv_words *module, const char *name,
                      struct spirv_instruction *entry);

/* A module in the making. */
struct spirv_writer {
    uint32_t *words; /* owned, grows */
    size_t count, room;
    bool failed; /* out of memory: what follows is not written */
};

void spirv_put_words(struct spirv_writer *writer, const uint32_t *words, size_t count);

/* An instruction with so many operands. */
void spirv_put(struct spirv_writer *writer, unsigned code, const uint32_t *operands, size_t count);

/* SPIRV_PUT(writer, OP_NAME, operands...) */
#define SPIRV_PUT(writer, code, ...)                                                               \
    spirv_put(writer, code, (const uint32_t[]){__VA_ARGS__},                                       \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* An instruction whose last operand is a text. */
void spirv_put_text(struct spirv_writer *writer, unsigned code, const uint32_t *operands,
                    size_t count, const char *text, const uint32_t *after, size_t after_count);

/* What has been written, which the caller frees, and its size in bytes; NULL: out of memory. */
void *spirv_written(struct spirv_writer *writer, size_t *bytes);

#endif
