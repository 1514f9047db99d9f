/* memory_64: loads, stores and copies of 64-bit elements. */
#define BITS 64
#include "memory-patterns.h"
