#include "gpu/gateway.h"

#include "timing/cycles.h"

/* Releases a work-group once all its threads have signalled. */
static void complete(struct xe_core *core, struct group *group, uint64_t now,
                     struct ve_event *event)
{
    group->arrived = 0;
    group->generation++;
    group->release = now + core->device->barrier_latency;
    event->released = group;
    for (struct thread_slot *slot = group->threads_first; slot; slot = slot->next_of_group) {
        if (slot->state != SLOT_AT_BARRIER)
            continue;
        slot->state = SLOT_READY;
        core->ves[slot->ve].waiting--;
        slot->ready = later(slot->ready, group->release);
        slot->ready_reason = COUNTER_barrier_stall_cycles;
        slot->arrived = false;
        ve_slot_ready(core, slot);
    }
}

int gateway_signal(struct xe_core *core, struct thread_slot *slot, const struct inst *inst,
                   uint64_t now, struct ve_event *event)
{
    if (slot->arrived)
        return thread_fault(&slot->thread, inst,
                            "second signal to a barrier without a wait in between");
    slot->arrived = true;
    slot->barrier_generation = slot->group->generation;
    uint64_t accepted = later(now, core->gateway_free);
    core->gateway_free = accepted + core->device->gateway_interval;
    if (++slot->group->arrived >= slot->group->threads_left)
        complete(core, slot->group, accepted, event);
    return 0;
}

void gateway_wait(struct ve *ve, struct thread_slot *slot)
{
    if (!slot->arrived)
        return; /* nothing to wait for */
    if (slot->group->generation > slot->barrier_generation) {
        slot->ready = later(slot->ready, slot->group->release);
        slot->ready_reason = COUNTER_barrier_stall_cycles;
        slot->arrived = false;
    } else {
        slot->state = SLOT_AT_BARRIER;
        ve_park(ve, slot);
        ve->waiting++;
    }
}

void gateway_thread_ended(struct xe_core *core, struct group *group, uint64_t now,
                          struct ve_event *event)
{
    if (group->arrived && group->arrived >= group->threads_left)
        complete(core, group, now, event);
}
