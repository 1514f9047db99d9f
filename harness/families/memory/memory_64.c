/* Family `memory_64`: loads, stores and copies of 64-bit elements; memory-patterns.c says what is
 * measured and how.
 * Alone: vebench run memory_64 */
#include "families/memory/memory-patterns.h"

MEMORY_FAMILY(64);
