/* Where the cycles of the vector engines went. Each cycle of a walk is, in each engine, one in
 * which it issued, one in which the thread that issues next had to wait, under the reason for
 * which it waited then, or one with no thread resident. */
#ifndef VESIM_STALL_ACCOUNTING_H
#define VESIM_STALL_ACCOUNTING_H

#include "gpu/xe-core.h"

/* A walk begins at cycle `start`: its counters are 0. */
void stall_accounting_begin(struct xe_core *core, uint64_t start);

/* `slot`'s thread waits, or has waited, up to `now`, where it can issue. */
void stall_accounting_wait(struct xe_core *core, struct ve *ve, const struct thread_slot *slot,
                           uint64_t now);

/* `slot`'s thread issues `inst` at `now`; to be called before it does. */
void stall_accounting_issue(struct xe_core *core, struct ve *ve, const struct thread_slot *slot,
                            const struct inst *inst, uint64_t now);

/* The walk is over at cycle `end`. */
void stall_accounting_end(struct xe_core *core, uint64_t end);

#endif
