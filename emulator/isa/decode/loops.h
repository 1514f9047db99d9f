/* Loops that go round a given number of times, whatever their conditions say: to find out how long
 * code takes on data that are not there. */
#ifndef VESIM_LOOPS_H
#define VESIM_LOOPS_H

#include "isa/decode/program.h"

/* How many loops a thread can count the rounds of. */
#define LOOPS_MAX 32

/* Index of the first instruction of the loop that `inst`, instruction `index`, ends; -1 if it ends
 * none. */
int32_t loop_first(const struct inst *inst, uint32_t index);

/* Loop i in the order of their ends goes round trips[i] times each time it is entered; 0: as its
 * condition says. Further loops, and those beyond LOOPS_MAX, are left as they are. */
void loops_force(struct program *program, const unsigned *trips, unsigned count);

#endif
