#include "gpu/stall-accounting.h"

#include "timing/cycles.h"

void stall_accounting_begin(struct xe_core *core, uint64_t start)
{
    core->counters = core->load_store.counters = (struct counters){{0}};
    core->load_store.slm_spare = 0;
    core->first_start = UINT64_MAX;
    core->last_end = 0;
    for (uint64_t i = 0; i < core->device->ves_per_xe_core; i++)
        core->ves[i].accounted_until = start;
}

/* Why the scoreboard held back the thread's next instruction. */
static enum counter scoreboard_reason(const struct thread_slot *slot)
{
    const struct issue *issue = &slot->thread.program->issues[slot->thread.index];

    switch (scoreboard_cause(&slot->scoreboard, issue, slot->ready)) {
    case SCOREBOARD_CAUSE_DISTANCE:
        return COUNTER_distance_stall_cycles;
    case SCOREBOARD_CAUSE_REGISTER:
        return COUNTER_register_stall_cycles;
    default: /* sync.allrd and allwr wait for tokens too */
        return COUNTER_token_stall_cycles;
    }
}

/* Attributes the cycles [from, to), in which the thread waited, to its reasons in turn. */
static void charge(struct xe_core *core, const struct thread_slot *slot, uint64_t from, uint64_t to)
{
    struct counters *counters = &core->counters;

    if (slot->state == SLOT_AT_BARRIER) {
        count(counters, COUNTER_barrier_stall_cycles, to - from);
        return;
    }
    if (from < slot->ready) {
        uint64_t end = earlier(to, slot->ready);

        count(counters, (enum counter)slot->ready_reason, end - from);
        from = end;
    }
    if (from < to && from < slot->earliest) {
        uint64_t end = earlier(to, slot->earliest);

        count(counters, scoreboard_reason(slot), end - from);
        from = end;
    }
    if (from < to)
        count(counters,
              core->ves[slot->ve].slot_port[slot->number] == PIPE_SEND ? COUNTER_send_stall_cycles
                                                                       : COUNTER_pipe_stall_cycles,
              to - from);
}

/* The thread that has been resident on the vector engine longest. */
static const struct thread_slot *oldest_thread(const struct xe_core *core, const struct ve *ve)
{
    const struct thread_slot *oldest = NULL;

    for (uint64_t i = 0; i < core->device->threads_per_ve; i++) {
        const struct thread_slot *slot = ve->slots[i];

        if (slot && (!oldest || slot->started < oldest->started))
            oldest = slot;
    }
    return oldest;
}

/* The part of [from, now) before `slot`'s thread started. No thread has ended since `from`, so the
 * others were here then, unless they started later. Returns where the thread's own part begins. */
static uint64_t account_before(struct xe_core *core, const struct ve *ve,
                               const struct thread_slot *slot, uint64_t from, uint64_t now)
{
    const struct thread_slot *oldest = oldest_thread(core, ve);

    if (oldest->started > from) {
        uint64_t end = earlier(oldest->started, now);

        count(&core->counters, COUNTER_idle_cycles, end - from);
        from = end;
    }
    if (from < now && slot->started > from) {
        uint64_t end = earlier(slot->started, now);

        charge(core, oldest, from, end);
        from = end;
    }
    return from;
}

void stall_accounting_wait(struct xe_core *core, struct ve *ve, const struct thread_slot *slot,
                           uint64_t now)
{
    uint64_t from = ve->accounted_until;

    if (from >= now)
        return;
    ve->accounted_until = now;
    if (slot->started > from)
        from = account_before(core, ve, slot, from, now);
    if (from < now)
        charge(core, slot, from, now);
}

static enum counter instruction_counter(const struct inst *inst)
{
    static const uint8_t counters[PIPE_COUNT] = {
        [PIPE_FLOAT] = COUNTER_float_instructions,
        [PIPE_INTEGER] = COUNTER_integer_instructions,
        [PIPE_LONG] = COUNTER_long_instructions,
        [PIPE_MATH] = COUNTER_math_instructions,
        [PIPE_SYSTOLIC] = COUNTER_systolic_instructions,
        [PIPE_SEND] = COUNTER_send_instructions,
        [PIPE_NONE] = COUNTER_control_instructions,
    };

    return inst->is_flow ? COUNTER_control_instructions : (enum counter)counters[inst->pipe];
}

void stall_accounting_issue(struct xe_core *core, struct ve *ve, const struct thread_slot *slot,
                            const struct inst *inst, uint64_t now)
{
    stall_accounting_wait(core, ve, slot, now);
    count(&core->counters, instruction_counter(inst), 1);
    if (ve->accounted_until > now) /* another thread issued in the same cycle, to another pipe */
        return;
    count(&core->counters, COUNTER_issue_cycles, 1);
    ve->accounted_until = now + 1;
}

void stall_accounting_end(struct xe_core *core, uint64_t end)
{
    for (uint64_t i = 0; i < core->device->ves_per_xe_core; i++) {
        struct ve *ve = &core->ves[i];

        count(&core->counters, COUNTER_idle_cycles,
              later(end, ve->accounted_until) - ve->accounted_until);
        ve->accounted_until = end;
    }
}
