/* Loads, stores and atomics of one message, lane by lane, and the account of what they touched. */
#ifndef VESIM_MEMORY_ACCESS_H
#define VESIM_MEMORY_ACCESS_H

#include "xe/thread.h"

/* Carries out a load, store or atomic for the lanes in `mask` (bits by lane of the message) and
 * fills thread->access. `extended_descriptor` names the surface of a bindless message. 0, or -1
 * with the thread's fault set. */
int memory_access(struct thread *thread, const struct inst *inst, const struct message *message,
                  uint32_t extended_descriptor, uint32_t mask);

/* One atomic operation on `bytes` (2, 4 or 8) of memory at `at`, with up to two operands;
 * returns the value to hand back: the old one, but for the pre-decrement. */
uint64_t atomic_apply(enum atomic_operation operation, void *at, unsigned bytes, uint64_t operand0,
                      uint64_t operand1);

/* How many operands an atomic takes from the payload. */
unsigned atomic_operands(enum atomic_operation operation);

#endif
