/* Loads, stores and atomics of one message: finds the memory behind its addresses, and records what
 * it touches. */
#ifndef VESIM_MEMORY_ACCESS_H
#define VESIM_MEMORY_ACCESS_H

#include "isa/message/access.h"
#include "isa/message/surface.h"
#include "isa/thread/thread.h"

/* Shared local memory ignores the topmost address bits. The compiler relies on it: it sets bit 28
 * so that no pointer to local memory is null. */
#define SLM_ADDRESS_MASK UINT32_C(0x0fffffff)

/* Finds what a load, store or atomic moves for the lanes in `mask` (bits by lane of the message),
 * fills thread->access, and moves it, unless it is in global memory and access->later defers it.
 * `extended_descriptor` names the surface of a bindless message. Returns 0, or -1 with the thread's
 * fault set. */
int memory_access(struct thread *thread, const struct inst *inst, const struct message *message,
                  uint32_t extended_descriptor, uint32_t mask);

/* The qword of s0 from a byte on. */
static inline uint64_t scalar_qword(const struct thread *thread, uint8_t byte)
{
    uint64_t value;

    memcpy(&value, thread->registers + ARF_SCALAR + byte, sizeof(value));
    return value;
}

/* The one that the message names; 0 if it names none. */
static inline uint64_t memory_scalar(const struct thread *thread, const struct message *message)
{
    return message->has_scalar ? scalar_qword(thread, message->scalar_byte) : 0;
}

/* Shared with the fast paths: the offset of a block message, the base address of a message without
 * a surface, the scratch space of a message that addresses it, and whether a message with an
 * immediate descriptor stays within the register file. */
uint64_t memory_block_offset(const struct thread *thread, const struct inst *inst,
                             const struct message *message);
uint64_t memory_stateless_base(const struct thread *thread, const struct inst *inst,
                               const struct message *message);
int memory_scratch(struct thread *thread, const struct inst *inst, const struct message *message,
                   struct surface *surface);
bool memory_registers_fit(const struct inst *inst);

/* Whether a block write leaves out dwords, because not all of the instruction's channels execute.
 */
static inline bool memory_is_partial(const struct inst *inst, const struct message *message,
                                     uint32_t channels)
{
    return message->by_dword && channels != access_all_lanes(inst->lanes);
}

#endif
