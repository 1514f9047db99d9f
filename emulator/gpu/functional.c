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
    struct pool *pool;    /* of Xe-cores in parallel; NULL: one after another */
    pthread_mutex_t lock; /* with a pool, protects the dispatcher */
    uint64_t start;       /* time at which the round starts */
    struct xe_core *active[POOL_MAX_ITEMS];
    uint32_t active_count;
};

/* An Xe-core's part of a round. */
struct core_round {
    struct functional *functional;
    struct xe_core *core;
    bool group_ended; /* one has */
};

/* Starts the next work-group; its threads go first in the queue. */
static int start_next_group(const struct core_round *part, struct run_queue *queue)
{
    struct group *group;
    int status = xe_core_start_group(part->core, &part->functional->threads, &group);

    if (status)
        return status;
    for (struct thread_slot *slot = group->threads_first; slot; slot = slot->next_of_group)
        run_queue_add_first(queue, slot);
    return 0;
}

static int start_all_groups(const struct core_round *part)
{
    struct run_queue started = {0};
    int status = 0;

    while (!status && part->core->start_count) {
        struct run_queue next = {0};

        status = start_next_group(part, &next);
        run_queue_put_before(&next, &started);
        started = next;
    }
    run_queue_put_before(&part->core->runnable, &started);
    return status;
}

/* A work-group has ended: its place is for the next one. */
static void finish_group(struct core_round *part, struct group *group)
{
    struct functional *functional = part->functional;
    struct walk *walk = functional->walk;

    part->group_ended = true;
    if (functional->pool)
        pthread_mutex_lock(&functional->lock);
    walk->running--;
    dispatcher_retire(part->core, walk->walker, group);
    dispatcher_fill(walk, part->core, 0);
    if (functional->pool)
        pthread_mutex_unlock(&functional->lock);
}

/* Gives the next thread its turn. */
static int run_next(struct core_round *part)
{
    struct xe_core *core = part->core;
    struct ve_event event = {0};
    int status = core->runnable.first ? 0 : start_next_group(part, &core->runnable);

    if (status)
        return status;
    struct thread_slot *slot = run_queue_take(&core->runnable);
    if (turn_run(core, slot, part->functional->start, &event))
        return -EFAULT;
    if (event.finished)
        finish_group(part, event.finished);
    if (slot->state != SLOT_READY)
        return 0;
    run_queue_add_last(&core->runnable, slot);
    return start_all_groups(part);
}

/* Threads that leave a barrier go first: a work-group with many barriers could keep all others from
 * their turns. With one of its threads last, it waits for it. */
static int give_way(struct core_round *part)
{
    struct run_queue *queue = &part->core->runnable;

    if (queue->first)
        run_queue_add_last(queue, run_queue_take(queue));
    return start_all_groups(part);
}

static void run_work_groups_unguarded(void *context)
{
    struct core_round *part = context;
    const struct walk *walk = part->functional->walk;
    struct xe_core *core = part->core;
    uint64_t budget = walk->gpu->settings.instruction_limit - walk->executed;
    uint64_t turn = budget < CORE_TURN ? budget : CORE_TURN;

    core->executed = 0;
    core->status = 0;
    while (!core->status && (core->runnable.first || core->start_count) && core->executed < turn)
        core->status = run_next(part);
    if (!core->status && !part->group_ended)
        core->status = give_way(part);
}

static void run_work_groups(void *context, uint32_t item)
{
    struct functional *functional = context;
    struct core_round part = {.functional = functional, .core = functional->active[item]};
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
    functional.pool = functional.active_count > 1 ? gpu_pool(walk->gpu) : NULL;
    for (uint32_t i = 0; i < walk->gpu->core_count; i++) {
        walk->gpu->cores[i].access.later = false;
        walk->gpu->cores[i].access.timeless = true;
    }
    while (!status && walk->running) {
        functional.start = start + walk->executed;
        list_occupied(&functional);
        if (functional.pool && functional.active_count > 1)
            pool_run(functional.pool, run_work_groups, &functional, functional.active_count);
        else
            for (uint32_t i = 0; i < functional.active_count; i++)
                run_work_groups(&functional, i);
        status = finish_round(&functional);
    }
    walk->end = start + walk->executed;
    for (uint32_t i = 0; i < walk->gpu->core_count; i++)
        walk->gpu->cores[i].access.timeless = false;
    return status;
}
