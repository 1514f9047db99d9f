/* A thread slot of a vector engine: the thread in it, and its state for timing and dispatch. Also
 * the work-groups that threads belong to. */
#ifndef VESIM_THREAD_SLOT_H
#define VESIM_THREAD_SLOT_H

#include "isa/thread/thread.h"
#include "timing/scoreboard.h"

struct xe_core;

enum slot_state {
    SLOT_READY,
    SLOT_AT_BARRIER, /* in sync.bar, while threads of its work-group have yet to arrive */
    SLOT_ENDED,
};

struct thread_slot {
    struct scoreboard scoreboard;
    struct written written; /* registers that may differ from zero */

    /* From here to the thread's `waiting`, all is zero when a thread begins. */
    struct thread_slot *previous_of_group;
    uint64_t started;                     /* cycle at which the thread was dispatched */
    uint64_t slm_visible, global_visible; /* cycles at which all its accesses are visible, */
    uint32_t unseen;                      /* except for this many, whose time is not known yet */

    /* Used by every instruction or by every barrier, so kept in few lines of the host's caches,
     * before the thread. */
    uint32_t fetched; /* instruction line that it has, as in struct issue; UINT32_MAX: none */
    alignas(64) struct group *group;
    struct thread_slot *next_of_group; /* links threads that have not ended */
    struct thread_slot *next_runnable; /* see gpu/run-queue.h */
    uint32_t signalled, released;      /* barriers that it may wait at, by number: still to be
                                          completed, and completed */
    uint64_t ready;                    /* first cycle at which the thread may issue again */
    uint64_t earliest;    /* the same, including the dependencies of its next instruction */
    uint32_t ahead;       /* instructions before this one have been executed */
    uint32_t ve;          /* vector engine within the Xe-core */
    uint32_t number;      /* of the slot in its vector engine */
    uint8_t state;        /* enum slot_state */
    uint8_t ready_reason; /* enum counter: why it could not issue before `ready` */
    uint8_t barrier;      /* where it is, in state SLOT_AT_BARRIER */
    struct thread thread;
};

/* A barrier of a work-group. Threads arrive as producers, as consumers, which wait for both, or as
 * both. */
struct group_barrier {
    uint32_t producers, consumers;                 /* that have arrived in this round, */
    uint32_t awaited_producers, awaited_consumers; /* and that it takes */
    uint64_t release; /* cycle at which the last round, once complete, released its threads */
};

/* A work-group in flight. */
struct group {
    uint32_t id[3];
    uint32_t threads;      /* in the group */
    uint32_t threads_left; /* that have not ended */
    struct thread_slot *threads_first;
    bool turns; /* without the clock: those released last go on in the order of this list, or the
                   other one */
    uint32_t begun;  /* barriers at which a thread has arrived that is not released, by number */
    uint64_t end;    /* cycle at which the last of its ended threads completes, */
    uint32_t unseen; /* except for this many stores and atomics, whose time is not known yet */
    uint8_t *slm;
    uint32_t slm_bytes;
    struct xe_core *core;
    uint32_t number; /* in the Xe-core's group table */
    struct group_barrier
        barriers[WALKER_BARRIERS]; /* as many as the walker says, but at least one */
};

#endif
