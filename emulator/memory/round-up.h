#ifndef VESIM_ROUND_UP_H
#define VESIM_ROUND_UP_H

#include <stdint.h>

/* The least multiple of `step`, which is not 0, that is no less than `value`. */
static inline uint64_t round_up(uint64_t value, uint64_t step)
{
    return (value + step - 1) / step * step;
}

#endif
