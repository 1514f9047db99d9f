/* memory_8: loads, stores and copies of 8-bit elements. */
#define BITS 8
#include "memory-patterns.h"
