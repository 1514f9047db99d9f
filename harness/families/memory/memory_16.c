/* Family `memory_16`: loads, stores and copies of 16-bit elements; memory-patterns.c says what is
 * measured and how.
 * Alone: vebench run memory_16 */
#include "families/memory/memory-patterns.h"

MEMORY_FAMILY(16);
