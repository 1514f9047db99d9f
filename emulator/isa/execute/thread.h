/* A hardware thread: its registers, which of its lanes run, and where it stands. What the clock
 * keeps about it is in timing/scoreboard.h. */
#ifndef VESIM_THREAD_H
#define VESIM_THREAD_H

#include <stdalign.h>
#include <string.h>

#include "gpu/gpu.h"
#include "isa/decode/inst.h"
#include "isa/decode/loops.h"
#include "isa/decode/program.h"
#include "isa/message/transfer.h"
#include "timing/scoreboard.h"

struct group;

enum thread_state {
    THREAD_READY,
    THREAD_AT_BARRIER, /* in sync.bar, not all of its work-group have arrived */
    THREAD_ENDED,
};

/* Lines that a message touches at the most: lanes times components, each across a line's end. */
#define ACCESS_MAX_LINES 1024

/* Mappings that an Xe-core remembers, and entries of the binding table. */
#define ACCESS_MAPPINGS 64
#define ACCESS_SURFACES 16

/* Where the memory of a binding table entry or bindless surface lies; see isa/message/surface.h. */
struct surface {
    uint64_t address;  /* GPU virtual address of the first byte */
    uint64_t bytes;    /* accesses beyond read 0 and write nothing; UINT64_MAX: unlimited */
    uint8_t *host;     /* the first byte for the host, and for the caches, */
    uint64_t physical; /* from where on this many of its bytes lie side by side: */
    uint64_t reach;    /* 0 if the first is not mapped */
    bool known;        /* of a binding table entry: has been read in this walk */
};

/* What a surface state says; see isa/message/surface.h. */
struct surface_state {
    uint64_t at; /* GPU virtual address of the state */
    uint64_t address, bytes;
    bool is_scratch; /* `bytes` from `address` on for each thread of the device */
    bool known;
};

/* What the last message did, in the terms that the clock charges for, and what it moves. */
struct access {
    uint32_t line_count;
    uint64_t highest_line;            /* if there is one */
    uint64_t lines[ACCESS_MAX_LINES]; /* physical address / line size, in the order touched */
    uint8_t passes[ACCESS_MAX_LINES]; /* of global atomics, for each line: the most lanes that work
                                         on one element of it */
    uint32_t slm_cycles; /* shared local memory: cycles that the fullest bank is busy */
    uint32_t bytes;      /* moved to or from registers */
    struct transfer transfer;
    uint8_t *places[TRANSFER_MAX_PLACES];
    /* Set by the dispatcher. */
    bool later;    /* what is moved from and to global memory is moved by whoever reads this */
    bool shared;   /* others work on global memory at the same time */
    bool timeless; /* nobody wants to know what it takes: lines, passes, banks and bytes are left
                      out */
    const struct mapping *mappings[ACCESS_MAPPINGS]; /* the last one that an instruction used, by
                                                        the low bits of its place; NULL: none */
    struct surface surfaces[ACCESS_SURFACES];        /* the first of the binding table */
    struct surface_state last_state;                 /* that has been read in this walk */
};

/* Lanes that wait at an instruction. */
struct waiting {
    int32_t index; /* in the program */
    uint32_t lanes;
};

struct thread {
    /* What every instruction touches, close together. */
    const struct program *program;
    uint32_t index;  /* of the next instruction in the program */
    uint32_t active; /* lanes that execute */
    enum thread_state state;
    uint64_t ready;       /* first cycle at which it may issue again */
    uint64_t earliest;    /* the same with what its next instruction has to wait for */
    uint64_t fetched;     /* line that it takes instructions from: address / line size */
    uint32_t ve;          /* vector engine of the Xe-core */
    uint32_t slot;        /* within the vector engine */
    uint8_t ready_reason; /* enum counter: why not before `ready`, where it had to wait for that */
    bool arrived;         /* has signalled the barrier since its last sync.bar */
    struct scoreboard scoreboard;

    /* What every message touches. */
    struct group *group;
    const struct walker *walker;
    const struct address_space *space;
    const struct message *message; /* the last one sent: of the instruction, or dynamic */
    struct access *access;         /* filled by the message that executes; owned by the Xe-core */
    uint64_t slm_visible, global_visible; /* cycles at which all its accesses have been seen, */
    uint32_t unseen;                      /* but for this many of which that is not known yet */

    uint32_t dispatched; /* lanes that the thread started with */
    uint32_t waiting_count;
    struct waiting waiting[MAX_LANES]; /* each lane that does not execute is in one of these */
    struct thread *next_of_group, *previous_of_group; /* that have not ended */
    bool queued;                                      /* waits for its turn: see gpu/functional.c */
    uint32_t number;                                  /* within its work-group */
    uint32_t hardware_id;                             /* of the thread slot in the device */
    struct message dynamic_message; /* decoded when it was sent, from descriptors in registers */
    struct gpu_fault *fault;
    uint64_t started;            /* cycle at which it was dispatched */
    uint64_t barrier_generation; /* the group's, when it signalled */
    uint32_t rounds[LOOPS_MAX];  /* of loops whose trips are given, in this entry */

    int64_t accumulator[64]; /* integer accumulator at full width, one for each dword of acc0-7 */
    alignas(64) uint8_t registers[REGISTER_FILE_BYTES];
};

/* A work-group in flight. */
struct group {
    uint32_t id[3];
    uint32_t threads;      /* of the group */
    uint32_t threads_left; /* not ended: */
    struct thread *threads_first;
    uint32_t arrived;    /* at the barrier, this time round */
    uint64_t release;    /* cycle at which the last complete barrier lets the threads go */
    uint64_t generation; /* barriers completed */
    uint64_t end;        /* cycle at which the last of its ended threads is done */
    uint8_t *slm;
    uint32_t slm_bytes;
    uint32_t xe_core;
    uint32_t slot; /* of the Xe-core's group table */
    bool used;
};

/* Stops the thread: writes what is wrong, where and the disassembled instruction to its fault.
 * Returns -1, for the caller to return. */
int thread_fault(struct thread *thread, const struct inst *inst, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

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

/* Sets what the timestamp register reads. */
static inline void thread_write_clock(struct thread *thread, uint64_t cycle)
{
    memcpy(thread->registers + ARF_TM, &cycle, sizeof(cycle));
}

static inline uint64_t thread_flags(const struct thread *thread)
{
    uint64_t value;
    memcpy(&value, thread->registers + ARF_FLAG, sizeof(value));
    return value;
}

/* The predicate of an instruction that joins bits of several lanes or flags. */
uint32_t thread_joined_predicate(const struct thread *thread, const struct inst *inst);

/* The instruction's predicate for each of its lanes, all ones when it has none. */
static inline uint32_t thread_predicate(const struct thread *thread, const struct inst *inst)
{
    if (inst->predicate == PREDICATE_NONE)
        return UINT32_MAX;
    if (inst->predicate != PREDICATE_LANE)
        return thread_joined_predicate(thread, inst);
    uint32_t bits = (uint32_t)(thread_flags(thread) >> (inst->flag * 16 + inst->first_lane));
    return inst->predicate_inverse ? ~bits : bits;
}

/* The lanes of the instruction (bit 0 is its first) that execute, whatever its predicate says:
 * active or (W). */
static inline uint32_t thread_active_lanes(const struct thread *thread, const struct inst *inst)
{
    uint32_t all = UINT32_MAX >> (32 - inst->lanes);
    return inst->no_mask ? all : thread->active >> inst->first_lane & all;
}

/* Those of them that write: passed by the predicate. */
static inline uint32_t thread_write_mask(const struct thread *thread, const struct inst *inst)
{
    return thread_active_lanes(thread, inst) & thread_predicate(thread, inst);
}

/* Sets the flag bits of the lanes in `mask` to those of `bits`. */
static inline void thread_set_flags(struct thread *thread, const struct inst *inst, uint32_t mask,
                                    uint32_t bits)
{
    uint64_t flags = thread_flags(thread);
    unsigned shift = inst->flag * 16u + inst->first_lane;
    uint64_t wide_mask = (uint64_t)mask << shift;
    flags = (flags & ~wide_mask) | ((uint64_t)bits << shift & wide_mask);
    memcpy(thread->registers + ARF_FLAG, &flags, sizeof(flags));
}

#endif
