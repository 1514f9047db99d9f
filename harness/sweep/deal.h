/* A sweep's part in a run over many ranks: the agreement to share it, what of it is dealt to this
 * rank, what the ranks tell each other of their results, and how they end. */
#ifndef VEBENCH_SWEEP_DEAL_H
#define VEBENCH_SWEEP_DEAL_H

#include "sweep/sweep-passes.h"

/* The GPU is open: does it go with those of the others? */
enum status deal_meet(const struct sweep_request *request, const struct gpu *gpu,
                      struct error *error);

/* All ranks begin to measure. */
enum status deal_begin(struct sweep *sweep, struct error *error);

/* Asks for a task if there is none. False when nothing more will come. */
bool deal_has_more(struct sweep *sweep, enum status *status, struct error *error);

/* Takes in what the member has sent. STATUS_LOST if it is gone. */
enum status deal_take(struct sweep *sweep, struct error *error);

/* Says how this rank has ended, with the status `status`, and waits for the others. */
enum status deal_end(struct sweep *sweep, enum status status, struct error *error);

#endif
