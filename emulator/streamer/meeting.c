/* Stacks that run the same commands, each its part of a walk. On hardware their streamers read them
 * within moments of each other. Here they are threads of the host, which come when they do: one may
 * have reset the event that another has yet to look at. So they wait for one another at walks and
 * where they write the time, and before and behind semaphores. None of that is seen in the GPU's
 * time. */
#include <errno.h>

#include "streamer/context.h"

/* How long to wait for a submission to a stack that has none: drivers make one for each. */
#define PATIENCE_NS UINT64_C(200000000)
#define LOOK_US     1000

/* A stack that has polled in vain so often since another waits for it polls for something else: the
 * first time may have begun before. */
#define LOOKS 2

/* Where and when those are that meet. */
struct meeting {
    uint64_t pc; /* of the command */
    uint64_t clock, ticks, active_cycles;
    bool over;
};

static uint64_t later_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Lock held; the context's turn. */
static struct meeting arrive(const struct batch *batch)
{
    const struct cs_stack *stack = batch->stack;

    return (struct meeting){.pc = batch->pc,
                            .clock = stack->clock,
                            .ticks = device_time_now(stack),
                            .active_cycles = context_active_cycles(batch->context)};
}

/* Lock held; the context's turn. The counters of all that have met go on from the same values, so
 * that they can be compared. */
static void leave(const struct batch *batch, const struct meeting *meeting)
{
    struct cs_context *context = batch->context;

    device_time_go_to(batch->stack, meeting->clock, meeting->ticks);
    if (meeting->active_cycles > context_active_cycles(context))
        context->active_cycles += meeting->active_cycles - context_active_cycles(context);
}

static bool waits(const struct cs_context *context)
{
    return context->meeting && !context->meeting->over;
}

/* Lock held. Who waits at the same command on the other stack, or NULL: the partner, if there is
 * one. */
static struct cs_context *find_waiting(const struct batch *batch)
{
    struct cs_context *mine = batch->context, *other = batch->cs->contexts;

    while (other &&
           !(other->stack != mine->stack && waits(other) && other->meeting->pc == batch->pc &&
             (other->partner == mine || (!other->partner && !mine->partner))))
        other = other->next;
    return other;
}

/* Lock held. Both go on at the later of their times. */
static void join(struct meeting *mine, struct cs_context *context, struct cs_context *other)
{
    const struct meeting *theirs = other->meeting;

    mine->clock = later_of(mine->clock, theirs->clock);
    mine->ticks = later_of(mine->ticks, theirs->ticks);
    mine->active_cycles = later_of(mine->active_cycles, theirs->active_cycles);
    mine->over = true;
    context->partner = other;
    other->partner = context;
    *other->meeting = *mine;
    pthread_cond_broadcast(&other->cs->progress);
}

/* Lock held. Whether the other stacks have done anything since they had done `*seen`. */
static bool others_go_on(const struct cs_stack *stack, uint64_t *seen)
{
    const struct cs *cs = stack->cs;
    uint64_t clocks = 0;
    bool walks = false;

    for (unsigned i = 0; i < cs->device->stacks; i++) {
        if (i == stack_number(stack))
            continue;
        clocks += __atomic_load_n(&cs->stacks[i].clock, __ATOMIC_RELAXED);
        walks |= __atomic_load_n(&cs->stacks[i].walks, __ATOMIC_RELAXED);
    }
    bool go_on = walks || clocks != *seen;
    *seen = clocks;
    return go_on;
}

/* Lock held. Whether the partner does not come before something happens elsewhere: it waits at
 * another command at the same time or later, or polls in vain, which it had done `looks` times, or
 * has no more to do. */
static bool partner_stays(const struct cs_context *context, const struct meeting *meeting,
                          uint64_t looks)
{
    const struct cs_context *partner = context->partner;

    if (partner->hung)
        return true;
    if (waits(partner))
        return partner->meeting->ticks >= meeting->ticks;
    if (partner->executes)
        return partner->looks >= looks + LOOKS;
    return !partner->first && partner->jobs >= context->jobs;
}

/* Lock held. Waits until the other has come, or may not be waited for. */
static void wait_for_other(struct batch *batch, const struct meeting *meeting)
{
    struct cs_context *context = batch->context;
    uint64_t since = host_time_ns(), seen = 0;
    uint64_t looks = context->partner ? context->partner->looks : 0;

    while (!meeting->over && !context->cancelled) {
        const struct cs_context *partner = context->partner;

        if (partner && partner_stays(context, meeting, looks))
            break;
        if (partner && (partner->executes || partner->first))
            since = host_time_ns();
        if (host_time_ns() >= since + PATIENCE_NS)
            break;
        context_let_others(context, batch->sequence, LOOK_US);
        if (!context->partner && others_go_on(batch->stack, &seen))
            since = host_time_ns();
    }
}

int context_meet(struct batch *batch)
{
    struct cs_context *context = batch->context;

    if (!context->has_partition)
        return 0;
    pthread_mutex_lock(&batch->cs->lock);
    struct meeting meeting = arrive(batch);
    struct cs_context *other = find_waiting(batch);
    if (other)
        join(&meeting, context, other);
    context->meeting = &meeting;
    pthread_cond_broadcast(&batch->cs->progress); /* let it look */
    wait_for_other(batch, &meeting);
    context->meeting = NULL;
    leave(batch, &meeting);
    bool cancelled = context->cancelled;
    pthread_mutex_unlock(&batch->cs->lock);
    return cancelled ? -ECANCELED : 0;
}
