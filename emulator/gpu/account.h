/* Where the cycles of the vector engines went. Each cycle of a walk is, in each engine, one in
 * which it issued, one in which the thread that issues next had to wait, under the reason for
 * which it waited then, or one with no thread resident. */
#ifndef VESIM_ACCOUNT_H
#define VESIM_ACCOUNT_H

#include "gpu/xe-core.h"

/* A walk begins at cycle `start`: its counters are 0. */
void account_begin(struct xe_core *core, uint64_t start);

/* `slot`'s thread waits, or has waited, up to `now`, where it can issue. */
void account_wait(struct xe_core *core, struct ve *ve, const struct thread_slot *slot,
                  uint64_t now);

/* `slot`'s thread issues `inst` at `now`; to be called before it does. */
void account_issue(struct xe_core *core, struct ve *ve, const struct thread_slot *slot,
                   const struct inst *inst, uint64_t now);

/* The walk is over at cycle `end`. */
void account_end(struct xe_core *core, uint64_t end);

#endif
