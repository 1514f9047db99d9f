/* The barrier gateway of an Xe-core: counts each work-group's threads as they arrive, and releases
 * them together. */
#ifndef VESIM_GATEWAY_H
#define VESIM_GATEWAY_H

#include "gpu/xe-core.h"

/* A thread's signal reaches the gateway at `now`. The last signal of a work-group releases its
 * threads, which `event` reports. Returns 0, or -1 with the thread's fault set. */
int gateway_signal(struct xe_core *core, struct thread_slot *slot, const struct inst *inst,
                   uint64_t now, struct ve_event *event);

/* sync.bar: the thread continues once its work-group's barrier is complete. */
void gateway_wait(struct ve *ve, struct thread_slot *slot);

/* A thread of the work-group ended at `now`: the others stop waiting for it. */
void gateway_thread_ended(struct xe_core *core, struct group *group, uint64_t now,
                          struct ve_event *event);

#endif
