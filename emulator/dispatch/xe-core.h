/* An Xe-core: vector engines with their thread slots, the load/store unit, the barrier gateway and
 * the work-groups that are resident. */
#ifndef VESIM_XE_CORE_H
#define VESIM_XE_CORE_H

#include "clock/cache.h"
#include "clock/counters.h"
#include "clock/load-store.h"
#include "device/device.h"
#include "xe/thread.h"

#define XE_CORE_MAX_VES    32
#define VE_MAX_THREADS     16
#define XE_CORE_MAX_GROUPS 64

/* A vector engine: in-order threads share its pipes, one instruction a cycle to each pipe. */
struct ve {
    struct thread **threads; /* threads_per_ve slots; NULL where free */
    /* For each slot, close together for ve_choose(): its thread's `earliest`, UINT64_MAX where
     * nobody can issue, its next_pipe, and whether what it issues acts on more than this engine. */
    uint64_t slot_time[VE_MAX_THREADS];
    uint8_t slot_pipe[VE_MAX_THREADS];
    bool slot_shared[VE_MAX_THREADS];
    uint32_t resident;              /* threads in slots */
    uint32_t waiting;               /* of them, at a barrier */
    uint64_t pipe_free[PIPE_COUNT]; /* cycle from which a pipe takes the next instruction, and the
                                       next message may be sent; PIPE_NONE: always 0 */
    uint32_t last_slot; /* the thread that issued last: among equals, the next one goes first */
    uint64_t next_time; /* cycle at which `next_slot` can issue; UINT64_MAX: none can */
    uint32_t next_slot;
    uint64_t accounted; /* up to here its cycles have gone to the counters; see account.h */
};

struct xe_core {
    const struct device *device;
    uint32_t number;
    struct ve ves[XE_CORE_MAX_VES];
    struct thread **pool; /* thread storage, one for each slot, made when first needed */
    struct group groups[XE_CORE_MAX_GROUPS];
    uint32_t resident_groups;
    uint32_t resident_threads;
    uint64_t slm_bytes_used;
    uint32_t barriers_used;
    struct load_store load_store;
    struct cache instructions;
    struct access access;   /* of the message in execution */
    uint64_t gateway_free;  /* cycle from which the gateway takes the next message */
    uint64_t dispatch_free; /* cycle from which the next thread may start */
    bool counting;          /* counts instructions and cycles; the load/store unit always counts */
    struct counters counters;
    uint64_t first_start, last_end; /* of the walk's threads here; kept up when counting */
};

int xe_core_init(struct xe_core *core, const struct device *device, uint32_t number,
                 struct memory_clock *memory);
void xe_core_release(struct xe_core *core);

/* Whether a work-group of the walk fits beside those that are resident. */
bool xe_core_has_room(const struct xe_core *core, const struct walker *walker);

/* Makes a work-group resident: takes its resources and starts its threads, the first not before
 * `start`. Bit n of `touched` is set for each vector engine n that gets a thread. Returns 0, or
 * -ENOMEM. */
int xe_core_start_group(struct xe_core *core, const struct walker *walker,
                        const struct address_space *space, const struct program *program,
                        const uint32_t id[3], uint64_t start, struct gpu_fault *fault,
                        uint32_t *touched);

/* Drops every thread and work-group, whatever they do. */
void xe_core_clear(struct xe_core *core);

/* Works out when the thread's own dependencies let its next instruction issue. To be called when it
 * starts, has issued or has been released from a barrier. */
void ve_thread_ready(struct xe_core *core, struct thread *thread);

/* The thread cannot issue until ve_thread_ready() says that it can. */
void ve_park(struct ve *ve, const struct thread *thread);

/* Recomputes which thread of a vector engine can issue next, and when. */
void ve_choose(struct xe_core *core, struct ve *ve);

/* Whether the instruction that goes next acts on more than its own vector engine. */
bool ve_next_is_shared(const struct ve *ve);

/* What an issued instruction led to. */
struct ve_event {
    struct group *released; /* a work-group whose barrier is complete: its threads may go on */
    struct group *finished; /* a work-group whose last thread has ended */
    uint64_t time;          /* cycle of the event */
};

/* Issues and executes the next instruction. 0, or -1 with the fault set. */
int ve_issue(struct xe_core *core, struct ve *ve, struct ve_event *event);

/* The thread has sent its last message at `now`: frees its slot. */
void ve_end_thread(struct xe_core *core, struct ve *ve, struct thread *thread, uint64_t now,
                   struct ve_event *event);

/* Writes a thread's registers as the dispatcher hands them over. 0, or -1 with the fault set. */
int payload_load(struct thread *thread, const struct device *device);

#endif
