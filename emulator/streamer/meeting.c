/* Stacks that run the same commands, each its part of a walk. On hardware their streamers read them
 * within moments of each other. Here they are threads of the host, which come when they do: one may
 * have reset the event that another has yet to look at. So they wait for one another at walks and
 * where they write the time, and before and behind semaphores. None of that is seen in the GPU's
 * time. */
#include <errno.h>

#include "streamer/context.h"

/* How long to wait for a stack that may never come, as a context was reset. */
#define PATIENCE_NS UINT64_C(2000000000)
#define LOOK_US     1000

/* Where and when those are that meet. */
struct meeting {
    uint64_t pc; /* of the command */
    uint64_t clock, idle_ticks, active_cycles;
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
                            .idle_ticks = stack->time.idle_ticks,
                            .active_cycles = context_active_cycles(batch->context)};
}

/* Lock held; the context's turn. The counters of all that have met go on from the same values, so
 * that they can be compared. */
static void leave(const struct batch *batch, const struct meeting *meeting)
{
    struct cs_context *context = batch->context;

    clock_advance(batch->stack, meeting->clock);
    device_time_skip(batch->stack, meeting->idle_ticks);
    if (meeting->active_cycles > context_active_cycles(context))
        context->active_cycles += meeting->active_cycles - context_active_cycles(context);
}

/* Lock held. Somebody of another stack who waits at the same command, or NULL. */
static struct cs_context *find_waiting(const struct batch *batch)
{
    struct cs_context *other = batch->cs->contexts;

    while (other && !(other->stack != batch->stack && other->meeting && !other->meeting->over &&
                      other->meeting->pc == batch->pc))
        other = other->next;
    return other;
}

/* Lock held. Both go on at the later of their times. */
static void join(struct meeting *mine, struct cs_context *other)
{
    const struct meeting *theirs = other->meeting;

    mine->clock = later_of(mine->clock, theirs->clock);
    mine->idle_ticks = later_of(mine->idle_ticks, theirs->idle_ticks);
    mine->active_cycles = later_of(mine->active_cycles, theirs->active_cycles);
    mine->over = true;
    *other->meeting = *mine;
    pthread_cond_broadcast(&other->cs->progress);
}

/* Lock held. Whether the others may be waited for. */
static bool may_come(const struct cs_context *context, uint64_t since_ns)
{
    return !context->cancelled &&
           !(context->cs->has_hung && host_time_ns() > since_ns + PATIENCE_NS);
}

int context_meet(struct batch *batch)
{
    struct cs_context *context = batch->context;
    const uint64_t since = host_time_ns();

    if (!context->has_partition)
        return 0;
    pthread_mutex_lock(&batch->cs->lock);
    struct meeting meeting = arrive(batch);
    struct cs_context *other = find_waiting(batch);
    if (other)
        join(&meeting, other);
    context->meeting = &meeting;
    while (!meeting.over && may_come(context, since))
        context_let_others(context, batch->sequence, LOOK_US);
    context->meeting = NULL;
    leave(batch, &meeting);
    bool cancelled = context->cancelled;
    pthread_mutex_unlock(&batch->cs->lock);
    return cancelled ? -ECANCELED : 0;
}
