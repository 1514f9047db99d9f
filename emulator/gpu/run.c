/* An Xe-core by itself: its vector engines in the order of time. */
#include <errno.h>

#include "gpu/xe-core.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void update(struct xe_core *core, uint32_t ve)
{
    ve_choose(&core->ves[ve]);
    schedule_set(&core->schedule, ve, core->ves[ve].next_time);
}

/* The time at which a message's result is there, now that all is known. */
static uint64_t settle_message(struct xe_core *core, const struct pending_message *message)
{
    struct thread_slot *slot = message->slot;
    if (message->kind == MESSAGE_FENCE)
        return later(message->destination, slot->global_visible) + core->device->lsc_fence_latency;
    slot->global_visible = later(slot->global_visible, message->visible);
    slot->unseen--;
    return message->destination;
}

void xe_core_settle(struct xe_core *core)
{
    struct pending *pending = &core->load_store.pending;
    struct deferred *deferred = &core->deferred;
    uint32_t touched = 0;
    for (uint32_t i = 0; i < pending->message_count; i++) {
        const struct pending_message *message = &pending->messages[i];
        struct thread_slot *slot = message->slot;
        uint64_t destination = settle_message(core, message);
        if (message->token != NO_TOKEN)
            slot->scoreboard.tokens[message->token].destination = destination;
        if (slot->state == SLOT_READY && slot->earliest == TIME_PENDING) {
            ve_slot_ready(core, slot);
            touched |= UINT32_C(1) << slot->ve;
        }
    }
    const struct deferred_transfer *transfer;
    for (size_t at = 0; !core->carried_out && (transfer = deferred_at(deferred, at));
         at += transfer->bytes)
        deferred_carry_out(transfer);
    load_store_settle(&core->load_store);
    deferred_clear(deferred);
    for (; touched; touched &= touched - 1)
        update(core, (uint32_t)__builtin_ctz(touched));
}

static int run(struct xe_core *core, uint64_t until, uint64_t budget)
{
    while (core->executed < budget) {
        uint32_t first = schedule_first(&core->schedule);
        if (schedule_first_time(&core->schedule) >= until)
            break;
        struct ve_event event = {0};
        if (ve_run(core, &core->ves[first], schedule_second_time(&core->schedule), until, budget,
                   &event))
            return -EFAULT;
        if (event.released)
            for (uint32_t i = 0; i < core->device->ves_per_xe_core; i++)
                update(core, i);
        else /* ve_run() has left it with the thread that goes next */
            schedule_set(&core->schedule, first, core->ves[first].next_time);
        if (event.finished)
            core->finished[core->finished_count++] = event.finished;
    }
    return core->load_store.failed ? -ENOMEM : 0;
}

void xe_core_run(struct xe_core *core, const struct walk_threads *walk, uint64_t until,
                 uint64_t budget, bool defers)
{
    xe_core_settle(core);
    core->load_store.defers = core->access.later = defers;
    core->executed = core->fault_time = 0;
    core->status = xe_core_start_groups(core, walk);
    if (!core->status)
        core->status = run(core, until, budget);
}
