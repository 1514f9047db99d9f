/* The barrier gateway of an Xe-core: counts the threads of each work-group that have arrived, and
 * lets them go together. */
#ifndef VESIM_GATEWAY_H
#define VESIM_GATEWAY_H

#include "gpu/xe-core.h"

/* A thread's signal reaches the gateway at `now`. The last of its work-group releases the others,
 * which `event` then tells. 0, or -1 with the thread's fault set. */
int gateway_signal(struct xe_core *core, struct thread_slot *slot, const struct inst *inst,
                   uint64_t now, struct ve_event *event);

/* sync.bar: the thread goes on when its work-group's barrier is complete, at once if it is. */
void gateway_wait(struct ve *ve, struct thread_slot *slot);

/* A thread of the work-group has ended at `now`: the others no longer wait for it. */
void gateway_thread_ended(struct xe_core *core, struct group *group, uint64_t now,
                          struct ve_event *event);

#endif
