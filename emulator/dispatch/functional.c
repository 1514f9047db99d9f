/* Running a walk without the clock, for its results alone: the same threads, registers, memory and
 * barriers, but each thread runs until it has to wait or its turn is over. Xe-cores run beside one
 * another on the host's threads, each with the work-groups that fit it. Time is a count of executed
 * instructions, so that timestamps still grow; they mean nothing more. */
#include <errno.h>
#include <pthread.h>

#include "dispatch/dispatcher.h"
#include "dispatch/gateway.h"
#include "memory/guard.h"

/* Instructions of a thread's turn: enough to be cheap, few enough that a thread which polls memory
 * for another's result does not hold the other up for long. And of an Xe-core's. */
enum { THREAD_TURN = 4096, CORE_TURN = 65536 };

struct functional {
    struct walk *walk;
    struct walk_threads threads;
    pthread_mutex_t lock; /* of the dispatcher */
    uint64_t start;       /* the time of the round */
    struct xe_core *active[POOL_MAX_ITEMS];
    uint32_t active_count;
};

/* What a message or a sync does beyond its effect on registers and memory. */
static int act(struct xe_core *core, struct ve *ve, struct thread *thread, const struct inst *inst,
               uint64_t now, struct ve_event *event)
{
    if (inst->opcode == OP_sync) {
        if (inst->function == SYNC_BAR)
            gateway_wait(ve, thread);
        return 0;
    }
    if (thread->message->kind == MESSAGE_BARRIER)
        return gateway_signal(core, thread, inst, now, event);
    if (thread->message->kind == MESSAGE_END_OF_THREAD)
        ve_end_thread(core, ve, thread, now, event);
    return 0;
}

static int run_thread(struct xe_core *core, struct ve *ve, struct thread *thread, uint64_t start,
                      struct ve_event *event)
{
    const struct program *program = thread->program;
    for (unsigned i = 0; i < THREAD_TURN && thread->state == THREAD_READY; i++) {
        const struct inst *inst = &program->insts[thread->index];
        thread->index = (uint32_t)inst->next;
        if (inst->reads_clock)
            thread_write_clock(thread, start + core->executed);
        if (inst->execute(thread, inst))
            return -EFAULT;
        core->executed++;
        if (inst->is_flow)
            thread_write32(thread, ARF_CE, thread->active);
        else if (inst->is_shared && act(core, ve, thread, inst, start + core->executed, event))
            return -EFAULT;
        if (thread->index >= program->count && !inst->end_of_thread) {
            thread_fault(thread, inst, "the thread runs past its last instruction");
            return -EFAULT;
        }
    }
    return 0;
}

/* A work-group has ended: its places go to the next one at once. */
static int finish_group(struct functional *functional, struct xe_core *core, struct group *group)
{
    struct walk *walk = functional->walk;
    pthread_mutex_lock(&functional->lock);
    walk->running--;
    dispatcher_retire(core, walk->walker, group);
    dispatcher_fill(walk, core, 0);
    pthread_mutex_unlock(&functional->lock);
    return xe_core_start_groups(core, &functional->threads);
}

/* Gives each thread of the Xe-core that can run a turn; `*ran` if there was one. */
static int run_threads(struct functional *functional, struct xe_core *core, bool *ran)
{
    const struct device *device = core->device;
    int status = 0;
    for (uint64_t i = 0; i < device->ves_per_xe_core; i++) {
        struct ve *ve = &core->ves[i];
        for (uint64_t slot = 0; !status && ve->resident && slot < device->threads_per_ve; slot++) {
            struct thread *thread = ve->threads[slot];
            struct ve_event event = {0};
            if (!thread || thread->state != THREAD_READY)
                continue;
            *ran = true;
            status = run_thread(core, ve, thread, functional->start, &event);
            if (!status && event.finished)
                status = finish_group(functional, core, event.finished);
        }
    }
    return status;
}

/* An Xe-core's part of a round. */
struct core_round {
    struct functional *functional;
    struct xe_core *core;
};

static void run_unguarded(void *context)
{
    const struct core_round *part = context;
    struct functional *functional = part->functional;
    const struct walk *walk = functional->walk;
    struct xe_core *core = part->core;
    uint64_t budget = walk->gpu->instruction_limit - walk->executed;
    bool ran = true;
    core->executed = 0;
    core->status = xe_core_start_groups(core, &functional->threads);
    while (!core->status && ran && core->executed < CORE_TURN && core->executed < budget) {
        ran = false;
        core->status = run_threads(functional, core, &ran);
    }
}

static void run_core(void *context, uint32_t item)
{
    struct functional *functional = context;
    struct core_round part = {functional, functional->active[item]};
    uint64_t address;
    if (memory_guard_run(functional->walk->space, run_unguarded, &part, &address))
        part.core->status = walk_trap(&part.core->fault, functional->walk, address);
}

static void list_active(struct functional *functional)
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
    return walk->executed >= walk->gpu->instruction_limit && walk->running
               ? walk_stop_endless(walk, alive)
               : 0;
}

int walk_run_functional(struct walk *walk)
{
    struct functional functional = {
        .walk = walk,
        .threads = {walk->walker, walk->space, walk->program},
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    uint64_t start = walk->end;
    int status = 0;
    list_active(&functional);
    struct pool *pool = functional.active_count > 1 ? gpu_pool(walk->gpu) : NULL;
    for (uint32_t i = 0; i < walk->gpu->core_count; i++) {
        walk->gpu->cores[i].access.later = false;
        walk->gpu->cores[i].access.shared = pool != NULL;
    }
    while (!status && walk->running) {
        functional.start = start + walk->executed;
        list_active(&functional);
        if (pool && functional.active_count > 1)
            pool_run(pool, run_core, &functional, functional.active_count);
        else
            for (uint32_t i = 0; i < functional.active_count; i++)
                run_core(&functional, i);
        status = finish_round(&functional);
    }
    walk->end = start + walk->executed;
    for (uint32_t i = 0; i < walk->gpu->core_count; i++) {
        walk->gpu->cores[i].access.shared = false;
        schedule_clear(&walk->gpu->cores[i].schedule); /* what starting made, and nobody took */
    }
    return status;
}
