#include "families/memory/memory-tables.h"

MEMORY_TABLE(32, 0, 0);
