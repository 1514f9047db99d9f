/* Loops forced to a given number of iterations, whatever their conditions say: to find out how long
 * code takes without its data. */
#ifndef VESIM_LOOPS_H
#define VESIM_LOOPS_H

#include "isa/decode/program.h"

/* How many loops a thread can count the iterations of. */
#define LOOPS_MAX 32

/* Index of the first instruction of the loop that `inst`, instruction `index`, ends; -1 if it ends
 * none. */
int32_t loop_first(const struct inst *inst, uint32_t index);

/* Loop i, in the order of their ends, iterates trips[i] times each time it is entered; 0: as its
 * condition says. Further loops, and those beyond LOOPS_MAX, keep their conditions. */
void loops_force(struct program *program, const unsigned *trips, unsigned count);

#endif
