/* The loops of a kernel's machine code. */
#ifndef VEBENCH_ISA_LOOPS_H
#define VEBENCH_ISA_LOOPS_H

#include "isa/audit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vesim/code.h>

struct isa_loop {
    uint32_t first, last; /* indices of instructions */
    unsigned depth;       /* 1: in no other loop */
};

/* The loops in the order of their ends, which is that of `vebench predict --trips`. Returns how
 * many; those beyond ISA_LOOPS_MAX are left out. */
size_t isa_loops(const struct vesim_code *code, struct isa_loop loops[ISA_LOOPS_MAX]);

/* The one that is taken for hot: the innermost, or the outermost, of several the one with the most
 * instructions. Index in `loops`; `count` must not be 0. */
size_t isa_hot_loop(const struct isa_loop *loops, size_t count, bool outermost);

#endif
