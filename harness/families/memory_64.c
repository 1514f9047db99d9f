/* Family `memory_64`: loads, stores and copies of 64-bit elements; memory-patterns.c says what is
 * measured and how.
 * Alone: vebench run memory_64 */
#include "families/memory-patterns.h"

MEMORY_FAMILY(64, SIZE_8 | SIZE_16, SIZE_8 | SIZE_16);
