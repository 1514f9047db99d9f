/* Family `memory_8`: loads, stores and copies of 8-bit elements; memory-patterns.c says what is
 * measured and how.
 * Alone: vebench run memory_8 */
#include "families/memory/memory-patterns.h"

MEMORY_FAMILY(8);
