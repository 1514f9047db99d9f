/* A walk in progress, inside the GPU: shared by the timed and the functional way to run it. */
#ifndef VESIM_WALK_H
#define VESIM_WALK_H

#include "gpu/event-queue.h"
#include "gpu/gpu.h"
#include "gpu/host-tuner.h"
#include "gpu/pool.h"
#include "gpu/watch.h"
#include "gpu/xe-core.h"
#include "isa/decode/program.h"
#include "isa/select/select.h"
#include "timing/memory.h"

struct gpu {
    const struct vesim_device *device;
    struct memory_clock memory;
    struct inst_binder binder; /* calls bind_inst() */
    struct program_cache *programs;
    struct xe_core *cores;
    uint32_t core_count;
    struct event_queue arrivals;    /* Xe-cores by the time of their next arrival at the L3 */
    struct event_queue transfers;   /* Xe-cores by their next queued transfer: see arbiter.c */
    struct retirement *retirements; /* room for all those of a walk: see dispatcher.c */
    unsigned threads;               /* host threads that run a walk */
    struct pool *pool;              /* created on first use */
    struct host_tuner tuner;        /* decides whether to use the pool */
    struct watch watch;             /* of the walk in progress */
    struct vesim_settings settings;
    struct vesim_walk record; /* the last walk, if counting */
};

/* A work-group that has ended: the dispatcher learns of it at `time`. */
struct retirement {
    uint64_t time;
    struct xe_core *core;
    struct group *group;
};

/* A walk in progress. */
struct walk {
    struct gpu *gpu;
    const struct walker *walker;
    const struct address_space *space;
    const struct program *program;
    struct vesim_fault *fault;
    uint32_t next_id[3]; /* of the next work-group to start */
    bool all_started;
    uint64_t started, running;  /* work-groups: all so far, and those that have not ended */
    uint64_t dispatcher_free;   /* cycle from which it can start another work-group */
    struct xe_core *batch_core; /* gets so many more work-groups before another does, if it has
                                   room; not NULL while batch_left is not 0 */
    uint32_t batch_left;
    uint32_t first_retirement, retirement_count; /* in gpu->retirements, sorted by time */
    uint64_t executed;
    uint64_t end;
};

/* The helper threads beside the caller's; NULL if there are none. */
struct pool *gpu_pool(struct gpu *gpu);

struct walk_threads walk_threads_of(const struct walk *walk, bool untimed);

/* An access to `address` has trapped: see memory/guard.h. Returns -EFAULT. */
int walk_trap(struct vesim_fault *fault, const struct walk *walk, uint64_t address);

/* No thread can run any more. Returns -EFAULT. */
int walk_stop_deadlock(struct walk *walk);

/* Both run the walk, whose first work-groups have been started, to its end. 0 or -errno. */
int walk_run_timed(struct walk *walk);
int walk_run_functional(struct walk *walk);

#endif
