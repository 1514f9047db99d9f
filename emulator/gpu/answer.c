#include "gpu/answer.h"

static uint64_t next_message_time(const struct xe_core *core, uint32_t next)
{
    const struct pending *pending = &core->load_store.pending;
    return next < pending->message_count ? pending->messages[next].time : UINT64_MAX;
}

/* Returns the cycle at which the message is done; UINT64_MAX for a fence, which its Xe-core
 * answers. */
static uint64_t answer_message(struct gpu *gpu, struct pending *pending,
                               struct pending_message *message)
{
    if (message->line_count == 0)
        return UINT64_MAX;
    pending_answer(pending, message, &gpu->memory);
    if (message->visible > message->group->end)
        message->group->end = message->visible;
    return message->visible;
}

uint64_t answer_messages(struct gpu *gpu)
{
    struct schedule *order = &gpu->answers;
    uint64_t first_done = UINT64_MAX;
    for (uint32_t i = 0; i < gpu->core_count; i++) {
        gpu->cores[i].next_message = 0;
        schedule_set(order, i, next_message_time(&gpu->cores[i], 0));
    }
    while (schedule_first_time(order) != UINT64_MAX) {
        struct xe_core *core = &gpu->cores[schedule_first(order)];
        struct pending *pending = &core->load_store.pending;
        uint64_t done = answer_message(gpu, pending, &pending->messages[core->next_message++]);
        first_done = done < first_done ? done : first_done;
        schedule_set(order, core->number, next_message_time(core, core->next_message));
    }
    return first_done;
}

static uint64_t next_transfer_time(const struct xe_core *core)
{
    const struct deferred_transfer *next = deferred_at(&core->deferred, core->next_transfer);
    return next ? next->time : UINT64_MAX;
}

void answer_transfers(struct gpu *gpu, uint64_t last)
{
    struct schedule *order = &gpu->transfers;
    for (uint32_t i = 0; i < gpu->core_count; i++) {
        gpu->cores[i].next_transfer = 0;
        schedule_set(order, i, next_transfer_time(&gpu->cores[i]));
    }
    while (schedule_first_time(order) != UINT64_MAX) {
        struct xe_core *core = &gpu->cores[schedule_first(order)];
        const struct deferred_transfer *next = deferred_at(&core->deferred, core->next_transfer);
        if (next->time <= last)
            deferred_carry_out(next);
        core->next_transfer += next->bytes;
        schedule_set(order, core->number, next_transfer_time(core));
    }
}
