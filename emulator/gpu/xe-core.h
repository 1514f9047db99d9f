/* An Xe-core: vector engines with their thread slots, the load/store unit, the barrier gateway and
 * the resident work-groups. */
#ifndef VESIM_XE_CORE_H
#define VESIM_XE_CORE_H

#include "gpu/calendar.h"
#include "gpu/remembered.h"
#include "gpu/run-queue.h"
#include "gpu/thread-slot.h"
#include "isa/message/access.h"
#include "timing/cache.h"
#include "timing/counters.h"
#include "timing/cycles.h"
#include "timing/load-store.h"
#include "timing/transfer-queue.h"
#include "vesim/vesim.h"

#define XE_CORE_MAX_VES    CALENDAR_ENTRIES
#define VE_MAX_THREADS     16
#define XE_CORE_MAX_GROUPS 128

/* Ids that are kept: of so many threads, three dimensions of words for up to 32 lanes. */
enum { LOCAL_IDS_THREADS = 64, LOCAL_IDS_BYTES = 3 * MAX_LANES * 2 };

/* A vector engine: in-order threads share its pipes, each of which takes one instruction a
 * cycle. */
struct ve {
    struct thread_slot *slots[VE_MAX_THREADS]; /* threads_per_ve of them; NULL if free */
    /* For each slot, close together for ve_choose() and ve_run(): its thread's `earliest`
     * (UINT64_MAX if it cannot issue), the next instruction, its port, and what that needs of
     * others (enum issue_needs). */
    uint64_t slot_time[VE_MAX_THREADS];
    const struct issue *slot_issue[VE_MAX_THREADS];
    uint32_t slot_port[VE_MAX_THREADS];
    uint32_t slot_needs[VE_MAX_THREADS];
    uint32_t runnable;              /* a bit for each slot whose thread is not parked */
    uint32_t waiting;               /* those at a barrier */
    uint64_t port_free[PIPE_COUNT]; /* cycle from which a port accepts the next instruction, or
                                       the next message can be sent; PIPE_NONE: always 0 */
    uint32_t last_slot;             /* issued last; among equals it goes on, then those behind, */
    uint32_t turn_mask;             /* if this is all ones; if it is 0, the lowest does */
    uint64_t next_time;             /* cycle at which `next_slot` can issue; UINT64_MAX: none can */
    uint32_t next_slot;
    uint64_t accounted_until; /* cycles before this are accounted for; see stall-accounting.h */
};

/* A work-group sent by the dispatcher, to start no earlier than `time`. */
struct group_start {
    uint32_t id[3];
    uint64_t time;
};

/* Shared local memory that no work-group has. */
struct spare_memory {
    uint8_t *memory; /* NULL: none */
    uint32_t bytes;
};

struct xe_core {
    const struct vesim_device *device;
    uint32_t number;
    struct ve ves[XE_CORE_MAX_VES];
    struct calendar events;            /* vector engines by the time of their next issue */
    struct thread_slot **pool;         /* storage for slots, created on first use */
    uint8_t resident[XE_CORE_MAX_VES]; /* threads of each vector engine; UINT8_MAX: there is none */
    uint64_t groups_used[XE_CORE_MAX_GROUPS / 64]; /* a bit for each of */
    struct group groups[XE_CORE_MAX_GROUPS];
    struct spare_memory spare;                     /* of the work-group that ended last */
    struct group_start starts[XE_CORE_MAX_GROUPS]; /* pending starts, a ring */
    uint32_t start_first, start_count;
    struct group *finished[XE_CORE_MAX_GROUPS]; /* their last thread has ended in this epoch */
    uint32_t finished_count;
    uint64_t slots;            /* threads of the walk that it takes */
    uint32_t alive;            /* threads that have not ended */
    struct run_queue runnable; /* without the clock */
    struct {
        uint32_t groups, threads, barriers;
        uint64_t slm_bytes;
    } taken; /* as far as the dispatcher knows */
    struct load_store load_store;
    struct transfer_queue transfers;
    bool carried_out;     /* queued transfers have been executed in global order */
    size_t next_transfer; /* position of arbiter.c */
    struct cache instructions;
    struct remembered remembered; /* timing of its vector engines */
    unsigned line_shift;          /* log2 of the line size */
    struct message_access access; /* of the message being executed */
    uint64_t lines_held;          /* cycle up to which a full bank of the L3 holds its lines */
    uint64_t gateway_free;        /* cycle from which the gateway accepts the next message */
    uint64_t dispatch_free;       /* cycle from which the next thread can start */
    uint64_t executed;            /* instructions in this epoch */
    int status;                   /* 0 or -errno, for this epoch; details of a fault: */
    uint64_t fault_time;
    struct vesim_fault fault;
    bool counting; /* instructions and cycles; the load/store unit has its own */
    struct counters counters;
    uint64_t first_start, last_end; /* of the walk's threads here; only updated when counting */
    /* Work-item ids, the same in each work-group of the walk, of its first threads. */
    uint32_t local_ids_known;
    uint8_t local_ids[LOCAL_IDS_THREADS][LOCAL_IDS_BYTES];
};

/* `core` is all zeros, as it is too large to be cleared here as well. Returns 0 or -ENOMEM. */
int xe_core_init(struct xe_core *core, const struct vesim_device *device, uint32_t number);
void xe_core_release(struct xe_core *core);

/* To be called before the first work-group of a walk. */
void xe_core_begin_walk(struct xe_core *core, const struct walker *walker);

/* Whether a work-group of the walk fits next to the resident ones. */
bool xe_core_has_room(const struct xe_core *core, const struct walker *walker);

/* Takes its shared local memory from a work-group that has ended. */
void xe_core_spare_memory(struct xe_core *core, struct group *group);

/* What the threads of a walk share. */
struct walk_threads {
    const struct walker *walker;
    const struct address_space *space;
    const struct program *program;
    bool untimed;           /* no vector engine has to know which thread goes next */
    struct written written; /* registers of a thread that may differ from zero when it ends */
};

/* Removes a thread that has ended from its work-group's list. */
void group_remove(struct group *group, const struct thread_slot *slot);

/* The next of the work-groups that the dispatcher is to send. */
static inline struct group_start *xe_core_add_start(struct xe_core *core)
{
    return &core->starts[(core->start_first + core->start_count++) % XE_CORE_MAX_GROUPS];
}

/* Makes the first work-group resident that the dispatcher has sent, and starts its threads, no
 * earlier than the dispatcher says. There has to be one. 0 or -errno. */
int xe_core_start_group(struct xe_core *core, const struct walk_threads *walk,
                        struct group **started);

/* Takes over the results of outstanding requests that have been served: see timing/mshr.h and
 * timing/transfer-queue.h. */
void xe_core_settle(struct xe_core *core);

/* Runs its threads up to cycle `until`, or until `budget` instructions have been executed. Requests
 * to the L3 are left in its miss registers; bytes move to and from global memory at once, or later
 * with `defers`. */
void xe_core_run(struct xe_core *core, const struct walk_threads *walk, uint64_t until,
                 uint64_t budget, bool defers);

/* Whether it has anything to do. */
bool xe_core_is_active(const struct xe_core *core);

/* Drops every thread and work-group, whatever their state. */
void xe_core_clear(struct xe_core *core);

/* Computes when the thread's own dependencies allow its next instruction to issue. To be called
 * when it starts, has issued or has been released from a barrier. */
void ve_slot_ready(struct xe_core *core, struct thread_slot *slot);

/* Parks the thread: it cannot issue until ve_slot_ready(). */
void ve_park(struct ve *ve, const struct thread_slot *slot);

/* Recomputes which thread of a vector engine can issue next, and when. */
void ve_choose(struct ve *ve);

/* A thread, and when it can issue; UINT64_MAX: none can. No other can before `others`, whatever
 * this one does: ports only get busier. */
struct choice {
    uint64_t time;
    uint32_t slot;
    uint64_t others; /* 0: not known */
};

static inline uint64_t issue_time(const struct ve *ve, uint32_t slot)
{
    return later(ve->slot_time[slot], ve->port_free[ve->slot_port[slot]]);
}

/* The thread goes on with the instruction that has this record, no earlier than at `earliest`. */
static inline void set_next(struct ve *ve, struct thread_slot *slot, const struct issue *issue,
                            uint64_t earliest)
{
    uint32_t number = slot->number;

    slot->earliest = earliest;
    ve->slot_time[number] = earliest;
    ve->slot_issue[number] = issue;
    ve->slot_port[number] = issue->port;
    ve->slot_needs[number] = issue->needs;
}

/* Executes the thread's next `count` instructions ahead of their issue, which are plain and wait
 * for nothing that is not known to have come. Returns whether they are executed; if not, one of
 * them has failed, and will again once it issues. */
bool thread_slot_execute(struct thread_slot *slot, uint32_t count);

/* What an issued instruction caused. */
struct ve_event {
    uint32_t released;      /* a bit for each vector engine with threads that left a barrier */
    struct group *finished; /* a work-group whose last thread has ended */
};

/* Issues and executes instructions while no other vector engine, the first of which is due at
 * `others`, can come first: up to cycle `until`, or until `budget` instructions have been executed
 * in this epoch. Adds to `event`, and stops once it has. Returns 0, or -errno with the fault
 * set. */
int ve_run(struct xe_core *core, struct ve *ve, uint64_t others, uint64_t until, uint64_t budget,
           struct ve_event *event);

/* Completes a message sent at `now` for its thread, vector engine and Xe-core. Returns 0, or -1
 * with the fault set. */
int ve_retire_send(struct xe_core *core, struct ve *ve, struct thread_slot *slot,
                   const struct inst *inst, uint64_t now, struct ve_event *event);

/* The thread sent its last message at `now`: frees its slot. */
void ve_end_thread(struct xe_core *core, struct ve *ve, struct thread_slot *slot, uint64_t now,
                   struct ve_event *event);

/* Writes a thread's registers, which are zero, as the dispatcher initializes them. Returns 0, or -1
 * with the fault set. */
int payload_load(struct thread *thread, const struct group *group,
                 const struct vesim_device *device);

/* Adds the registers that it writes in any thread. */
void payload_written(struct written *written, const struct walker *walker,
                     const struct vesim_device *device);

#endif
