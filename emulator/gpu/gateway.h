/* The barrier gateway of an Xe-core: counts the threads of each work-group as they arrive at a
 * barrier, and releases them together. Before Xe2 a work-group has one barrier, of all its threads;
 * from then on up to 32, and a signal says which, in what part, and how many threads it takes. */
#ifndef VESIM_GATEWAY_H
#define VESIM_GATEWAY_H

#include "gpu/xe-core.h"

/* A thread's signal reaches the gateway at `now`. The last one that a barrier takes releases its
 * threads, which `event` reports; without the clock, they are runnable. Returns 0, or -1 with the
 * thread's fault set. */
int gateway_signal(struct xe_core *core, struct thread_slot *slot, const struct inst *inst,
                   uint64_t now, struct ve_event *event);

/* sync.bar: the thread continues once the barrier that `inst` names is complete. */
void gateway_wait(struct xe_core *core, struct thread_slot *slot, const struct inst *inst);

/* Without the clock: a signal to the barrier of all threads and the wait for it, together, if
 * others have yet to arrive. Returns false, with nothing done, if they have all arrived, or if the
 * work-group may have other barriers. */
bool gateway_join(const struct xe_core *core, struct thread_slot *slot);

/* A thread of the work-group ended at `now`: barriers of all its threads stop waiting for it. */
void gateway_thread_ended(struct xe_core *core, struct group *group, uint64_t now,
                          struct ve_event *event);

#endif
