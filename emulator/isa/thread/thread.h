/* A hardware thread as programs see it: its registers, its active lanes, and what it can access.
 * Its state for timing and dispatch is in gpu/thread-slot.h. */
#ifndef VESIM_THREAD_H
#define VESIM_THREAD_H

#include <stdalign.h>
#include <string.h>

#include "isa/decode/inst.h"
#include "isa/decode/loops.h"
#include "isa/decode/program.h"
#include "isa/thread/walker.h"
#include "memory/address-space.h"
#include "vesim/vesim.h"

struct message_access;

/* Lanes that wait at an instruction. */
struct waiting {
    int32_t index; /* of the instruction in the program */
    uint32_t lanes;
};

struct thread {
    /* Used by every instruction, so kept close together. */
    const struct program *program;
    uint32_t index;  /* of the next instruction in the program */
    uint32_t active; /* lanes that execute */

    /* Used by every message. */
    const struct message *message; /* last one sent: the instruction's, or dynamic_message */
    struct message_access *access; /* filled by each message; borrowed */
    const struct walker *walker;
    const struct address_space *space;
    uint8_t *slm; /* of its work-group */
    uint32_t slm_bytes;

    uint32_t waiting_count;
    uint32_t dispatched;  /* lanes that the thread started with */
    uint32_t number;      /* within its work-group */
    uint32_t hardware_id; /* identifies the thread slot in the device */
    struct vesim_fault *fault;
    uint32_t rounds[LOOPS_MAX]; /* iterations since loop entry, for loops with forced trips */

    /* From here on a thread may begin with what the last one in its slot has left. */
    struct waiting waiting[MAX_LANES]; /* every inactive lane is in one of these */
    struct message dynamic_message;    /* decoded when sent, for descriptors in registers */

    /* The integer accumulator at full width, one element for each dword of acc0 to acc7. */
    int64_t accumulator[8 * GRF_BYTES_MAX / 4];
    /* Exponents beyond those of the lanes that mme0 to mme7 belong to: isa/execute/macro.c. */
    int8_t macro_exponents[8][MAX_LANES];
    alignas(64) uint8_t registers[REGISTER_FILE_BYTES];
};

/* Sets registers to zero. */
void thread_clear(struct thread *thread, const struct written *written);

/* Stops the thread with a VESIM_FAULT_INSTRUCTION that says what is wrong, where, and names the
 * disassembled instruction. Returns -1 for the caller to return. */
int thread_fault(struct thread *thread, const struct inst *inst, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for an access to `address`, where nothing is mapped: "`what` unmapped address 0x…". */
int thread_page_fault(struct thread *thread, const struct inst *inst, uint64_t address,
                      const char *what);

static inline uint32_t thread_read32(const struct thread *thread, uint32_t offset)
{
    uint32_t value;

    memcpy(&value, thread->registers + offset, sizeof(value));
    return value;
}

static inline void thread_write32(struct thread *thread, uint32_t offset, uint32_t value)
{
    memcpy(thread->registers + offset, &value, sizeof(value));
}

/* Sets the value of the timestamp register. */
static inline void thread_write_clock(struct thread *thread, uint64_t cycle)
{
    memcpy(thread->registers + ARF_TM, &cycle, sizeof(cycle));
}

/* The flag bits starting at sub-register `flag`: the 16 bits each of f0.0, f0.1, f1.0 and so on are
 * contiguous. */
static inline uint64_t thread_flags(const struct thread *thread, unsigned flag)
{
    uint64_t value;

    memcpy(&value, thread->registers + ARF_FLAG + flag * 2, sizeof(value));
    return value;
}

/* The end of the general registers. */
static inline uint32_t thread_grf_end(const struct thread *thread)
{
    return GRF_COUNT * (uint32_t)thread->program->device->grf_bytes;
}

/* The predicate of an instruction that combines the bits of several lanes or flags. */
uint32_t thread_joined_predicate(const struct thread *thread, const struct inst *inst);

/* The instruction's predicate for each of its lanes, all ones when it has none. */
static inline uint32_t thread_predicate(const struct thread *thread, const struct inst *inst)
{
    if (inst->predicate == PREDICATE_NONE)
        return UINT32_MAX;
    if (inst->predicate != PREDICATE_LANE)
        return thread_joined_predicate(thread, inst);
    uint32_t bits = (uint32_t)(thread_flags(thread, inst->flag) >> inst->first_lane);
    return inst->predicate_inverse ? ~bits : bits;
}

/* The lanes of the instruction (bit 0 is its first) that execute, whatever its predicate says:
 * active or (W). */
static inline uint32_t thread_active_lanes(const struct thread *thread, const struct inst *inst)
{
    uint32_t all = UINT32_MAX >> (32 - inst->lanes);

    return inst->no_mask ? all : thread->active >> inst->first_lane & all;
}

/* The active lanes that write: those that pass the predicate. */
static inline uint32_t thread_write_mask(const struct thread *thread, const struct inst *inst)
{
    return thread_active_lanes(thread, inst) & thread_predicate(thread, inst);
}

/* Sets the flag bits of the lanes in `mask` to the values in `bits`. */
static inline void thread_set_flags(struct thread *thread, const struct inst *inst, uint32_t mask,
                                    uint32_t bits)
{
    uint64_t flags = thread_flags(thread, inst->flag);
    uint64_t wide_mask = (uint64_t)mask << inst->first_lane;

    flags = (flags & ~wide_mask) | ((uint64_t)bits << inst->first_lane & wide_mask);
    memcpy(thread->registers + ARF_FLAG + inst->flag * 2, &flags, sizeof(flags));
}

#endif
