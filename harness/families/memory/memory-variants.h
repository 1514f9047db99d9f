/* The variants of families memory_8, memory_16, memory_32 and memory_64, for their runs, model and
 * report. */
#ifndef VEBENCH_MEMORY_VARIANTS_H
#define VEBENCH_MEMORY_VARIANTS_H

#include "base/variant.h"

enum memory_operation { MEMORY_LOAD, MEMORY_STORE, MEMORY_COPY };

enum memory_pattern {
    MEMORY_ITEM,
    MEMORY_SUBGROUP,
    MEMORY_VEC2,
    MEMORY_VEC4,
    MEMORY_VEC8,
    MEMORY_VEC16,
    MEMORY_BLOCK1,
    MEMORY_BLOCK2,
    MEMORY_BLOCK4,
    MEMORY_BLOCK8,
    MEMORY_STRIDED,
    MEMORY_GATHER,
    MEMORY_PATTERNS
};

struct memory_variant {
    bool is_loop; /* that and nothing else */
    enum memory_operation operation;
    enum memory_pattern pattern;
    unsigned width; /* bytes of an element */
};

/* Elements of one access of a pattern. */
unsigned memory_vector(enum memory_pattern pattern);

enum { MEMORY_VARIANTS = 37 };

extern const struct variant memory_8_variants[MEMORY_VARIANTS];
extern const struct variant memory_16_variants[MEMORY_VARIANTS];
extern const struct variant memory_32_variants[MEMORY_VARIANTS];
extern const struct variant memory_64_variants[MEMORY_VARIANTS];

#endif
