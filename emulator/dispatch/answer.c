#include "dispatch/answer.h"

static uint64_t next_message_time(const struct xe_core *core, uint32_t next)
{
    const struct pending *pending = &core->load_store.pending;
    return next < pending->message_count ? pending->messages[next].time : UINT64_MAX;
}

uint64_t answer_messages(struct gpu *gpu)
{
    struct schedule *order = &gpu->answers;
    uint64_t first_done = UINT64_MAX;
    for (uint32_t i = 0; i < gpu->core_count; i++) {
        gpu->cores[i].next_message = 0;
        schedule_set(order, i, next_message_time(&gpu->cores[i], 0));
    }
    for (uint32_t i; (i = schedule_first(order), schedule_first_time(order)) != UINT64_MAX;) {
        struct xe_core *core = &gpu->cores[i];
        struct pending *pending = &core->load_store.pending;
        uint64_t other = schedule_second_time(order), time;
        do {
            struct pending_message *message = &pending->messages[core->next_message++];
            if (message->line_count) { /* not a fence */
                pending_answer(pending, message, &gpu->memory);
                if (message->visible < first_done)
                    first_done = message->visible;
                if (message->visible > message->group->end)
                    message->group->end = message->visible;
            }
            time = next_message_time(core, core->next_message);
        } while (time < other);
        schedule_set(order, i, time);
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
    for (uint32_t i; (i = schedule_first(order), schedule_first_time(order)) != UINT64_MAX;) {
        struct xe_core *core = &gpu->cores[i];
        uint64_t other = schedule_second_time(order), time;
        do {
            const struct deferred_transfer *next =
                deferred_at(&core->deferred, core->next_transfer);
            if (next->time <= last)
                deferred_carry_out(next);
            core->next_transfer += next->bytes;
            time = next_transfer_time(core);
        } while (time < other);
        schedule_set(order, i, time);
    }
}
