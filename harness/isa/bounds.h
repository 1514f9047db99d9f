/* How long an iteration of a loop takes at least, and what sets that: as llvm-mca and OSACA say of
 * processors. */
#ifndef VEBENCH_ISA_BOUNDS_H
#define VEBENCH_ISA_BOUNDS_H

#include "isa/audit.h"
#include "isa/loops.h"

/* Of one instruction of the loop. */
struct isa_instruction_cost {
    unsigned conflicts; /* cycles, of operand reads */
    struct vesim_wait wait;
};

/* `registers`: that a thread is given, which decides how many an engine holds. `costs` has an
 * element for each instruction of the loop. */
enum status isa_bounds_find(const struct vesim_code *code, const struct isa_loop *loop,
                            unsigned registers, struct isa_bounds *bounds,
                            struct isa_instruction_cost *costs, struct error *error);

#endif
