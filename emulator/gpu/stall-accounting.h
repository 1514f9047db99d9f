/* Stall accounting: where the vector engines' cycles went. In each cycle of a walk an engine
 * issues, or stalls for the reason that holds back the thread that issues next, or is idle with no
 * resident thread. */
#ifndef VESIM_STALL_ACCOUNTING_H
#define VESIM_STALL_ACCOUNTING_H

#include "gpu/xe-core.h"

/* Begins a walk at cycle `start`, with all counters at 0. */
void stall_accounting_begin(struct xe_core *core, uint64_t start);

/* `slot`'s thread has waited until `now` and can issue. */
void stall_accounting_wait(struct xe_core *core, struct ve *ve, const struct thread_slot *slot,
                           uint64_t now);

/* `slot`'s thread is about to issue `inst` at `now`. */
void stall_accounting_issue(struct xe_core *core, struct ve *ve, const struct thread_slot *slot,
                            const struct inst *inst, uint64_t now);

/* Ends the walk at cycle `end`. */
void stall_accounting_end(struct xe_core *core, uint64_t end);

#endif
