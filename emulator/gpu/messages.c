/* Consequences of a message: times for the scoreboard, entries for outstanding lines, barriers, and
 * the end of a thread. */
#include "gpu/gateway.h"
#include "gpu/xe-core.h"
#include "timing/load-store-hit.h"

void ve_end_thread(struct xe_core *core, struct ve *ve, struct thread_slot *slot, uint64_t now,
                   struct ve_event *event)
{
    struct group *group = slot->group;

    slot->state = SLOT_ENDED;
    ve_park(ve, slot);
    ve->slots[slot->number] = NULL;
    group_remove(group, slot);
    core->resident[slot->ve]--;
    core->alive--;
    if (core->counting) {
        count(&core->counters, COUNTER_thread_cycles, now + 1 - slot->started);
        core->last_end = later(core->last_end, now + 1);
    }
    if (slot->unseen)
        mshr_forget_thread(&core->load_store.mshr, slot);
    /* The thread's last writes may still be in flight. */
    group->end = later(group->end, later(now, slot->global_visible));
    if (--group->threads_left > 0) {
        gateway_thread_ended(core, group, now, event);
        return;
    }
    event->finished = group;
}

/* Records in a message's entry who waits for its outstanding lines. */
static void record_waiter(struct xe_core *core, struct thread_slot *slot, const struct inst *inst)
{
    struct mshr *mshr = &core->load_store.mshr;
    struct miss_message *message = mshr_message(mshr, mshr->end_message - 1);

    message->slot = slot;
    message->group = slot->group;
    if (inst->scoreboard.token_use == TOKEN_SET)
        message->token = inst->scoreboard.token;
    if (message->kind == MESSAGE_FENCE)
        return;
    slot->unseen++;
    if (message->kind != MESSAGE_LOAD)
        slot->group->unseen++;
}

/* Whether the first level holds a line that the message touches, so a load may hit it. */
static bool holds_line(const struct load_store *unit, const struct message_access *access)
{
    for (uint32_t i = 0; unit->l1.sets && i < access->line_count; i++) {
        const struct cache_line *line = cache_peek(&unit->l1, access->lines[i]);

        if (line && !(line->ready & LINE_PENDING))
            return true;
    }
    return false;
}

/* A message to global memory of which a line has to come from the L3: its time is not known yet. */
static int retire_miss(struct xe_core *core, struct thread_slot *slot, const struct inst *inst,
                       uint64_t now)
{
    const struct message *message = slot->thread.message;
    const struct message_access *access = slot->thread.access;

    record_waiter(core, slot, inst);
    if (!access->later)
        return 0;
    /* Texels never come from the first level, so the store buffer need not know their formats. */
    if (message->kind == MESSAGE_STORE && !message_is_of_image(message) &&
        holds_line(&core->load_store, access) &&
        store_buffer_add(&core->transfers.stores, &access->transfer, access->hosts,
                         slot->thread.registers + access->transfer.source))
        return -1;
    return transfer_queue_add(&core->transfers, &slot->thread, now);
}

static inline int retire_access(struct xe_core *core, struct ve *ve, struct thread_slot *slot,
                                const struct inst *inst, uint64_t now, struct message_times *times)
{
    const struct message *message = slot->thread.message;
    const struct message_access *access = slot->thread.access;

    *times = load_store_access(&core->load_store, message, access, slot->ve, now);
    ve->port_free[PIPE_SEND] = later(ve->port_free[PIPE_SEND], times->accepted);
    if (message->base == BASE_SLM) {
        slot->slm_visible = later(slot->slm_visible, times->visible);
        return 0;
    }
    if (times->visible == TIME_PENDING)
        return retire_miss(core, slot, inst, now);
    slot->global_visible = later(slot->global_visible, times->visible);
    if (access->later && message->kind == MESSAGE_LOAD)
        transfer_queue_load_through(&core->transfers, &slot->thread);
    return 0;
}

static uint64_t retire_fence(struct xe_core *core, struct thread_slot *slot,
                             const struct inst *inst, uint64_t now)
{
    uint64_t visible = slot->unseen ? TIME_PENDING : slot->global_visible;
    uint64_t done =
        load_store_fence(&core->load_store, slot->thread.message, slot->slm_visible, visible, now);

    if (done == TIME_PENDING)
        record_waiter(core, slot, inst);
    return done;
}

/* A message that moves nothing. */
static int retire_notice(struct xe_core *core, struct ve *ve, struct thread_slot *slot,
                         const struct inst *inst, uint64_t now, struct message_times *times,
                         struct ve_event *event)
{
    *times = (struct message_times){now, now + 1, now + core->device->other_send_latency, now};
    switch (slot->thread.message->kind) {
    case MESSAGE_FENCE:
        times->destination = retire_fence(core, slot, inst, now);
        break;
    case MESSAGE_BARRIER:
        count(&core->counters, COUNTER_barrier_messages, 1);
        times->destination = times->source;
        return gateway_signal(core, slot, inst, now, event);
    case MESSAGE_END_OF_THREAD:
        count(&core->counters, COUNTER_end_messages, 1);
        ve_end_thread(core, ve, slot, now, event);
        break;
    default:
        break;
    }
    return 0;
}

int ve_retire_send(struct xe_core *core, struct ve *ve, struct thread_slot *slot,
                   const struct inst *inst, uint64_t now, struct ve_event *event)
{
    const struct message *message = slot->thread.message;
    uint64_t payload = message->payload0_registers + message->payload1_registers;
    struct message_times times;

    slot->ready = now + 1;
    ve->port_free[PIPE_SEND] = now + later(core->device->send_arbitration, payload);
    if (message_moves_memory(message) ? retire_access(core, ve, slot, inst, now, &times)
                                      : retire_notice(core, ve, slot, inst, now, &times, event))
        return -1;
    times.source = later(times.source, now + core->device->send_source_latency + payload);
    if (inst->scoreboard.token_use == TOKEN_SET)
        scoreboard_token(&slot->scoreboard, inst->scoreboard.token, times.source,
                         times.destination);
    return 0;
}
