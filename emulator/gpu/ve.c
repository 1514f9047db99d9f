/* A vector engine: which of its threads issues when, and the cost of an instruction. */
#include <errno.h>

#include "gpu/gateway.h"
#include "gpu/recording.h"
#include "gpu/stall-accounting.h"
#include "gpu/xe-core.h"
#include "isa/compile/compile.h"
#include "isa/decode/program-calls.h"

/* Only changes through the thread's own instructions and a barrier's release. */
static inline void slot_ready(struct ve *ve, struct thread_slot *slot)
{
    const struct thread *thread = &slot->thread;
    const struct issue *issue = &thread->program->issues[thread->index];
    uint32_t number = slot->number, needs = issue->needs & ~(uint32_t)NEEDS_FETCH;

    slot->earliest = scoreboard_ready(&slot->scoreboard, issue, slot->ready);
    ve->slot_time[number] = slot->earliest;
    ve->slot_issue[number] = issue;
    ve->slot_port[number] = issue->port;
    ve->slot_needs[number] = needs | (issue->line != slot->fetched ? NEEDS_FETCH : 0);
    ve->runnable |= UINT32_C(1) << number;
}

void ve_slot_ready(struct xe_core *core, struct thread_slot *slot)
{
    slot_ready(&core->ves[slot->ve], slot);
}

void ve_park(struct ve *ve, const struct thread_slot *slot)
{
    ve->slot_time[slot->number] = UINT64_MAX;
    ve->runnable &= ~(UINT32_C(1) << slot->number);
}

/* Chooses one of two threads, `low` being the one in the lower slot. */
static inline struct choice choose_of_two(const struct ve *ve, uint32_t low, uint32_t high,
                                          uint32_t last)
{
    uint64_t of_low = issue_time(ve, low), of_high = issue_time(ve, high);
    bool high_is_next = low < last && high >= last;

    if (__builtin_expect(of_high < of_low || (of_high == of_low && high_is_next), false))
        return (struct choice){of_high, high, of_low};
    return (struct choice){of_low, low, of_high};
}

/* Of two times the earlier is chosen, and of equal ones the lower rank: both are one number. */
#define RANK_BITS 4
#define RANK_MASK ((1u << RANK_BITS) - 1)

_Static_assert(VE_MAX_THREADS <= 1u << RANK_BITS, "a rank for each slot");

/* Without branches that depend on times: of many threads nobody can predict them. */
static inline struct choice choose_of_many(const struct ve *ve, uint32_t last)
{
    uint64_t best = UINT64_MAX;

    for (uint32_t slots = ve->runnable; slots; slots &= slots - 1) {
        uint32_t slot = (uint32_t)__builtin_ctz(slots);

        best = earlier(best, issue_time(ve, slot) << RANK_BITS | ((slot - last) & RANK_MASK));
    }
    return best >> RANK_BITS == UINT64_MAX >> RANK_BITS
               ? (struct choice){UINT64_MAX, last, 0}
               : (struct choice){best >> RANK_BITS, (uint32_t)(best + last) & RANK_MASK, 0};
}

/* The thread that can issue first: among equals the one of slot `last`, which goes on until it has
 * to wait, then in turn those behind it; or, as `turn_mask` says, the one in the lowest slot. */
static inline struct choice choose_from(const struct ve *ve, uint32_t last)
{
    uint32_t but_one = ve->runnable & (ve->runnable - 1);

    last &= ve->turn_mask;
    if (but_one & (but_one - 1)) /* more than two */
        return choose_of_many(ve, last);
    if (ve->runnable == 0)
        return (struct choice){UINT64_MAX, last, 0};
    uint32_t low = (uint32_t)__builtin_ctz(ve->runnable);
    if (but_one)
        return choose_of_two(ve, low, (uint32_t)__builtin_ctz(but_one), last);
    return (struct choice){issue_time(ve, low), low, UINT64_MAX};
}

void ve_choose(struct ve *ve)
{
    struct choice next = choose_from(ve, ve->last_slot);

    ve->next_time = next.time;
    ve->next_slot = next.slot;
}

static inline uint64_t line_of(const struct thread_slot *slot, const struct issue *issue)
{
    return slot->thread.program->line + issue->line;
}

/* Whether the instruction affects more than its vector engine: a message, or one whose line has to
 * be fetched from memory; one that hits the cache affects nobody else. */
static inline bool is_shared(const struct xe_core *core, const struct ve *ve, uint32_t number)
{
    uint32_t needs = ve->slot_needs[number];

    return (needs & NEEDS_OTHERS) ||
           ((needs & NEEDS_FETCH) &&
            !cache_peek(&core->instructions, line_of(ve->slots[number], ve->slot_issue[number])));
}

/* The instruction cache: a thread that enters a missing line waits for it. Returns the wait in
 * cycles. */
static uint64_t fetch_delay(struct xe_core *core, uint64_t line, uint64_t now)
{
    struct cache_line *cached = cache_find(&core->instructions, line);
    uint64_t victim;

    if (cached)
        return cached->ready > now ? cached->ready - now : 0;
    cache_insert(&core->instructions, line, now + core->device->instruction_miss, false, &victim);
    return core->device->instruction_miss;
}

/* The next instruction is in a line that its thread does not have. Returns whether the thread has
 * to wait for the line; if so, it tries again when the line arrives. */
static inline bool waits_for_line(struct xe_core *core, struct ve *ve, struct thread_slot *slot,
                                  const struct issue *issue, uint64_t now)
{
    uint64_t delay = fetch_delay(core, line_of(slot, issue), now);

    slot->fetched = issue->line;
    if (delay == 0)
        return false;
    if (core->counting)
        stall_accounting_wait(core, ve, slot, now);
    slot->ready = now + delay;
    slot->ready_reason = COUNTER_supply_stall_cycles;
    slot_ready(ve, slot);
    return true;
}

/* Executes instructions by compiled code, up to the first that has to wait until it issues. */
static int run_block(struct thread_slot *slot, const struct block *block)
{
    uint32_t index = slot->thread.index; /* the next to issue, which the block does not know */
    uint64_t executed = 0;
    int32_t at = compiled_run(block, &slot->thread, index, &executed, UINT64_MAX);

    slot->thread.index = index;
    if (at < 0)
        return -1;
    slot->ahead = (uint32_t)at / 2;
    return 0;
}

/* Executes several instructions, from the thread's next one on. One that fails does so once it
 * issues. Returns 0, or -1 with the fault set. */
static int run_stretch(struct thread_slot *slot)
{
    const struct program *program = slot->thread.program;
    uint32_t index = slot->thread.index;

    if (program->ahead && index < program->count) { /* not a function of another module */
        const struct block *block =
            compiled_find(program->ahead, &slot->thread, index, 0, UINT64_MAX);

        if (block)
            return run_block(slot, block);
    }
    if (program->insts[index].execute(&slot->thread, &program->insts[index]))
        return -1;
    while (program->issues[++index].joins)
        if (program->insts[index].execute(&slot->thread, &program->insts[index]))
            break;
    slot->ahead = index;
    return 0;
}

/* Executes instructions from the thread's next one on, whose record is `issue`, up to the first
 * that has to wait until it issues: most often, that is the one behind. Returns 0, or -1 with the
 * fault set. */
static inline int run_ahead(struct thread_slot *slot, const struct issue *issue)
{
    const struct inst *inst = &slot->thread.program->insts[slot->thread.index];

    return issue[1].joins ? run_stretch(slot) : inst->execute(&slot->thread, inst);
}

bool thread_slot_execute(struct thread_slot *slot, uint32_t count)
{
    const uint32_t index = slot->thread.index, end = index + count;
    bool done = true;

    if (slot->ahead < index)
        slot->ahead = index;
    while (done && slot->ahead < end) {
        uint32_t at = slot->thread.index = slot->ahead++;

        if (run_ahead(slot, &slot->thread.program->issues[at])) {
            slot->ahead = at;
            done = false;
        }
    }
    slot->thread.index = index;
    return done;
}

/* What later instructions of the thread will wait for, beyond a distance. */
static void mark(struct scoreboard *board, const struct issue *issue, uint64_t now,
                 const struct vesim_device *device)
{
    if (issue->marks & MARKS_TOKEN)
        scoreboard_token(board, issue->token, now + issue->occupancy, now + issue->latency);
    if (issue->marks & MARKS_FLAG)
        scoreboard_set(board->flags, issue->flags_written, now + device->arf_latency);
    if (issue->marks & MARKS_ACCUMULATOR)
        scoreboard_set(board->accumulators, issue->accumulators_written,
                       now + issue->occupancy - 1 + device->accumulator_latency);
    if (issue->marks & MARKS_ADDRESS)
        board->address = now + device->arf_latency;
}

/* The clock's side of an instruction that changes its own thread and pipe alone. */
static inline void retire(struct ve *ve, struct thread_slot *slot, const struct issue *issue,
                          uint64_t now, const struct vesim_device *device)
{
    slot->ready = now + 1;
    ve->port_free[issue->port] = now + issue->occupancy;
    scoreboard_issue(&slot->scoreboard, issue, now + issue->latency);
    if (issue->marks)
        mark(&slot->scoreboard, issue, now, device);
}

/* The thread goes on with the instruction whose record follows `issue` in the kernel. */
static inline void goes_on(struct ve *ve, struct thread_slot *slot, const struct issue *issue)
{
    set_next(ve, slot, issue + 1, scoreboard_ready(&slot->scoreboard, issue + 1, slot->ready));
}

/* Issues an instruction between messages and branches: its execution may be done already. What the
 * thread goes on with is left to the caller. Returns 0, or -1 with the fault set. */
static inline int issue_in_stretch(const struct xe_core *core, struct ve *ve,
                                   struct thread_slot *slot, const struct issue *issue,
                                   uint64_t now)
{
    if (slot->thread.index >= slot->ahead && run_ahead(slot, issue))
        return -1;
    retire(ve, slot, issue, now, core->device);
    slot->thread.index++;
    return 0;
}

/* Issues and executes a message that the next instruction follows, and adds to `event`. Returns 0,
 * or -1 with the fault set. */
static inline int issue_send(struct xe_core *core, struct ve *ve, struct thread_slot *slot,
                             const struct issue *issue, uint64_t now, struct ve_event *event)
{
    const struct inst *inst = &slot->thread.program->insts[slot->thread.index];

    slot->ahead = 0;
    slot->thread.index++;
    if (inst->execute(&slot->thread, inst) || ve_retire_send(core, ve, slot, inst, now, event))
        return -1;
    goes_on(ve, slot, issue);
    return 0;
}

/* Behind the last instruction of a program, or of a function outside. */
static int check_end(struct thread_slot *slot, const struct inst *inst)
{
    if (slot->thread.index < program_end(slot->thread.program) || inst->end_of_thread)
        return 0;
    return thread_fault(&slot->thread, inst, "the thread runs past its last instruction");
}

/* The same for a branch, a sync, the last message, … */
static int issue_step(struct xe_core *core, struct ve *ve, struct thread_slot *slot,
                      const struct issue *issue, uint64_t now, struct ve_event *event)
{
    const struct inst *inst = &slot->thread.program->insts[slot->thread.index];

    slot->ahead = 0;
    slot->thread.index = (uint32_t)inst->next;
    if (inst->reads_clock)
        thread_write_clock(&slot->thread, now);
    if (inst->execute(&slot->thread, inst) || (inst->is_last && check_end(slot, inst)))
        return -1;
    if (inst->pipe == PIPE_SEND) {
        if (ve_retire_send(core, ve, slot, inst, now, event))
            return -1;
    } else if (inst->pipe == PIPE_NONE) {
        slot->ready = now + 1;
    } else {
        retire(ve, slot, issue, now, core->device);
    }
    if (inst->is_flow) {
        thread_write32(&slot->thread, ARF_CE, slot->thread.active);
        if (slot->thread.index != (uint32_t)inst->next) {
            slot->ready = now + core->device->branch_latency;
            slot->ready_reason = COUNTER_branch_stall_cycles;
        }
    } else if (inst->opcode == OP_sync && inst->function == SYNC_BAR) {
        gateway_wait(core, slot, inst);
    }
    if (slot->state != SLOT_READY)
        return 0;
    if (slot->thread.index == (uint32_t)inst->next)
        goes_on(ve, slot, issue);
    else
        slot_ready(ve, slot);
    return 0;
}

/* Issues the next instruction of the thread in slot `number`, and adds to `event`. Returns 0, or -1
 * with the fault set. */
static inline int issue_next(struct xe_core *core, struct ve *ve, uint32_t number, uint64_t now,
                             struct ve_event *event)
{
    struct thread_slot *slot = ve->slots[number];
    const struct issue *issue = ve->slot_issue[number];
    uint32_t needs = ve->slot_needs[number];

    if ((needs & NEEDS_FETCH) && waits_for_line(core, ve, slot, issue, now))
        return 0;
    if (core->counting)
        stall_accounting_issue(core, ve, slot, &slot->thread.program->insts[slot->thread.index],
                               now);
    ve->last_slot = number;
    if (!(needs & NEEDS_STEP)) {
        if (issue_in_stretch(core, ve, slot, issue, now))
            return -1;
        goes_on(ve, slot, issue);
        return 0;
    }
    core->fault_time = now;
    return needs & NEEDS_SEND_ALONE ? issue_send(core, ve, slot, issue, now, event)
                                    : issue_step(core, ve, slot, issue, now, event);
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* Whether the instruction's line is there, where it is looked for first. */
static inline bool fetch_hits(struct xe_core *core, struct thread_slot *slot,
                              const struct issue *issue, uint64_t now)
{
    uint64_t line = line_of(slot, issue);
    const struct cache_line *first = cache_set(&core->instructions, line);

    if (!cache_is_line(&core->instructions, first, line) || first->ready > now)
        return false;
    slot->fetched = issue->line;
    return true;
}

/* Whether the instruction of this record can issue at `now`, and changes its thread and engine
 * alone. */
static inline bool is_plain_issue(struct xe_core *core, struct thread_slot *slot,
                                  const struct issue *issue, uint32_t needs, uint64_t now)
{
    return needs == 0 || (needs == NEEDS_FETCH && fetch_hits(core, slot, issue, now));
}

/* The same of the chosen thread's next instruction. */
static inline bool is_plain(struct xe_core *core, struct ve *ve, const struct choice *next)
{
    return is_plain_issue(core, ve->slots[next->slot], ve->slot_issue[next->slot],
                          ve->slot_needs[next->slot], next->time);
}

/* Issues plain instructions of the thread of `next`, from its next one on, as long as no other can
 * come first, and up to cycle `limit`, or until `left` have issued; counts them in `executed`. No
 * thread has to be chosen meanwhile, and what the choice reads is written once. Returns 0, or -1
 * with the fault set. */
static inline int issue_streak(struct xe_core *core, struct ve *ve, uint64_t limit, uint64_t left,
                               struct choice *next, uint64_t *executed, struct recording *recording)
{
    struct thread_slot *slot = ve->slots[next->slot];
    const struct issue *issue = ve->slot_issue[next->slot];
    uint64_t now = next->time, earliest;

    limit = earlier(limit, next->others);
    ve->last_slot = next->slot;
    do {
        if (issue_in_stretch(core, ve, slot, issue, now)) {
            next->time = now;
            return -1;
        }
        recording_note(recording, next->slot, now);
        issue++;
        ++*executed;
        earliest = scoreboard_ready(&slot->scoreboard, issue, now + 1);
        now = later(earliest, ve->port_free[issue->port]);
    } while (now < limit && *executed < left &&
             is_plain_issue(core, slot, issue, issue->needs, now));
    set_next(ve, slot, issue, earliest);
    return 0;
}

/* Issues one, and counts it. */
static inline int issue_one(const struct xe_core *core, struct ve *ve, const struct choice *next,
                            uint64_t *executed, struct recording *recording)
{
    struct thread_slot *slot = ve->slots[next->slot];
    const struct issue *issue = ve->slot_issue[next->slot];

    ve->last_slot = next->slot;
    if (issue_in_stretch(core, ve, slot, issue, next->time))
        return -1;
    recording_note(recording, next->slot, next->time);
    ++*executed;
    goes_on(ve, slot, issue);
    return 0;
}

/* Issues instructions, from that of `next` on, which is plain, to one that is not, or up to cycle
 * `limit`, or until `left` have issued; leaves the next in `next`. Notes them in `recording`,
 * unless that is NULL. Returns 0, or -1 with the fault set. */
static inline int issue_plain(struct xe_core *core, struct ve *ve, uint64_t limit, uint64_t left,
                              struct choice *next, struct recording *recording)
{
    uint64_t executed = 0;
    int status;

    do {
        status = next->others ? issue_streak(core, ve, limit, left, next, &executed, recording)
                              : issue_one(core, ve, next, &executed, recording);
        if (status)
            break;
        *next = choose_from(ve, next->slot);
    } while (next->time < limit && executed < left && is_plain(core, ve, next));
    core->executed += executed;
    return status;
}

/* Issues the instructions of a remembered run one by one, and compares. */
static int issue_checked(struct xe_core *core, struct ve *ve, const struct run *run, uint64_t limit,
                         struct choice *next)
{
    struct thread *thread = &ve->slots[next->slot]->thread;
    const struct inst *first = &thread->program->insts[thread->index];
    struct recording *recording = remembered_check_with(&core->remembered, ve, next);
    int status =
        recording ? issue_plain(core, ve, limit, remembered_length(run), next, recording) : -1;

    if (status || remembered_matches(&core->remembered, run, ve, next))
        return status;
    thread_fault(thread, first,
                 "what is remembered of its timing and what is computed differ in the "
                 "run that begins");
    return -1;
}

/* The same, in one step if the engine's state is one that is remembered. Not inline: loops between
 * messages never come here. */
__attribute__((noinline)) static int issue_remembered(struct xe_core *core, struct ve *ve,
                                                      uint64_t limit, uint64_t left,
                                                      struct choice *next)
{
    struct remembered *remembered = &core->remembered;
    struct place *place = remembered_place(remembered, ve, next->slot);
    const struct run *checked = NULL;
    uint32_t replayed = 0;

    if (place && remembered->is_checked)
        checked = remembered_find(core, ve, place, limit, left, next);
    else if (place)
        replayed = remembered_replay(core, ve, place, limit, left, next);
    if (checked)
        return issue_checked(core, ve, checked, limit, next);
    if (replayed) {
        core->executed += replayed;
        return 0;
    }
    uint64_t before = core->executed;
    struct recording *recording =
        place ? remembered_record(remembered, place, ve, limit, next) : NULL;
    if (recording)
        left = earlier(left, RECORDING_LONGEST);
    int status = issue_plain(core, ve, limit, left, next, recording);
    if (place && !status)
        remembered_learn(remembered, place, core->executed - before, recording, ve, next);
    return status;
}

/* Instructions that affect what the engines share execute in time order. The engine's own
 * instructions may run ahead: nothing can affect them sooner than barrier_latency after another
 * engine's turn, when a barrier may release one of its waiting threads. */
int ve_run(struct xe_core *core, struct ve *ve, uint64_t others, uint64_t until, uint64_t budget,
           struct ve_event *event)
{
    uint64_t released = add_saturating(others, core->device->barrier_latency), limit, left;
    struct choice next = {ve->next_time, ve->next_slot, 0};
    int status;

    others = earlier(others, until);
    released = earlier(released, until);
    do {
        if (!core->counting && is_plain(core, ve, &next)) {
            limit = ve->waiting > 0 ? released : until;
            left = budget - core->executed;
            status = ve->slot_issue[next.slot]->in_row
                         ? issue_remembered(core, ve, limit, left, &next)
                         : issue_plain(core, ve, limit, left, &next, NULL);
            if (status || next.time >= limit)
                break;
        } else {
            status = issue_next(core, ve, next.slot, next.time, event);
            if (status)
                break;
            core->executed++;
            next = choose_from(ve, ve->last_slot);
            if (event->released || event->finished || next.time == UINT64_MAX)
                break;
            limit = ve->waiting > 0 ? released : until;
        }
        if (is_shared(core, ve, next.slot))
            limit = others;
    } while (next.time < limit && core->executed < budget);
    ve->next_time = next.time;
    ve->next_slot = next.slot;
    if (!status)
        return 0;
    core->fault_time = next.time;
    return -EFAULT;
}
