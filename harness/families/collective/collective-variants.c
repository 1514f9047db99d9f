#include "families/collective/collective-variants.h"

/* A tree of operations on fewer and fewer lanes, all outside the work-items' execution masks. */
#define TREE "^\\(W\\).*(add|sel|cmp|mov)"

#define COLLECTIVE(memory_, has_barrier_, kind_, operation_, bits_)                                \
    .own = &(const struct collective_variant)                                                      \
    {                                                                                              \
        {memory_, has_barrier_},                                                                   \
        {                                                                                          \
            COLLECTIVE_##kind_, OPERATION_##operation_, bits_                                      \
        }                                                                                          \
    }

#define BASELINE(type_, bits_, what)                                                               \
    {                                                                                              \
        .name = "none_" type_, .operation = "none", .type = type_,                                 \
        COLLECTIVE(CHAIN_NO_EXCHANGE, false, NONE, ADD, bits_),                                    \
        .entry_point = "collective_none_" type_, .means = what ": each lane keeps its own"         \
    }

#define BY(name_, end, method_, type_, text)                                                       \
    .name = name_ "_" type_ end, .operation = name_, .type = type_, .method = method_,             \
    .entry_point = "collective_" name_ "_" type_ end, .baseline = "none_" type_, .means = text

#define FUNCTION(name_, kind, operation_, type_, bits, what)                                       \
    {                                                                                              \
        BY(name_, "", "function", type_, what ", by sub-group function"),                          \
            COLLECTIVE(CHAIN_FUNCTION, false, kind, operation_, bits), .instructions = {           \
                TREE,                                                                              \
                TREE                                                                               \
            }                                                                                      \
    }
#define THREE_WAYS(name_, kind, operation_, type_, bits, what)                                     \
    FUNCTION(name_, kind, operation_, type_, bits, what),                                          \
        {BY(name_, "_slm_group", "slm_group", type_,                                               \
            what ", rounds through SLM with work-group barriers"),                                 \
         COLLECTIVE(CHAIN_SLM, true, kind, operation_, bits),                                      \
         .instructions = {"sync\\.bar", "sync\\.bar"}},                                            \
    {                                                                                              \
        BY(name_, "_slm", "slm", type_, what ", rounds through SLM within the sub-group"),         \
            COLLECTIVE(CHAIN_SLM, false, kind, operation_, bits), .instructions = {                \
                "(load|store)\\.slm",                                                              \
                "send"                                                                             \
            }                                                                                      \
    }
#define NARROW_VARIANTS(type_, bits, what)                                                         \
    BASELINE(type_, bits, what), FUNCTION("reduce_add", REDUCE, ADD, type_, bits, "sum of " what), \
        FUNCTION("reduce_max", REDUCE, MAX, type_, bits, "greatest of " what),                     \
        FUNCTION("inclusive_add", INCLUSIVE, ADD, type_, bits, "running sum of " what),            \
        FUNCTION("exclusive_max", EXCLUSIVE, MAX, type_, bits,                                     \
                 "greatest of those before, of " what)

const struct variant collective_variants[] = {
    BASELINE("u32", 32, "32 bits"),
    THREE_WAYS("reduce_add", REDUCE, ADD, "u32", 32, "sum of 32 bits"),
    FUNCTION("reduce_min", REDUCE, MIN, "u32", 32, "least of 32 bits"),
    FUNCTION("reduce_max", REDUCE, MAX, "u32", 32, "greatest of 32 bits"),
    THREE_WAYS("inclusive_add", INCLUSIVE, ADD, "u32", 32, "running sum of 32 bits"),
    FUNCTION("inclusive_min", INCLUSIVE, MIN, "u32", 32, "least so far of 32 bits"),
    FUNCTION("inclusive_max", INCLUSIVE, MAX, "u32", 32, "greatest so far of 32 bits"),
    THREE_WAYS("exclusive_add", EXCLUSIVE, ADD, "u32", 32, "sum of those before, of 32 bits"),
    FUNCTION("exclusive_min", EXCLUSIVE, MIN, "u32", 32, "least of those before, of 32 bits"),
    FUNCTION("exclusive_max", EXCLUSIVE, MAX, "u32", 32, "greatest of those before, of 32 bits"),
    NARROW_VARIANTS("u8", 8, "8 bits"),
    NARROW_VARIANTS("u16", 16, "16 bits"),
    BASELINE("u64", 64, "64 bits"),
    THREE_WAYS("reduce_add", REDUCE, ADD, "u64", 64, "sum of 64 bits"),
    FUNCTION("reduce_max", REDUCE, MAX, "u64", 64, "greatest of 64 bits"),
    FUNCTION("inclusive_add", INCLUSIVE, ADD, "u64", 64, "running sum of 64 bits"),
    FUNCTION("exclusive_max", EXCLUSIVE, MAX, "u64", 64, "greatest of those before, of 64 bits"),
    BASELINE("f32", FLOAT_BITS, "floats"),
    THREE_WAYS("reduce_add", REDUCE, ADD, "f32", FLOAT_BITS, "sum of floats"),
    FUNCTION("reduce_max", REDUCE, MAX, "f32", FLOAT_BITS, "greatest of floats"),
    FUNCTION("inclusive_add", INCLUSIVE, ADD, "f32", FLOAT_BITS, "running sum of floats"),
};

const struct variant_table family_collective_variants = {"collective", collective_variants,
                                                         COLLECTIVE_VARIANTS};
