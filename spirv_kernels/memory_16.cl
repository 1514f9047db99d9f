/* memory_16: loads, stores and copies of 16-bit elements. */
#define BITS 16
#include "memory-patterns.h"
