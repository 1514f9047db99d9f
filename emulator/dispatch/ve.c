/* A vector engine: which of its threads issues when, and what an instruction costs there. */
#include <stdlib.h>

#include "dispatch/account.h"
#include "dispatch/gateway.h"
#include "dispatch/xe-core.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Whether the thread does not have the instruction's line yet. */
static bool leaves_line(const struct xe_core *core, const struct thread *thread,
                        const struct inst *inst)
{
    return (thread->program->address + inst->pc) >> core->line_shift != thread->fetched;
}

/* When the thread's own dependencies let `inst`, its next instruction, issue. */
static uint64_t dependencies_ready(const struct thread *thread, const struct inst *inst)
{
    const struct scoreboard *board = &thread->scoreboard;
    uint64_t ready = scoreboard_ready(board, inst, thread->ready);
    if (inst->opcode != OP_sync)
        return ready;
    if (inst->function == SYNC_ALLRD)
        return scoreboard_all_read(board, ready);
    return inst->function == SYNC_ALLWR ? scoreboard_all_written(board, ready) : ready;
}

/* Nothing but the thread's own instructions and the release from a barrier changes this. */
static inline void thread_ready(const struct xe_core *core, struct ve *ve, struct thread *thread)
{
    const struct inst *inst = &thread->program->insts[thread->index];
    uint32_t slot = thread->slot;
    thread->earliest = dependencies_ready(thread, inst);
    ve->slot_time[slot] = thread->earliest;
    ve->slot_inst[slot] = inst;
    ve->slot_pipe[slot] = inst->pipe;
    ve->slot_needs[slot] =
        (inst->is_shared ? NEEDS_OTHERS : 0) | (leaves_line(core, thread, inst) ? NEEDS_FETCH : 0);
}

void ve_thread_ready(struct xe_core *core, struct thread *thread)
{
    thread_ready(core, &core->ves[thread->ve], thread);
}

void ve_park(struct ve *ve, const struct thread *thread)
{
    ve->slot_time[thread->slot] = UINT64_MAX;
}

/* The earliest of the threads in `slots`, if it is earlier than what was found. */
static void choose_among(struct ve *ve, uint32_t slots)
{
    for (; slots; slots &= slots - 1) {
        uint32_t slot = (uint32_t)__builtin_ctz(slots);
        uint64_t time = ve_slot_time(ve, slot);
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

/* A fetch of instructions that are in the cache concerns nobody else. */
bool ve_fetch_is_shared(const struct xe_core *core, const struct ve *ve)
{
    const struct inst *inst = ve->slot_inst[ve->next_slot];
    uint64_t address = ve->threads[ve->next_slot]->program->address + inst->pc;
    return !cache_peek(&core->instructions, address >> core->line_shift);
}

/* The instruction cache: a thread that enters a line that is not there waits for it. Returns for
 * how long. */
static uint64_t fetch_delay(struct xe_core *core, struct thread *thread, uint64_t address,
                            uint64_t now)
{
    uint64_t line = address >> core->line_shift, victim;
    thread->fetched = line;
    struct cache_line *cached = cache_find(&core->instructions, line);
    if (cached)
        return cached->ready > now ? cached->ready - now : 0;
    cache_insert(&core->instructions, line, now + core->device->instruction_miss, false, &victim);
    return core->device->instruction_miss;
}

/* An arithmetic or flow instruction that issued at `now`: pipes and scoreboard. */
static void retire_local(struct ve *ve, struct thread *thread, const struct inst *inst,
                         uint64_t now, const struct device *device)
{
    uint64_t done = now + inst->latency;
    thread->ready = now + 1;
    if (inst->pipe < PIPE_SEND)
        ve->pipe_free[inst->pipe] = now + inst->occupancy;
    if (inst->scoreboard.token_use == TOKEN_SET)
        scoreboard_token(&thread->scoreboard, inst->scoreboard.token, now + inst->occupancy, done);
    scoreboard_issue(&thread->scoreboard, inst, done);
    if (inst->writes_flag)
        thread->scoreboard.flag = now + device->arf_latency;
    if (inst->writes_accumulator_result)
        thread->scoreboard.accumulator = now + inst->occupancy - 1 + device->accumulator_latency;
    if (inst->writes_address)
        thread->scoreboard.address = now + device->arf_latency;
}

void ve_end_thread(struct xe_core *core, struct ve *ve, struct thread *thread, uint64_t now,
                   struct ve_event *event)
{
    struct group *group = thread->group;
    thread->state = THREAD_ENDED;
    ve_park(ve, thread);
    ve->threads[thread->slot] = NULL;
    ve->taken &= ~(UINT32_C(1) << thread->slot);
    group_remove(group, thread);
    ve->resident--;
    core->alive--;
    if (core->counting) {
        count(&core->counters, COUNTER_thread_cycles, now + 1 - thread->started);
        core->last_end = later(core->last_end, now + 1);
    }
    /* What the thread wrote last may still be on its way. */
    group->end = later(group->end, later(now, thread->global_visible));
    if (--group->threads_left > 0) {
        gateway_thread_ended(core, group, now, event);
        return;
    }
    event->finished = group;
}

/* A message whose lines are pending: leaves word of whom to answer, and what to move. */
static int defer_message(struct xe_core *core, struct thread *thread, const struct inst *inst,
                         uint64_t now)
{
    struct pending *pending = &core->load_store.pending;
    struct pending_message *message = &pending->messages[pending->message_count - 1];
    message->thread = thread;
    message->group = thread->group;
    if (inst->scoreboard.token_use == TOKEN_SET)
        message->token = inst->scoreboard.token;
    if (message->kind == MESSAGE_FENCE)
        return 0;
    thread->unseen++;
    return deferred_add(&core->deferred, thread, now);
}

/* Whether the first level holds a line that the message touches: who loads it may get it there. */
static bool holds_line(const struct load_store *unit, const struct access *access)
{
    for (uint32_t i = 0; unit->l1.sets && i < access->line_count; i++) {
        const struct cache_line *line = cache_peek(&unit->l1, access->lines[i]);
        if (line && !(line->ready & LINE_PENDING))
            return true;
    }
    return false;
}

static int retire_access(struct xe_core *core, struct thread *thread, const struct inst *inst,
                         uint64_t now, struct message_times *times)
{
    const struct message *message = thread->message;
    const struct access *access = thread->access;
    *times = load_store_access(&core->load_store, message, access, now);
    if (message->base == BASE_SLM) {
        thread->slm_visible = later(thread->slm_visible, times->visible);
        return 0;
    }
    if (times->visible == TIME_PENDING) {
        if (message->kind == MESSAGE_STORE && holds_line(&core->load_store, access) &&
            written_add(&core->deferred.written, &access->transfer, access->places,
                        thread->registers + access->transfer.source))
            return -1;
        return defer_message(core, thread, inst, now);
    }
    thread->global_visible = later(thread->global_visible, times->visible);
    if (access->later && message->kind == MESSAGE_LOAD)
        deferred_load_now(&core->deferred, thread);
    return 0;
}

static uint64_t retire_fence(struct xe_core *core, struct thread *thread, const struct inst *inst,
                             uint64_t now)
{
    uint64_t visible = thread->unseen ? TIME_PENDING : thread->global_visible;
    uint64_t done =
        load_store_fence(&core->load_store, thread->message, thread->slm_visible, visible, now);
    if (done == TIME_PENDING)
        defer_message(core, thread, inst, now);
    return done;
}

static int retire_send(struct xe_core *core, struct ve *ve, struct thread *thread,
                       const struct inst *inst, uint64_t now, struct ve_event *event)
{
    const struct message *message = thread->message;
    struct message_times times = {now + 1, now + core->device->other_send_latency, now};
    thread->ready = now + 1;
    ve->pipe_free[PIPE_SEND] = now + core->device->send_arbitration;
    switch (message->kind) {
    case MESSAGE_LOAD:
    case MESSAGE_STORE:
    case MESSAGE_ATOMIC:
        if (retire_access(core, thread, inst, now, &times))
            return -1;
        break;
    case MESSAGE_FENCE:
        times.destination = retire_fence(core, thread, inst, now);
        break;
    case MESSAGE_BARRIER:
        count(&core->counters, COUNTER_barrier_messages, 1);
        if (gateway_signal(core, thread, inst, now, event))
            return -1;
        times.destination = times.source;
        break;
    case MESSAGE_END_OF_THREAD:
        count(&core->counters, COUNTER_end_messages, 1);
        ve_end_thread(core, ve, thread, now, event);
        return 0;
    default:
        break;
    }
    if (inst->scoreboard.token_use == TOKEN_SET)
        scoreboard_token(&thread->scoreboard, inst->scoreboard.token, times.source,
                         times.destination);
    return 0;
}

int ve_issue(struct xe_core *core, struct ve *ve, struct ve_event *event)
{
    struct thread *thread = ve->threads[ve->next_slot];
    const struct inst *inst = ve->slot_inst[ve->next_slot];
    uint64_t now = ve->next_time;
    if (ve->slot_needs[ve->next_slot] & NEEDS_FETCH) {
        uint64_t delay = fetch_delay(core, thread, thread->program->address + inst->pc, now);
        if (delay) { /* the thread tries again when the line is there */
            if (core->counting)
                account_wait(core, ve, thread, now);
            thread->ready = now + delay;
            thread->ready_reason = COUNTER_supply_stall_cycles;
            thread_ready(core, ve, thread);
            return 0;
        }
    }
    if (core->counting)
        account_issue(core, ve, thread, inst, now);
    ve->last_slot = ve->next_slot;
    thread->index = (uint32_t)inst->next;
    if (inst->reads_clock)
        thread_write_clock(thread, now);
    if (inst->execute(thread, inst))
        return -1;
    if (thread->index >= thread->program->count && !inst->end_of_thread)
        return thread_fault(thread, inst, "the thread runs past its last instruction");
    if (inst->pipe == PIPE_SEND) {
        if (retire_send(core, ve, thread, inst, now, event))
            return -1;
    } else {
        retire_local(ve, thread, inst, now, core->device);
    }
    if (inst->is_flow) {
        thread_write32(thread, ARF_CE, thread->active);
        if (thread->index != (uint32_t)inst->next) {
            thread->ready = now + core->device->branch_latency;
            thread->ready_reason = COUNTER_branch_stall_cycles;
        }
    } else if (inst->opcode == OP_sync && inst->function == SYNC_BAR) {
        gateway_wait(ve, thread);
    }
    if (thread->state == THREAD_READY)
        thread_ready(core, ve, thread);
    return 0;
}
