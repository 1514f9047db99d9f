/* A thread slot of a vector engine: the thread in it, and what the clock and the dispatcher keep
 * about it. And the work-groups that threads belong to. */
#ifndef VESIM_THREAD_SLOT_H
#define VESIM_THREAD_SLOT_H

#include "isa/thread/thread.h"
#include "timing/scoreboard.h"

enum slot_state {
    SLOT_READY,
    SLOT_AT_BARRIER, /* in sync.bar, with threads of its work-group still to arrive */
    SLOT_ENDED,
};

struct thread_slot {
    struct group *group;
    struct thread_slot *next_of_group, *previous_of_group; /* that have not ended */
    uint64_t started;                     /* cycle at which the thread was dispatched */
    uint64_t barrier_generation;          /* the group's, when it signalled */
    uint64_t slm_visible, global_visible; /* cycles at which all its accesses are visible, */
    uint32_t unseen;                      /* except this many, for which that is not known yet */
    bool queued;                          /* waits for its turn (gpu/functional.c) */
    struct scoreboard scoreboard;

    /* Touched by every instruction, so kept close to the beginning of the thread. */
    uint64_t ready;    /* first cycle at which the thread may issue again */
    uint64_t earliest; /* the same, including what its next instruction waits for */
    uint64_t fetched;  /* line that it fetches instructions from: address / line size */
    uint32_t ve;       /* vector engine of the Xe-core */
    uint32_t number;   /* of the slot within the vector engine */
    enum slot_state state;
    uint8_t ready_reason; /* enum counter: why it could not issue before `ready` */
    bool arrived;         /* has signalled since its last sync.bar */
    struct thread thread;
};

/* A work-group in flight. */
struct group {
    uint32_t id[3];
    uint32_t threads;      /* of the group */
    uint32_t threads_left; /* not ended: */
    struct thread_slot *threads_first;
    uint32_t arrived;    /* at the barrier, in this round */
    uint64_t release;    /* cycle at which the last complete barrier releases the threads */
    uint64_t generation; /* barriers completed */
    uint64_t end;        /* cycle at which the last of its ended threads completes, */
    uint32_t unseen;     /* except this many stores and atomics, for which that is not known yet */
    uint8_t *slm;
    uint32_t slm_bytes;
    uint32_t xe_core;
    uint32_t number; /* in the Xe-core's group table */
    bool used;
};

#endif
