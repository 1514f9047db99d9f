/* Reads of source operands from the register file, and where they get into each other's way. */
#ifndef VEBENCH_ISA_OPERAND_READS_H
#define VEBENCH_ISA_OPERAND_READS_H

#include "isa/decode/program.h"

/* Cycles that each instruction [first, last] of a loop, in its steady state, waits for reads that
 * collide: one for each pair of its sources that lie in the same bank and bundle of the register
 * file, or where all three lie in one bank. A register that the source before it, or the same
 * source of the instruction before it, has just read is not read again. `conflicts` has an element
 * for each of them.
 *
 * Banks and bundles are those that the compiler allocates by: intel-graphics-compiler,
 * visa/G4_BB.cpp (getConflictTimesForTGL) and HWCaps.inc. */
void isa_operand_conflicts(const struct program *program, uint32_t first, uint32_t last,
                           unsigned *conflicts);

#endif
