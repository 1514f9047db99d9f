/* Running a walk without timing, only for its results: the same threads, registers, memory and
 * barriers, but each thread runs until it has to wait or its turn is over. Xe-cores run in parallel
 * on host threads, each with as many work-groups as fit. Time is a count of executed instructions,
 * which only keeps timestamps increasing. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "gpu/dispatcher.h"
#include "gpu/gateway.h"
#include "memory/guard.h"

/* Instructions per turn of a thread, and of an Xe-core: enough to be cheap, but few enough that a
 * thread that polls memory for another's result does not hold up the other for long. */
enum { THREAD_TURN = 4096, CORE_TURN = 65536 };

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

/* Applies the effects of a message or a sync beyond registers and memory. */
static int act(struct xe_core *core, struct ve *ve, struct thread_slot *slot,
               const struct inst *inst, uint64_t now, struct ve_event *event)
{
    if (inst->opcode == OP_sync) {
        if (inst->function == SYNC_BAR)
            gateway_wait(core, ve, slot, inst);
        return 0;
    }
    if (slot->thread.message->kind == MESSAGE_BARRIER)
        return gateway_signal(core, slot, inst, now, event);
    if (slot->thread.message->kind == MESSAGE_END_OF_THREAD)
        ve_end_thread(core, ve, slot, now, event);
    return 0;
}

/* Executes an instruction that branches, affects other threads, reads the clock or ends the thread,
 * and puts its successor into `next`. `now` counts it. */
static int step(struct xe_core *core, struct thread_slot *slot, const struct inst *inst,
                uint64_t now, struct ve_event *event, const struct inst **next)
{
    const struct program *program = slot->thread.program;

    slot->thread.index = (uint32_t)inst->next;
    if (inst->reads_clock)
        thread_write_clock(&slot->thread, now - 1);
    if (inst->execute(&slot->thread, inst))
        return -EFAULT;
    if (inst->is_flow)
        thread_write32(&slot->thread, ARF_CE, slot->thread.active);
    else if (inst->is_shared && act(core, &core->ves[slot->ve], slot, inst, now, event))
        return -EFAULT;
    *next = &program->insts[slot->thread.index];
    if (slot->thread.index < program->count || slot->state == SLOT_ENDED)
        return 0;
    thread_fault(&slot->thread, inst, "the thread runs past its last instruction");
    return -EFAULT;
}

/* A thread's turn. */
static int run_thread(struct xe_core *core, struct thread_slot *slot, uint64_t start,
                      struct ve_event *event)
{
    const struct inst *inst = &slot->thread.program->insts[slot->thread.index];
    uint64_t end = core->executed + THREAD_TURN;

    while (core->executed < end && slot->state == SLOT_READY) {
        const struct inst *first = inst;

        for (; inst->is_plain; inst++)
            if (inst->execute(&slot->thread, inst))
                return -EFAULT;
        core->executed += (uint64_t)(inst - first) + 1;
        if (step(core, slot, inst, start + core->executed, event, &inst))
            return -EFAULT;
    }
    return 0;
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

    if (run_thread(core, slot, functional->start, &event))
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
    struct xe_core *alive = NULL;
    uint64_t executed = 0;

    for (uint32_t i = 0; i < functional->active_count; i++) {
        struct xe_core *core = functional->active[i];

        executed += core->executed;
        if (core->status) {
            *walk->fault = core->fault;
            return core->status;
        }
        if (!alive && core->alive)
            alive = core;
    }
    walk->executed += executed;
    if (executed == 0)
        return walk_stop_deadlock(walk);
    return walk->executed >= walk->gpu->settings.instruction_limit && walk->running
               ? walk_stop_endless(walk, alive)
               : 0;
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
