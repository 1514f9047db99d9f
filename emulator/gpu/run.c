/* Runs one Xe-core: its vector engines in time order. */
#include <errno.h>

#include "gpu/xe-core.h"
#include "timing/cycles.h"

static void update(struct xe_core *core, uint32_t ve)
{
    ve_choose(&core->ves[ve]);
    calendar_set(&core->events, ve, core->ves[ve].next_time);
}

static void update_all(struct xe_core *core, uint32_t ves)
{
    for (; ves; ves &= ves - 1)
        update(core, (uint32_t)__builtin_ctz(ves));
}

/* Whether earlier messages of a fence's thread are still in flight. If none but fences can be, none
 * is: earlier fences have been settled before this one. */
static bool fence_waits(const struct mshr *mshr, uint32_t fence)
{
    const struct thread_slot *slot = mshr_message(mshr, fence)->slot;

    if (!slot || !slot->unseen)
        return false;
    for (uint32_t i = mshr->first_message; i != fence; i++)
        if (mshr_message(mshr, i)->slot == slot && !mshr_message(mshr, i)->settled)
            return true;
    return false;
}

/* When a message's result is ready, now that all its lines are known. */
static uint64_t settle_times(struct xe_core *core, const struct miss_message *message)
{
    struct thread_slot *slot = message->slot;

    if (message->kind == MESSAGE_FENCE)
        return later(message->destination, slot->global_visible) + core->device->lsc_fence_latency;
    slot->global_visible = later(slot->global_visible, message->visible);
    slot->unseen--;
    return message->destination;
}

/* Called when the time that the thread waits for is known. Returns whether it can issue. */
static bool wake(struct xe_core *core, struct thread_slot *slot)
{
    if (slot->state != SLOT_READY || slot->earliest != TIME_PENDING)
        return false;
    ve_slot_ready(core, slot);
    return true;
}

/* Informs the thread of a message. Returns a bit for its vector engine if that may continue. */
static uint32_t settle_message(struct xe_core *core, struct miss_message *message)
{
    struct thread_slot *slot = message->slot;

    message->settled = true;
    if (!slot)
        return 0;
    uint64_t destination = settle_times(core, message);
    if (message->token != NO_TOKEN)
        slot->scoreboard.tokens[message->token].destination = destination;
    return wake(core, slot) ? UINT32_C(1) << slot->ve : 0;
}

/* Accepts messages that were held back, so that their engines can send again. Returns a bit for
 * each such engine. */
static uint32_t take_held(struct xe_core *core)
{
    struct message_times times;
    uint32_t number, ve, touched = 0;

    while (load_store_take_held(&core->load_store, &number, &ve, &times)) {
        const struct miss_message *message = mshr_message(&core->load_store.mshr, number);
        struct thread_slot *slot = message->slot;

        core->ves[ve].port_free[PIPE_SEND] = times.accepted;
        touched |= UINT32_C(1) << ve;
        if (slot && message->token != NO_TOKEN) {
            slot->scoreboard.tokens[message->token].source = times.source;
            if (times.destination != TIME_PENDING)
                slot->scoreboard.tokens[message->token].destination = times.destination;
            wake(core, slot);
        }
    }
    return touched;
}

static uint32_t settle_messages(struct xe_core *core)
{
    struct mshr *mshr = &core->load_store.mshr;
    uint32_t touched = 0;

    for (uint32_t i = mshr->first_message; i != mshr->end_message; i++) {
        struct miss_message *message = mshr_message(mshr, i);

        if (message->settled || message->outstanding ||
            (message->kind == MESSAGE_FENCE && fence_waits(mshr, i)))
            continue;
        touched |= settle_message(core, message);
    }
    return touched;
}

void xe_core_settle(struct xe_core *core)
{
    struct transfer_queue *queue = &core->transfers;
    const struct queued_transfer *transfer;

    load_store_settle(&core->load_store);
    uint32_t touched = settle_messages(core);
    if (core->load_store.held_count)
        touched |= take_held(core) | settle_messages(core);
    mshr_retire(&core->load_store.mshr);
    for (size_t at = 0; !core->carried_out && (transfer = transfer_queue_at(queue, at));
         at += transfer->bytes)
        queued_transfer_execute(transfer);
    transfer_queue_clear(queue);
    update_all(core, touched);
}

static int run_until(struct xe_core *core, uint64_t until, uint64_t budget)
{
    while (core->executed < budget) {
        if (calendar_first_time(&core->events) >= until)
            break;
        uint32_t first = calendar_take(&core->events);
        struct ve_event event = {0};
        if (ve_run(core, &core->ves[first], calendar_bound(&core->events), until, budget, &event))
            return -EFAULT;
        calendar_add(&core->events, first, core->ves[first].next_time);
        update_all(core, event.released);
        if (event.finished)
            core->finished[core->finished_count++] = event.finished;
    }
    return core->load_store.failed ? -ENOMEM : 0;
}

static int start_groups(struct xe_core *core, const struct walk_threads *walk)
{
    struct group *group;
    int status = 0;

    while (!status && core->start_count)
        status = xe_core_start_group(core, walk, &group);
    return status;
}

void xe_core_run(struct xe_core *core, const struct walk_threads *walk, uint64_t until,
                 uint64_t budget, bool defers)
{
    xe_core_settle(core);
    core->access.later = defers;
    core->executed = core->fault_time = 0;
    core->status = start_groups(core, walk);
    if (!core->status)
        core->status = run_until(core, until, budget);
}
