#include "families/memory/memory-tables.h"

MEMORY_TABLE(8, 0, 0);
