/* A walk in progress, inside the GPU: shared by what runs it with the clock and without. */
#ifndef VESIM_WALK_H
#define VESIM_WALK_H

#include "clock/memory.h"
#include "dispatch/gpu.h"
#include "dispatch/schedule.h"
#include "dispatch/xe-core.h"
#include "xe/program.h"

struct gpu {
    const struct device *device;
    struct memory_clock memory;
    struct program_cache *programs;
    struct xe_core *cores;
    uint32_t core_count;
    struct schedule schedule; /* an entry for each vector engine of each Xe-core */
    uint64_t instruction_limit;
    bool functional; /* no clock: see functional.c */
    bool counting;
    char *counters_path;       /* NULL: to no file */
    struct walk_record record; /* of the last walk, when counting */
};

/* A walk in progress. */
struct walk {
    struct gpu *gpu;
    const struct walker *walker;
    const struct address_space *space;
    const struct program *program;
    struct gpu_fault *fault;
    uint32_t next_id[3]; /* work-group that starts next */
    bool all_started;
    uint64_t running;         /* work-groups */
    uint64_t dispatcher_free; /* cycle from which it may start another work-group */
    uint64_t executed;
    uint64_t end;
};

/* Starts work-groups, not before `now`, while there are some and room for them. 0 or -errno. */
int walk_start_groups(struct walk *walk, uint64_t now);

/* A work-group's last thread has ended: frees its resources, and starts others. 0 or -errno. */
int walk_finish_group(struct walk *walk, struct xe_core *core, struct group *group, uint64_t time);

/* The instruction limit is passed; `thread` is one that still runs, or NULL. Returns -EFAULT. */
int walk_stop_endless(struct walk *walk, struct thread *thread);

/* Nothing can run any more. Returns -EFAULT. */
int walk_stop_deadlock(struct walk *walk);

/* Each runs the walk, whose first work-groups have been started, to its end. 0 or -errno. */
int walk_run_timed(struct walk *walk);
int walk_run_functional(struct walk *walk);

#endif
