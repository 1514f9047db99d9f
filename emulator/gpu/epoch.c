/* Running a walk with timing: all Xe-cores, on all available host threads.
 *
 * Xe-cores share only the L3, global memory and the dispatcher. A request to these at cycle t has
 * no effect on the Xe-core before t + `lookahead`, whatever the others do. Time therefore advances
 * in epochs of that length: in each, every Xe-core runs independently and records its requests; at
 * the end, the recorded requests are served in time order (arbiter.c), up to the end of the epoch:
 * what reaches the L3 later is served with the next epoch's requests. The order does not depend on
 * the number of host threads or on the order in which they ran the Xe-cores. An Xe-core that is
 * alone uses the same epochs, but runs them back to back without waiting, and moves its bytes at
 * once. */
#include "gpu/arbiter.h"
#include "gpu/dispatcher.h"
#include "memory/guard.h"
#include "timing/cycles.h"

/* Below this many messages, waking a second thread at an epoch's end costs more than it saves. */
enum { WORTH_MESSAGES = 100 };

struct epoch {
    struct walk *walk;
    struct walk_threads threads;
    struct pool *others; /* host threads; NULL: there are none */
    struct pool *pool;   /* the threads that run in this epoch */
    uint64_t lookahead;
    uint64_t start, until;
    uint64_t executed; /* instructions in the last epoch */
    bool defers;       /* several Xe-cores access memory */
    bool lone;         /* only one does, until its work-groups end */
    struct xe_core **active;
    uint32_t active_count;
    struct arbitration arbitrated;
    uint64_t last; /* cycle up to which transfers are executed */
    int status;    /* of executing transfers */
};

static uint64_t lookahead(const struct vesim_device *device)
{
    return earlier(device->group_retire_latency, memory_least_latency(device));
}

/* An Xe-core's part of an epoch. */
struct core_epoch {
    struct epoch *epoch;
    struct xe_core *core;
};

/* The times of the fault that has just been set. */
static void date_fault(const struct epoch *epoch, uint64_t executed)
{
    epoch->walk->fault->time = epoch->until;
    epoch->walk->fault->executed = executed;
}

/* A look at a walk whose only active Xe-core has executed so much since its last work-group ended.
 */
static int look_alone(const struct epoch *epoch, struct xe_core *core, uint64_t executed)
{
    struct walk *walk = epoch->walk;

    executed += walk->executed;
    if (executed < walk->gpu->watch.next || !core->alive)
        return 0;
    core->status = watch_look(walk, executed);
    if (core->status) {
        date_fault(epoch, executed);
        core->fault = *walk->fault;
    }
    return core->status;
}

/* Runs the only active Xe-core, epoch after epoch, until the dispatcher is due to learn of a
 * work-group's end. */
static void run_lone(struct epoch *epoch, struct xe_core *core, uint64_t budget)
{
    uint64_t executed = 0;

    for (;;) {
        xe_core_run(core, &epoch->threads, epoch->until, budget - executed, false);
        epoch->arbitrated = arbiter_serve(epoch->walk->gpu, epoch->until);
        core->executed = executed += core->executed;
        if (core->status || core->finished_count || executed >= budget)
            return;
        xe_core_settle(core);
        if (look_alone(epoch, core, executed))
            return;
        uint64_t next = earlier(epoch->arbitrated.next, calendar_first_time(&core->events));
        if (next == UINT64_MAX)
            return;
        epoch->until = next + epoch->lookahead;
    }
}

static void run_unguarded(void *context)
{
    const struct core_epoch *part = context;
    struct epoch *epoch = part->epoch;
    const struct walk *walk = epoch->walk;
    uint64_t budget = walk->gpu->settings.instruction_limit - walk->executed;

    if (epoch->lone)
        run_lone(epoch, part->core, budget);
    else
        xe_core_run(part->core, &epoch->threads, epoch->until, budget, epoch->defers);
}

static void run_core(void *context, uint32_t item)
{
    struct epoch *epoch = context;
    struct core_epoch part = {epoch, epoch->active[item]};
    uint64_t address;

    if (memory_guard_run(epoch->walk->space, run_unguarded, &part, &address))
        part.core->status = walk_trap(&part.core->fault, epoch->walk, address);
}

static void run_cores(struct epoch *epoch)
{
    if (epoch->pool && epoch->active_count > 1)
        pool_run(epoch->pool, run_core, epoch, epoch->active_count);
    else
        for (uint32_t i = 0; i < epoch->active_count; i++)
            run_core(epoch, i);
}

static void transfer_unguarded(void *context)
{
    const struct epoch *epoch = context;

    arbiter_transfer(epoch->walk->gpu, epoch->last);
}

/* The two halves of a round share no data: one handles times, the other bytes. */
static void arbitrate_half(void *context, uint32_t half)
{
    struct epoch *epoch = context;
    uint64_t address;

    if (half == 0)
        epoch->arbitrated = arbiter_serve(epoch->walk->gpu, epoch->until);
    else if (memory_guard_run(epoch->walk->space, transfer_unguarded, epoch, &address))
        epoch->status = walk_trap(epoch->walk->fault, epoch->walk, address);
}

/* Loads alone are left to their Xe-cores, as their order does not matter. */
static void arbitrate(struct epoch *epoch)
{
    uint32_t messages = 0;
    bool writes = epoch->last != UINT64_MAX;

    for (uint32_t i = 0; i < epoch->active_count; i++) {
        messages += mshr_message_count(&epoch->active[i]->load_store.mshr);
        writes |= epoch->active[i]->transfers.writes;
    }
    for (uint32_t i = 0; i < epoch->active_count; i++)
        epoch->active[i]->carried_out = writes;
    if (epoch->lone)
        return; /* already served */
    epoch->arbitrated = (struct arbitration){UINT64_MAX, UINT64_MAX};
    if (messages == 0)
        return;
    if (writes && epoch->pool && messages >= WORTH_MESSAGES) {
        pool_run(epoch->pool, arbitrate_half, epoch, 2);
        return;
    }
    arbitrate_half(epoch, 0);
    if (writes)
        arbitrate_half(epoch, 1);
}

/* The Xe-core that failed first in this epoch, in GPU time. */
static struct xe_core *first_failed(const struct epoch *epoch)
{
    struct xe_core *first = NULL;

    for (uint32_t i = 0; i < epoch->active_count; i++) {
        struct xe_core *core = epoch->active[i];

        if (core->status && (!first || core->fault_time < first->fault_time))
            first = core;
    }
    return first;
}

static bool is_over(const struct walk *walk)
{
    return walk->all_started && walk->running == 0;
}

static void list_active(struct epoch *epoch)
{
    uint32_t running = 0;

    epoch->active_count = 0;
    for (uint32_t i = 0; i < epoch->walk->gpu->core_count; i++) {
        struct xe_core *core = &epoch->walk->gpu->cores[i];

        if (!xe_core_is_active(core))
            continue;
        epoch->active[epoch->active_count++] = core;
        running += core->alive || core->start_count;
    }
    epoch->defers = running > 1;
}

/* Reports work-groups whose last thread has ended to the dispatcher, once all their writes are
 * acknowledged. */
static void end_groups(struct walk *walk, struct xe_core *core)
{
    uint32_t waiting = 0;

    for (uint32_t i = 0; i < core->finished_count; i++) {
        struct group *group = core->finished[i];

        if (group->unseen)
            core->finished[waiting++] = group;
        else
            dispatcher_group_ended(walk, core, group, group->end);
    }
    core->finished_count = waiting;
}

static void settle_unguarded(void *context)
{
    const struct walk *walk = context;

    for (uint32_t i = 0; i < walk->gpu->core_count; i++)
        xe_core_settle(&walk->gpu->cores[i]);
}

static int settle_all(struct walk *walk)
{
    uint64_t address;

    if (memory_guard_run(walk->space, settle_unguarded, walk, &address))
        return walk_trap(walk->fault, walk, address);
    return 0;
}

/* Stops the walk at its limit of instructions; looks at it where that is due. The Xe-cores would
 * settle at the beginning of the next epoch: nothing comes in between. */
static int look(const struct epoch *epoch)
{
    struct walk *walk = epoch->walk;
    int status = 0;

    if (walk->executed >= walk->gpu->settings.instruction_limit) {
        status = watch_stop_at_limit(walk);
    } else if (walk->executed >= walk->gpu->watch.next) {
        status = settle_all(walk);
        if (!status)
            status = watch_look(walk, walk->executed);
    }
    if (status)
        date_fault(epoch, walk->executed);
    return status;
}

/* Collects what the Xe-cores did, and determines when the next epoch begins; UINT64_MAX if nothing
 * is left. */
static int finish_epoch(struct epoch *epoch)
{
    struct walk *walk = epoch->walk;
    struct xe_core *failed = first_failed(epoch);

    epoch->last = failed ? failed->fault_time : UINT64_MAX;
    arbitrate(epoch);
    epoch->start = earlier(epoch->arbitrated.first_done, epoch->arbitrated.next);
    epoch->executed = 0;
    if (epoch->status)
        return epoch->status;
    if (failed) {
        *walk->fault = failed->fault;
        return failed->status;
    }
    for (uint32_t i = 0; i < epoch->active_count; i++) {
        struct xe_core *core = epoch->active[i];

        epoch->executed += core->executed;
        end_groups(walk, core);
        epoch->start = earlier(epoch->start, calendar_first_time(&core->events));
    }
    walk->executed += epoch->executed;
    epoch->start = earlier(epoch->start, dispatcher_next(walk));
    return is_over(walk) ? 0 : look(epoch);
}

static int run_epoch(struct epoch *epoch)
{
    struct walk *walk = epoch->walk;

    epoch->until = epoch->start + epoch->lookahead;
    dispatcher_advance(walk, epoch->until);
    list_active(epoch);
    epoch->lone = epoch->active_count == 1 && walk->all_started;
    epoch->pool = walk->gpu->tuner.alone ? NULL : epoch->others;
    run_cores(epoch);
    int status = finish_epoch(epoch);
    if (epoch->others && epoch->defers)
        host_tuner_note(&walk->gpu->tuner, epoch->executed);
    return status;
}

int walk_run_timed(struct walk *walk)
{
    struct gpu *gpu = walk->gpu;
    struct xe_core *active[POOL_MAX_ITEMS];
    struct epoch epoch = {
        .walk = walk,
        .threads = walk_threads_of(walk, false),
        .lookahead = lookahead(gpu->device),
        .start = walk->end,
        .active = active,
    };
    int status = 0;

    list_active(&epoch);
    if (epoch.defers)
        epoch.others = gpu_pool(gpu);
    host_tuner_start(&gpu->tuner);
    while (!status && !is_over(walk))
        status = epoch.start == UINT64_MAX ? walk_stop_deadlock(walk) : run_epoch(&epoch);
    host_tuner_stop(&gpu->tuner);
    dispatcher_advance(walk, UINT64_MAX);
    if (status)
        return status;
    arbiter_serve(gpu, UINT64_MAX); /* loads that no thread waited for */
    return settle_all(walk);
}
