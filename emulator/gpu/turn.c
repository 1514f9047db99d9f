/* A turn: runs of plain instructions, which nothing can interrupt, and a step between one run and
 * the next, after which the turn may end. Compiled blocks do the same, with the same count. */
#include "gpu/turn.h"

#include <errno.h>
#include <stddef.h>

#include "gpu/gateway.h"
#include "isa/compile/compile.h"
#include "isa/decode/program-calls.h"

/* Instructions per turn: enough to be cheap, but few enough that a thread that polls memory for
 * another's result does not hold up the other for long. */
enum { THREAD_TURN = 4096 };

/* Applies the effects of a message or a sync beyond registers and memory. */
static int act(struct xe_core *core, struct thread_slot *slot, const struct inst *inst,
               uint64_t now, struct ve_event *event)
{
    if (inst->opcode == OP_sync) {
        if (inst->function == SYNC_BAR)
            gateway_wait(core, slot, inst);
        return 0;
    }
    if (slot->thread.message->kind == MESSAGE_BARRIER)
        return gateway_signal(core, slot, inst, now, event);
    if (slot->thread.message->kind == MESSAGE_END_OF_THREAD)
        ve_end_thread(core, &core->ves[slot->ve], slot, now, event);
    return 0;
}

int turn_meet(struct thread *thread, const struct inst *inst)
{
    uint8_t *within = (uint8_t *)thread - offsetof(struct thread_slot, thread);
    struct thread_slot *slot = (void *)within;
    struct xe_core *core = slot->group->core;
    struct ve_event event = {0};

    if (inst_is_wait(inst)) {
        gateway_wait(core, slot, inst);
        return 0;
    }
    const bool waits = program_waits_behind(thread->program, inst);
    thread->message = &inst->message;
    if (waits && gateway_join(core, slot))
        return 0;
    if (gateway_signal(core, slot, inst, 0, &event))
        return -1;
    if (waits)
        gateway_wait(core, slot, inst + 1);
    return 0;
}

/* Executes an instruction that branches, affects other threads, reads the clock or ends the thread,
 * and leaves the index of its successor in the thread. `now` counts it. */
static int step(struct xe_core *core, struct thread_slot *slot, const struct inst *inst,
                uint64_t now, struct ve_event *event)
{
    const struct program *program = slot->thread.program;

    slot->thread.index = (uint32_t)inst->next;
    if (inst->reads_clock)
        thread_write_clock(&slot->thread, now - 1);
    if (inst->execute(&slot->thread, inst))
        return -EFAULT;
    if (inst->is_flow)
        thread_write32(&slot->thread, ARF_CE, slot->thread.active);
    else if (inst->is_shared && act(core, slot, inst, now, event))
        return -EFAULT;
    if (slot->thread.index < program_end(program) || slot->state == SLOT_ENDED)
        return 0;
    thread_fault(&slot->thread, inst, "the thread runs past its last instruction");
    return -EFAULT;
}

/* The plain instructions from that at `index` on, and the step behind them. */
static int interpret(struct xe_core *core, struct thread_slot *slot, uint32_t index, uint64_t start,
                     struct ve_event *event)
{
    const struct inst *first = &slot->thread.program->insts[index], *inst = first;

    for (; inst->is_plain; inst++)
        if (inst->execute(&slot->thread, inst))
            return -EFAULT;
    core->executed += (uint64_t)(inst - first) + 1;
    return step(core, slot, inst, start + core->executed, event);
}

static int run_interpreted(struct xe_core *core, struct thread_slot *slot, uint64_t start,
                           struct ve_event *event)
{
    uint64_t end = core->executed + THREAD_TURN;

    while (core->executed < end && slot->state == SLOT_READY)
        if (interpret(core, slot, slot->thread.index, start, event))
            return -EFAULT;
    return 0;
}

static int run_compiled(struct xe_core *core, struct thread_slot *slot, uint64_t start,
                        struct compiled *compiled, struct ve_event *event)
{
    struct thread *thread = &slot->thread;
    const struct program *program = thread->program;
    uint64_t end = core->executed + THREAD_TURN;
    uint32_t index = thread->index;
    bool turn_may_end = true;

    while (!turn_may_end || (core->executed < end && slot->state == SLOT_READY)) {
        const struct block *block = NULL;

        /* else a block has left this step to the interpreter, or a function of another module has
         * been called */
        if ((turn_may_end || program->insts[index].is_plain) && index < program->count)
            block = compiled_find(compiled, thread, index, core->executed, end);
        if (!block) {
            if (interpret(core, slot, index, start, event))
                return -EFAULT;
            index = thread->index;
            turn_may_end = true;
            continue;
        }
        int32_t at = compiled_run(block, thread, index, &core->executed, end);
        if (at < 0)
            return -EFAULT;
        index = (uint32_t)at / 2;
        turn_may_end = at % 2 == 0;
    }
    return 0;
}

int turn_run(struct xe_core *core, struct thread_slot *slot, uint64_t start, struct ve_event *event)
{
    struct compiled *compiled = slot->thread.program->compiled;

    return compiled ? run_compiled(core, slot, start, compiled, event)
                    : run_interpreted(core, slot, start, event);
}
