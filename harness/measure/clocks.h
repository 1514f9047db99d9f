/* The clock of a row: which of those observed it is, and what they say of its reliability. */
#ifndef VEBENCH_CLOCKS_H
#define VEBENCH_CLOCKS_H

#include "measure/rounds.h"

/* Fills in the clocks of the variants that were evaluated, from the launches of the batch, and
 * makes rows unreliable whose clock moved. `room`: of a double for each round. */
void clocks_judge(struct run *run, const bool evaluated[VARIANTS_MAX], double *room);

#endif
