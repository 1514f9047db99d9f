/* Host reference for the kernels of family `atomics`. */
#ifndef VEBENCH_ATOMICS_REFERENCE_H
#define VEBENCH_ATOMICS_REFERENCE_H

#include "families/atomics/atomics-variants.h"

#include <stdbool.h>
#include <stdint.h>

/* Atomic operations of a work-item per iteration. */
#define ATOMICS_STEPS 4

/* A cell, and the work-items that share it. */
struct atomic_cell {
    enum atomic_kind kind;
    unsigned bits; /* 32 or 64 */
    uint64_t initial;
    uint32_t step;
    uint32_t sharers;
    uint32_t iterations;
};

/* Is `total`, the sum of what all sharers of the cell report, possible? Only one sum is, modulo
 * 2^bits, or for ATOMIC_EXCHANGE a range: a try fails only if another has succeeded since the one
 * before. */
bool atomics_total_is_right(const struct atomic_cell *cell, uint64_t total);

/* The final contents of the cell, given that total. */
uint64_t atomics_final(const struct atomic_cell *cell, uint64_t total);

/* What each work-item's loop computes in addition. */
uint32_t atomics_loop(uint32_t step, uint32_t iterations);

#endif
