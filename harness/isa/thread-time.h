/* The time of one thread that has a loop to itself: instructions issue in their order, each when
 * what it waits for is there. */
#ifndef VEBENCH_ISA_THREAD_TIME_H
#define VEBENCH_ISA_THREAD_TIME_H

#include "base/error.h"
#include "isa/decode/program.h"

#define ISA_NOBODY UINT32_MAX

/* Of one instruction, in an iteration of the steady state. */
struct isa_wait {
    uint64_t cycles; /* that it issues later than right after the one before it */
    uint32_t whom;   /* index of the instruction that it waits for; ISA_NOBODY: none */
};

/* Cycles of an iteration of the loop [first, last]. Branches out of it and over parts of it are not
 * taken; messages cost the least that they can. `waits` has an element for each instruction. */
enum status isa_thread_time(const struct program *program, uint32_t first, uint32_t last,
                            struct isa_wait *waits, uint64_t *cycles, struct error *error);

#endif
