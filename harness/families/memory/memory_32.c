/* Family `memory_32`: loads, stores and copies of 32-bit elements; memory-patterns.c says what is
 * measured and how.
 * Alone: vebench run memory_32 */
#include "families/memory/memory-patterns.h"

MEMORY_FAMILY(32);
