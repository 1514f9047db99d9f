#include "families/memory/memory-tables.h"

MEMORY_TABLE(64, SIZE_8 | SIZE_16, SIZE_8 | SIZE_16);
