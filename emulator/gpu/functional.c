/* Running a walk without timing, only for its results: the same threads, registers, memory and
 * barriers, but each thread runs until it has to wait or its turn is over. Xe-cores run in parallel
 * on host threads, each with as many work-groups as fit. Time is a count of executed instructions,
 * which only keeps timestamps increasing. */
#include <errno.h>
#include <pthread.h>

#include "gpu/dispatcher.h"
#include "gpu/turn.h"
#include "memory/guard.h"

/* Instructions per turn of an Xe-core: see turn.c for a thread's. */
enum { CORE_TURN = 65536 };

struct functional {
    struct walk *walk;
    struct walk_threads threads;
    pthread_mutex_t lock; /* protects the dispatcher */
    uint64_t start;       /* time at which the round starts */
    struct xe_core *active[POOL_MAX_ITEMS];
    uint32_t active_count;
};

static int start_groups(const struct functional *functional, struct xe_core *core)
{
    uint32_t count = core->start_count;
    int status = xe_core_start_groups(core, &functional->threads);

    for (uint32_t i = count; !status && i-- > 0;)
        for (struct thread_slot *slot = core->starts[i].group->threads_first; slot;
             slot = slot->next_of_group)
            run_queue_add_first(&core->runnable, slot);
    return status;
}

/* A work-group has ended: gives its thread slots to the next one at once. */
static int finish_group(struct functional *functional, struct xe_core *core, struct group *group)
{
    struct walk *walk = functional->walk;

    pthread_mutex_lock(&functional->lock);
    walk->running--;
    dispatcher_retire(core, walk->walker, group);
    dispatcher_fill(walk, core, 0);
    pthread_mutex_unlock(&functional->lock);
    return start_groups(functional, core);
}

/* Gives the next thread its turn. */
static int run_next(struct functional *functional, struct xe_core *core)
{
    struct thread_slot *slot = run_queue_take(&core->runnable);
    struct ve_event event = {0};

    if (turn_run(core, slot, functional->start, &event))
        return -EFAULT;
    if (slot->state == SLOT_READY)
        run_queue_add_last(&core->runnable, slot);
    return event.finished ? finish_group(functional, core, event.finished) : 0;
}

/* An Xe-core's part of a round. */
struct core_round {
    struct functional *functional;
    struct xe_core *core;
};

static void run_work_groups_unguarded(void *context)
{
    const struct core_round *part = context;
    struct functional *functional = part->functional;
    const struct walk *walk = functional->walk;
    struct xe_core *core = part->core;
    uint64_t budget = walk->gpu->settings.instruction_limit - walk->executed;
    uint64_t turn = budget < CORE_TURN ? budget : CORE_TURN;

    core->executed = 0;
    core->status = start_groups(functional, core);
    while (!core->status && core->runnable.first && core->executed < turn)
        core->status = run_next(functional, core);
}

static void run_work_groups(void *context, uint32_t item)
{
    struct functional *functional = context;
    struct core_round part = {functional, functional->active[item]};
    uint64_t address;

    if (memory_guard_run(functional->walk->space, run_work_groups_unguarded, &part, &address))
        part.core->status = walk_trap(&part.core->fault, functional->walk, address);
}

static void list_occupied(struct functional *functional)
{
    struct gpu *gpu = functional->walk->gpu;

    functional->active_count = 0;
    for (uint32_t i = 0; i < gpu->core_count; i++)
        if (xe_core_is_active(&gpu->cores[i]))
            functional->active[functional->active_count++] = &gpu->cores[i];
}

static int finish_round(struct functional *functional)
{
    struct walk *walk = functional->walk;
    uint64_t executed = 0;

    for (uint32_t i = 0; i < functional->active_count; i++) {
        struct xe_core *core = functional->active[i];

        executed += core->executed;
        if (core->status) {
            *walk->fault = core->fault;
            return core->status;
        }
    }
    walk->executed += executed;
    if (executed == 0)
        return walk_stop_deadlock(walk);
    if (!walk->running)
        return 0;
    if (walk->executed >= walk->gpu->settings.instruction_limit)
        return watch_stop_at_limit(walk);
    return walk->executed >= walk->gpu->watch.next ? watch_look(walk, walk->executed) : 0;
}

int walk_run_functional(struct walk *walk)
{
    struct functional functional = {
        .walk = walk,
        .threads = walk_threads_of(walk, true),
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    uint64_t start = walk->end;
    int status = 0;

    list_occupied(&functional);
    struct pool *pool = functional.active_count > 1 ? gpu_pool(walk->gpu) : NULL;
    for (uint32_t i = 0; i < walk->gpu->core_count; i++) {
        walk->gpu->cores[i].access.later = false;
        walk->gpu->cores[i].access.timeless = true;
        walk->gpu->cores[i].access.shared = pool != NULL;
    }
    while (!status && walk->running) {
        functional.start = start + walk->executed;
        list_occupied(&functional);
        if (pool && functional.active_count > 1)
            pool_run(pool, run_work_groups, &functional, functional.active_count);
        else
            for (uint32_t i = 0; i < functional.active_count; i++)
                run_work_groups(&functional, i);
        status = finish_round(&functional);
    }
    walk->end = start + walk->executed;
    for (uint32_t i = 0; i < walk->gpu->core_count; i++)
        walk->gpu->cores[i].access.shared = walk->gpu->cores[i].access.timeless = false;
    return status;
}
