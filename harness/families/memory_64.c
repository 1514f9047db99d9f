/* Family `memory_64`: loads, stores and copies of 64-bit elements. Alone: vebench run memory_64
 * memory-patterns.c says what is measured and how. */
#include "families/memory-patterns.h"

MEMORY_FAMILY(64, SIZE_8 | SIZE_16, SIZE_8 | SIZE_16);
