/* Points in time, in cycles of the core clock. */
#ifndef VESIM_CYCLES_H
#define VESIM_CYCLES_H

#include <stdint.h>

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
