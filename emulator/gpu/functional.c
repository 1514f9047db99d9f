/* Running a walk without timing, only for its results: the same threads, registers, memory and
 * barriers, but each thread runs until it has to wait or its turn is over. Xe-cores run in parallel
 * on host threads, each with as many work-groups as fit. Time is a count of executed instructions,
 * which only keeps timestamps increasing. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "gpu/dispatcher.h"
#include "gpu/turn.h"
#include "memory/guard.h"

/* Instructions per turn of an Xe-core: see turn.c for a thread's. */
enum { CORE_TURN = 65536 };

enum { QUEUE_THREADS = XE_CORE_MAX_VES * VE_MAX_THREADS };

/* An Xe-core's runnable threads, in the order of their turns. Threads that have just started or
 * left a barrier go first, while their registers are still in the host's caches. */
struct queue {
    struct thread_slot *slots[QUEUE_THREADS]; /* a ring */
    uint32_t first, count;
};

struct functional {
    struct walk *walk;
    struct walk_threads threads;
    pthread_mutex_t lock; /* protects the dispatcher */
    uint64_t start;       /* time at which the round starts */
    struct xe_core *active[POOL_MAX_ITEMS];
    uint32_t active_count;
    struct queue *queues; /* one per Xe-core */
};

static void queue_first(struct queue *queue, struct thread_slot *slot)
{
    queue->first = (queue->first + QUEUE_THREADS - 1) % QUEUE_THREADS;
    queue->slots[queue->first] = slot;
    queue->count++;
    slot->queued = true;
}

static void queue_last(struct queue *queue, struct thread_slot *slot)
{
    queue->slots[(queue->first + queue->count++) % QUEUE_THREADS] = slot;
    slot->queued = true;
}

static struct thread_slot *queue_take(struct queue *queue)
{
    struct thread_slot *slot = queue->slots[queue->first];

    queue->first = (queue->first + 1) % QUEUE_THREADS;
    queue->count--;
    slot->queued = false;
    return slot;
}

/* Queues the threads of a work-group that have become runnable. */
static void queue_group(struct queue *queue, const struct group *group)
{
    for (struct thread_slot *slot = group->threads_first; slot; slot = slot->next_of_group)
        if (slot->state == SLOT_READY && !slot->queued)
            queue_first(queue, slot);
}

static int start_groups(struct functional *functional, struct xe_core *core)
{
    struct queue *queue = &functional->queues[core->number];
    uint32_t count = core->start_count;
    int status = xe_core_start_groups(core, &functional->threads);

    for (uint32_t i = count; !status && i-- > 0;)
        queue_group(queue, core->starts[i].group);
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
    struct queue *queue = &functional->queues[core->number];
    struct thread_slot *slot = queue_take(queue);
    struct ve_event event = {0};

    if (turn_run(core, slot, functional->start, &event))
        return -EFAULT;
    if (slot->state == SLOT_READY)
        queue_last(queue, slot);
    if (event.finished)
        return finish_group(functional, core, event.finished);
    if (event.released)
        queue_group(queue, event.released);
    return 0;
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
    while (!core->status && functional->queues[core->number].count && core->executed < turn)
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
        .threads = {walk->walker, walk->space, walk->program, .untimed = true},
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    uint64_t start = walk->end;
    int status = 0;

    functional.queues = calloc(walk->gpu->core_count, sizeof(*functional.queues));
    if (!functional.queues)
        return -ENOMEM;
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
    free(functional.queues);
    return status;
}
