/* In a run in which every rank measures all, how the GPU of this rank stands among those of all:
 * the medians of every figure are found along the tree of ranks (ranks/sketch.h) when all have
 * measured. A first answer, there when the run ends; `fleet` (compare/fleet.h) tests each figure
 * from the rows. */
#ifndef VEBENCH_SWEEP_PEERS_H
#define VEBENCH_SWEEP_PEERS_H

#include "sweep/sweep-passes.h"

/* GPUs of one name that have measured a figure, for it to be compared. */
#define PEERS_LEAST 3
/* A GPU is slow whose figures are slower by their median, by more than this and than so many times
 * what a figure ordinarily differs among all GPUs. */
#define PEERS_THRESHOLD 0.01
#define PEERS_SPREADS   6.0

/* Are figures noted for this? */
bool peers_wanted(const struct sweep *sweep);

/* Says what this GPU has measured, waits for the others, and notes in the totals whether it is
 * slow. STATUS_LOST if the member is gone. */
enum status peers_compare(const struct sweep *sweep, struct totals *totals, struct error *error);

#endif
