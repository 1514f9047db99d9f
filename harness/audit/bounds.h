/* Lower bounds on the time of a loop's iteration and what sets them, as llvm-mca and OSACA find
 * them for CPUs. */
#ifndef VEBENCH_ISA_BOUNDS_H
#define VEBENCH_ISA_BOUNDS_H

#include "audit/audit.h"
#include "audit/loops.h"

/* Costs of one instruction of the loop. */
struct isa_instruction_cost {
    unsigned conflicts; /* cycles lost to operand read conflicts */
    struct vesim_wait wait;
};

/* `registers`: the registers that a thread is given, which determine how many threads fit on a
 * vector engine. `costs` has an element for each instruction of the loop. */
enum status isa_bounds_find(const struct vesim_code *code, const struct isa_loop *loop,
                            unsigned registers, struct isa_bounds *bounds,
                            struct isa_instruction_cost *costs, struct error *error);

#endif
