#include "gpu/gateway.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* All threads of the work-group have signalled: lets them go. */
static void complete(struct xe_core *core, struct group *group, uint64_t now,
                     struct ve_event *event)
{
    group->arrived = 0;
    group->generation++;
    group->release = now + core->device->barrier_latency;
    event->released = group;
    for (struct thread *thread = group->threads_first; thread; thread = thread->next_of_group) {
        if (thread->state != THREAD_AT_BARRIER)
            continue;
        thread->state = THREAD_READY;
        core->ves[thread->ve].waiting--;
        thread->ready = later(thread->ready, group->release);
        thread->ready_reason = COUNTER_barrier_stall_cycles;
        thread->arrived = false;
        ve_thread_ready(core, thread);
    }
}

int gateway_signal(struct xe_core *core, struct thread *thread, const struct inst *inst,
                   uint64_t now, struct ve_event *event)
{
    if (thread->arrived)
        return thread_fault(thread, inst, "second signal of a barrier without a wait between");
    thread->arrived = true;
    thread->barrier_generation = thread->group->generation;
    uint64_t accepted = later(now, core->gateway_free);
    core->gateway_free = accepted + core->device->gateway_interval;
    if (++thread->group->arrived >= thread->group->threads_left)
        complete(core, thread->group, accepted, event);
    return 0;
}

void gateway_wait(struct ve *ve, struct thread *thread)
{
    if (!thread->arrived)
        return; /* waits for nothing */
    if (thread->group->generation > thread->barrier_generation) {
        thread->ready = later(thread->ready, thread->group->release);
        thread->ready_reason = COUNTER_barrier_stall_cycles;
        thread->arrived = false;
    } else {
        thread->state = THREAD_AT_BARRIER;
        ve_park(ve, thread);
        ve->waiting++;
    }
}

void gateway_thread_ended(struct xe_core *core, struct group *group, uint64_t now,
                          struct ve_event *event)
{
    if (group->arrived && group->arrived >= group->threads_left)
        complete(core, group, now, event);
}
