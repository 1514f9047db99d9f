/* Surface states: where the memory of a binding table entry or bindless surface lies. */
#ifndef VESIM_SURFACE_H
#define VESIM_SURFACE_H

#include "isa/execute/thread.h"

/* The surface of binding table entry `index`. 0, or -1 with the thread's fault set. */
int surface_by_index(struct thread *thread, const struct inst *inst, unsigned index,
                     struct surface *surface);

/* The surface whose state is at GPU address `state`. */
int surface_by_state(struct thread *thread, const struct inst *inst, uint64_t state,
                     struct surface *surface);

#endif
