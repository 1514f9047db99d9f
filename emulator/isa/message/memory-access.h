/* Loads, stores and atomics of one message: what is behind its addresses, and the record of what
 * it touches. */
#ifndef VESIM_MEMORY_ACCESS_H
#define VESIM_MEMORY_ACCESS_H

#include "isa/message/surface.h"
#include "isa/thread/thread.h"

/* Shared local memory does not decode the topmost bits of an address. The compiler relies on it: it
 * sets bit 28 so that no pointer to local memory is null. */
#define SLM_ADDRESS_MASK UINT32_C(0x0fffffff)

/* Finds what a load, store or atomic moves for the lanes in `mask` (bits by lane of the message),
 * fills thread->access, and moves it, unless that is to be done later (access->later) and in global
 * memory. `extended_descriptor` names the surface of a bindless message. 0, or -1 with the thread's
 * fault set. */
int memory_access(struct thread *thread, const struct inst *inst, const struct message *message,
                  uint32_t extended_descriptor, uint32_t mask);

/* What the fast ways share with it: the offset of a block message, what the addresses of one that
 * names no surface count from, where the scratch space of one for that lies, and whether a
 * message whose descriptor is immediate keeps to the registers that there are. */
uint64_t memory_block_offset(const struct thread *thread, const struct inst *inst,
                             const struct message *message);
uint64_t memory_stateless_base(const struct thread *thread, const struct inst *inst,
                               const struct message *message);
int memory_scratch(struct thread *thread, const struct inst *inst, const struct message *message,
                   struct surface *surface);
bool memory_registers_fit(const struct inst *inst);

#endif
