/* Family `memory_8`: loads, stores and copies of 8-bit elements. Alone: vebench run memory_8
 * memory-patterns.c says what is measured and how. */
#include "families/memory-patterns.h"

MEMORY_FAMILY(8, 0, 0);
