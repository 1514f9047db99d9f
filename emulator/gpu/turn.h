/* A thread's turn without the clock. */
#ifndef VESIM_TURN_H
#define VESIM_TURN_H

#include "gpu/xe-core.h"

/* Runs the thread until it has to wait, has ended, or has executed enough for now, and adds to
 * `event` what that has caused. Time is `start` and the instructions that its Xe-core has executed.
 * Returns 0, or -errno with the fault set. */
int turn_run(struct xe_core *core, struct thread_slot *slot, uint64_t start,
             struct ve_event *event);

/* Executes a thread's signal to a barrier, in the midst of a turn, and the wait for one if that is
 * the next instruction; or the wait alone. Returns 0, or -1 with the fault set. */
int turn_meet(struct thread *thread, const struct inst *inst);

#endif
