/* The loops of a kernel's machine code. */
#ifndef VEBENCH_ISA_LOOPS_H
#define VEBENCH_ISA_LOOPS_H

#include "audit/audit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vesim/code.h>

struct isa_loop {
    uint32_t first, last; /* indices of instructions */
    unsigned depth;       /* 1: not nested in another loop */
    bool uses_memory;     /* loads from global memory, stores to it, or changes it atomically */
};

/* Finds the loops, in the order in which they end, as `vebench predict --trips` counts them.
 * Returns their number; loops beyond ISA_LOOPS_MAX are left out. */
size_t isa_loops(const struct vesim_code *code, struct isa_loop loops[ISA_LOOPS_MAX]);

/* The hot loop: the innermost or the outermost one; of several innermost, one that uses memory,
 * since data is what goes on for long; of several still, the one with the most instructions.
 * Returns its index in `loops`; `count` must not be 0. */
size_t isa_hot_loop(const struct isa_loop *loops, size_t count, bool outermost);

#endif
