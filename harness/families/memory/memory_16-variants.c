#include "families/memory/memory-tables.h"

MEMORY_TABLE(16, 0, 0);
