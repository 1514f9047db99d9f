/* Loads, stores and atomics of one message: what is behind its addresses, and the account of what
 * it touches. */
#ifndef VESIM_MEMORY_ACCESS_H
#define VESIM_MEMORY_ACCESS_H

#include "xe/thread.h"

/* Finds what a load, store or atomic moves for the lanes in `mask` (bits by lane of the message),
 * fills thread->access, and moves it, unless that is to be done later (access->later) and in global
 * memory. `extended_descriptor` names the surface of a bindless message. 0, or -1 with the thread's
 * fault set. */
int memory_access(struct thread *thread, const struct inst *inst, const struct message *message,
                  uint32_t extended_descriptor, uint32_t mask);

#endif
