#include "families/memory/memory-variants.h"

unsigned memory_vector(enum memory_pattern pattern)
{
    static const unsigned char vectors[MEMORY_PATTERNS] = {
        [MEMORY_ITEM] = 1,   [MEMORY_SUBGROUP] = 1, [MEMORY_VEC2] = 2,    [MEMORY_VEC4] = 4,
        [MEMORY_VEC8] = 8,   [MEMORY_VEC16] = 16,   [MEMORY_BLOCK1] = 1,  [MEMORY_BLOCK2] = 2,
        [MEMORY_BLOCK4] = 4, [MEMORY_BLOCK8] = 8,   [MEMORY_STRIDED] = 1, [MEMORY_GATHER] = 1,
    };

    return vectors[pattern];
}
