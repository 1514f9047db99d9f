/* A vector engine: which of its threads issues when, and the cost of an instruction. */
#include <errno.h>

#include "gpu/gateway.h"
#include "gpu/stall-accounting.h"
#include "gpu/xe-core.h"

/* Whether the thread still has to fetch the instruction's line. */
static bool leaves_line(const struct xe_core *core, const struct thread_slot *slot,
                        const struct inst *inst)
{
    return (slot->thread.program->address + inst->pc) >> core->line_shift != slot->fetched;
}

/* When the thread's own dependencies allow `inst`, its next instruction, to issue. */
static uint64_t dependencies_ready(const struct thread_slot *slot, const struct inst *inst)
{
    const struct scoreboard *board = &slot->scoreboard;
    uint64_t ready = scoreboard_ready(board, inst, slot->ready);

    if (inst->opcode != OP_sync)
        return ready;
    if (inst->function == SYNC_ALLRD)
        return scoreboard_all_read(board, ready);
    return inst->function == SYNC_ALLWR ? scoreboard_all_written(board, ready) : ready;
}

/* Only changes through the thread's own instructions and a barrier's release. */
static inline void slot_ready(const struct xe_core *core, struct ve *ve, struct thread_slot *slot)
{
    const struct inst *inst = &slot->thread.program->insts[slot->thread.index];
    uint32_t number = slot->number;

    slot->earliest = dependencies_ready(slot, inst);
    ve->slot_time[number] = slot->earliest;
    ve->slot_inst[number] = inst;
    ve->slot_port[number] = inst->port;
    ve->slot_needs[number] =
        (inst->is_shared ? NEEDS_OTHERS : 0) | (leaves_line(core, slot, inst) ? NEEDS_FETCH : 0);
}

void ve_slot_ready(struct xe_core *core, struct thread_slot *slot)
{
    slot_ready(core, &core->ves[slot->ve], slot);
}

void ve_park(struct ve *ve, const struct thread_slot *slot)
{
    ve->slot_time[slot->number] = UINT64_MAX;
}

/* When the thread in a slot can issue. */
static uint64_t slot_time(const struct ve *ve, uint32_t slot)
{
    uint64_t pipe = ve->port_free[ve->slot_port[slot]], own = ve->slot_time[slot];

    return pipe > own ? pipe : own;
}

/* Chooses the earliest of the threads in `slots`, if earlier than the current choice. */
static void choose_among(struct ve *ve, uint32_t slots)
{
    for (; slots; slots &= slots - 1) {
        uint32_t slot = (uint32_t)__builtin_ctz(slots);
        uint64_t time = slot_time(ve, slot);

        if (time < ve->next_time) {
            ve->others_time = ve->next_time;
            ve->next_time = time;
            ve->next_slot = slot;
        } else if (time < ve->others_time) {
            ve->others_time = time;
        }
    }
}

void ve_choose(struct ve *ve)
{
    uint32_t up_to_last = (UINT32_C(2) << ve->last_slot) - 1;

    ve->next_time = ve->others_time = UINT64_MAX;
    /* round robin from the one after the last */
    choose_among(ve, ve->taken & ~up_to_last);
    choose_among(ve, ve->taken & up_to_last);
}

/* Like ve_choose(), for when the chosen thread has issued and changed only its own slot and
 * pipe. */
static void choose_after_turn(struct ve *ve)
{
    uint64_t time = slot_time(ve, ve->next_slot);

    if (time < ve->others_time)
        ve->next_time = time;
    else
        ve_choose(ve);
}

/* A fetch that hits the cache affects nobody else. */
static bool fetch_is_shared(const struct xe_core *core, const struct ve *ve)
{
    const struct inst *inst = ve->slot_inst[ve->next_slot];
    uint64_t address = ve->slots[ve->next_slot]->thread.program->address + inst->pc;

    return !cache_peek(&core->instructions, address >> core->line_shift);
}

/* Whether the next instruction affects more than its vector engine: a message, a sync, or one that
 * has to be fetched. */
static bool next_is_shared(const struct xe_core *core, const struct ve *ve)
{
    uint8_t needs = ve->slot_needs[ve->next_slot];

    return needs && ((needs & NEEDS_OTHERS) || fetch_is_shared(core, ve));
}

/* The instruction cache: a thread that enters a missing line waits for it. Returns the wait in
 * cycles. */
static uint64_t fetch_delay(struct xe_core *core, struct thread_slot *slot, uint64_t address,
                            uint64_t now)
{
    uint64_t line = address >> core->line_shift, victim;

    slot->fetched = line;
    struct cache_line *cached = cache_find(&core->instructions, line);
    if (cached)
        return cached->ready > now ? cached->ready - now : 0;
    cache_insert(&core->instructions, line, now + core->device->instruction_miss, false, &victim);
    return core->device->instruction_miss;
}

/* Updates pipes and scoreboard for an arithmetic or flow instruction issued at `now`. */
static void retire_local(struct ve *ve, struct thread_slot *slot, const struct inst *inst,
                         uint64_t now, const struct vesim_device *device)
{
    uint64_t done = now + inst->latency;

    slot->ready = now + 1;
    if (inst->pipe < PIPE_SEND)
        ve->port_free[inst->port] = now + inst->occupancy;
    if (inst->scoreboard.token_use == TOKEN_SET)
        scoreboard_token(&slot->scoreboard, inst->scoreboard.token, now + inst->occupancy, done);
    scoreboard_issue(&slot->scoreboard, inst, done);
    if (inst->writes_flag)
        slot->scoreboard.flag = now + device->arf_latency;
    if (inst->writes_accumulator_result)
        slot->scoreboard.accumulator = now + inst->occupancy - 1 + device->accumulator_latency;
    if (inst->writes_address)
        slot->scoreboard.address = now + device->arf_latency;
}

/* The next instruction is in a line that its thread does not have. Returns whether the thread has
 * to wait for the line; if so, it tries again when the line arrives. */
static bool waits_for_line(struct xe_core *core, struct ve *ve, struct thread_slot *slot,
                           const struct inst *inst, uint64_t now)
{
    uint64_t delay = fetch_delay(core, slot, slot->thread.program->address + inst->pc, now);

    if (delay == 0)
        return false;
    if (core->counting)
        stall_accounting_wait(core, ve, slot, now);
    slot->ready = now + delay;
    slot->ready_reason = COUNTER_supply_stall_cycles;
    slot_ready(core, ve, slot);
    return true;
}

/* Issues and executes the next instruction, and adds to `event`. Returns 0, or -1 with the fault
 * set. */
static inline int issue(struct xe_core *core, struct ve *ve, struct ve_event *event)
{
    struct thread_slot *slot = ve->slots[ve->next_slot];
    const struct inst *inst = ve->slot_inst[ve->next_slot];
    uint64_t now = ve->next_time;

    if ((ve->slot_needs[ve->next_slot] & NEEDS_FETCH) && waits_for_line(core, ve, slot, inst, now))
        return 0;
    if (core->counting)
        stall_accounting_issue(core, ve, slot, inst, now);
    ve->last_slot = ve->next_slot;
    slot->thread.index = (uint32_t)inst->next;
    if (inst->reads_clock)
        thread_write_clock(&slot->thread, now);
    if (inst->execute(&slot->thread, inst))
        return -1;
    if (slot->thread.index >= slot->thread.program->count && !inst->end_of_thread)
        return thread_fault(&slot->thread, inst, "the thread runs past its last instruction");
    if (inst->pipe == PIPE_SEND) {
        if (ve_retire_send(core, ve, slot, inst, now, event))
            return -1;
    } else {
        retire_local(ve, slot, inst, now, core->device);
    }
    if (inst->is_flow) {
        thread_write32(&slot->thread, ARF_CE, slot->thread.active);
        if (slot->thread.index != (uint32_t)inst->next) {
            slot->ready = now + core->device->branch_latency;
            slot->ready_reason = COUNTER_branch_stall_cycles;
        }
    } else if (inst->opcode == OP_sync && inst->function == SYNC_BAR) {
        gateway_wait(core, ve, slot, inst);
    }
    if (slot->state == SLOT_READY)
        slot_ready(core, ve, slot);
    return 0;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* Instructions that affect what the engines share execute in time order. The engine's own
 * instructions may run ahead: nothing can affect them sooner than barrier_latency after another
 * engine's turn, when a barrier may release one of its waiting threads. */
int ve_run(struct xe_core *core, struct ve *ve, uint64_t others, uint64_t until, uint64_t budget,
           struct ve_event *event)
{
    uint64_t limit, released = add_saturating(others, core->device->barrier_latency);

    others = others < until ? others : until;
    released = released < until ? released : until;
    do {
        core->fault_time = ve->next_time;
        if (issue(core, ve, event))
            return -EFAULT;
        core->executed++;
        choose_after_turn(ve);
        if (event->released || event->finished || ve->next_time == UINT64_MAX)
            break;
        limit = next_is_shared(core, ve) ? others : ve->waiting > 0 ? released : until;
    } while (ve->next_time < limit && core->executed < budget);
    return 0;
}
