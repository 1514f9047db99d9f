/* Shared by the tables of variants of families memory_8, memory_16, memory_32 and memory_64. */
#ifndef VEBENCH_MEMORY_TABLES_H
#define VEBENCH_MEMORY_TABLES_H

#include "families/memory/memory-variants.h"

#define MEMORY_SPILLS "the compiler spills registers to memory in sub-groups of this size"
#define MEMORY_NO_BLOCK                                                                            \
    "the compiler: Block reads not supported in SIMD32, Block writes not supported in SIMD32"

/* Patterns for the disassembly: of plain messages and of those with a single address. */
#define MEMORY_PLAIN_LOAD  "load\\.ugm\\.d[0-9ux]+\\.a32.*bti\\[0\\]"
#define MEMORY_PLAIN_STORE "store\\.ugm\\.d[0-9ux]+\\.a32.*bti\\[1\\]"
#define MEMORY_BLOCK_LOAD  "load\\.ugm\\.d[0-9]+x[0-9]+t\\."
#define MEMORY_BLOCK_STORE "store\\.ugm\\.d[0-9]+x[0-9]+t\\."

#define MEMORY_GEN12_LOAD  "(untyped surface|byte gathering) read"
#define MEMORY_GEN12_STORE "(untyped surface write|byte scattering write)"
/* Blocks smaller than an oword are accessed as words. */
#define MEMORY_GEN12_BLOCK_LOAD  "(oword aligned block|\\(2\\|M0\\).*byte gathering) read"
#define MEMORY_GEN12_BLOCK_STORE "(oword block|\\(2\\|M0\\).*byte scattering) write"

#define MEMORY_VARIANT(bits, operation_, OPERATION, pattern_, PATTERN, text)                       \
    .name = operation_ "_" pattern_, .operation = operation_, .type = "u" #bits,                   \
    .method = pattern_,                                                                            \
    .own = &(const struct memory_variant){false, MEMORY_##OPERATION, MEMORY_##PATTERN, bits / 8},  \
    .entry_point = "memory_" #bits "_" operation_ "_" pattern_, .means = text,                     \
    .is_posted = MEMORY_##OPERATION != MEMORY_LOAD

#define MEMORY_PLAIN(bits, o, O, p, P, text, sizes_, load, store)                                  \
    {                                                                                              \
        MEMORY_VARIANT(bits, o, O, p, P, text), .instructions = {load, store}, .sizes = sizes_,    \
                                                .no_size = (sizes_) ? MEMORY_SPILLS : NULL         \
    }
#define MEMORY_BLOCK(bits, o, O, p, P, text, xe_hpg, gen12lp)                                      \
    {                                                                                              \
        MEMORY_VARIANT(bits, o, O, p, P, text), .instructions = {xe_hpg, gen12lp},                 \
                                                .sizes = SIZE_8 | SIZE_16,                         \
                                                .no_size = MEMORY_NO_BLOCK                         \
    }

/* The variants of one operation. `plain`, `single` and `wide` are sub-group sizes, 0 for all: of
 * most patterns, of the one that goes element by element, and of those that keep an address for
 * each element. */
#define MEMORY_OPERATION(bits, o, O, plain, single, wide, xe, gen12, xe_block, gen12_block)        \
    MEMORY_PLAIN(bits, o, O, "item", ITEM, "16 neighbouring elements a work-item", plain, xe,      \
                 gen12),                                                                           \
        MEMORY_PLAIN(bits, o, O, "subgroup", SUBGROUP,                                             \
                     "the lanes side by side, element by element", single, xe, gen12),             \
        MEMORY_PLAIN(bits, o, O, "vec2", VEC2, "the lanes side by side, in vectors of 2", plain,   \
                     xe, gen12),                                                                   \
        MEMORY_PLAIN(bits, o, O, "vec4", VEC4, "the lanes side by side, in vectors of 4", plain,   \
                     xe, gen12),                                                                   \
        MEMORY_PLAIN(bits, o, O, "vec8", VEC8, "the lanes side by side, in vectors of 8", plain,   \
                     xe, gen12),                                                                   \
        MEMORY_PLAIN(bits, o, O, "vec16", VEC16, "the lanes side by side, in vectors of 16",       \
                     plain, xe, gen12),                                                            \
        MEMORY_BLOCK(bits, o, O, "block1", BLOCK1, "a block of 1 element a lane", xe_block,        \
                     gen12_block),                                                                 \
        MEMORY_BLOCK(bits, o, O, "block2", BLOCK2, "a block of 2 elements a lane", xe_block,       \
                     gen12_block),                                                                 \
        MEMORY_BLOCK(bits, o, O, "block4", BLOCK4, "a block of 4 elements a lane", xe_block,       \
                     gen12_block),                                                                 \
        MEMORY_BLOCK(bits, o, O, "block8", BLOCK8, "a block of 8 elements a lane", xe_block,       \
                     gen12_block),                                                                 \
        MEMORY_PLAIN(bits, o, O, "strided", STRIDED, "`stride` elements from lane to lane", wide,  \
                     xe, gen12),                                                                   \
        MEMORY_PLAIN(bits, o, O, "gather", GATHER, "anywhere in the working set, at random", wide, \
                     xe, gen12)

/* The table of a family. */
#define MEMORY_TABLE(bits, wide_load, plain_copy)                                                  \
    const struct variant memory_##bits##_variants[] = {                                            \
        {.name = "none",                                                                           \
         .type = "u" #bits,                                                                        \
         .own = &(const struct memory_variant){true, MEMORY_LOAD, MEMORY_SUBGROUP, bits / 8},      \
         .entry_point = "memory_" #bits "_none",                                                   \
         .means = "the loop alone",                                                                \
         .unit = "ns/iteration"},                                                                  \
        MEMORY_OPERATION(bits, "load", LOAD, 0, wide_load, wide_load, MEMORY_PLAIN_LOAD,           \
                         MEMORY_GEN12_LOAD, MEMORY_BLOCK_LOAD, MEMORY_GEN12_BLOCK_LOAD),           \
        MEMORY_OPERATION(bits, "store", STORE, 0, 0, 0, MEMORY_PLAIN_STORE, MEMORY_GEN12_STORE,    \
                         MEMORY_BLOCK_STORE, MEMORY_GEN12_BLOCK_STORE),                            \
        MEMORY_OPERATION(bits, "copy", COPY, plain_copy, plain_copy, SIZE_8 | SIZE_16,             \
                         MEMORY_PLAIN_STORE, MEMORY_GEN12_STORE, MEMORY_BLOCK_STORE,               \
                         MEMORY_GEN12_BLOCK_STORE),                                                \
    };                                                                                             \
    const struct variant_table family_memory_##bits##_variants = {                                 \
        "memory_" #bits, memory_##bits##_variants, MEMORY_VARIANTS}

#endif
