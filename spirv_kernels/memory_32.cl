/* memory_32: loads, stores and copies of 32-bit elements. */
#define BITS 32
#include "memory-patterns.h"
