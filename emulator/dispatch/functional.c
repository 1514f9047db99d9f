/* Running a walk without the clock, for its results alone: the same threads, registers, memory and
 * barriers, but each thread runs until it has to wait or its turn is over. Time is a count of
 * executed instructions, so that timestamps still grow; they mean nothing more. */
#include "dispatch/walk.h"

#include <errno.h>

#include "dispatch/gateway.h"

/* Instructions of a turn: enough to be cheap, few enough that a thread which polls memory for
 * another's result does not hold the other up for long. */
enum { TURN = 4096 };

/* What a message or a sync does beyond its effect on registers and memory. */
static int act(struct walk *walk, struct xe_core *core, struct ve *ve, struct thread *thread,
               const struct inst *inst, struct ve_event *event)
{
    uint64_t now = walk->end + walk->executed;
    if (inst->opcode == OP_sync) {
        if (inst->function == SYNC_BAR)
            gateway_wait(ve, thread);
        return 0;
    }
    if (thread->message.kind == MESSAGE_BARRIER)
        return gateway_signal(core, thread, inst, now, event);
    if (thread->message.kind == MESSAGE_END_OF_THREAD)
        ve_end_thread(core, ve, thread, now, event);
    return 0;
}

static int run_thread(struct walk *walk, struct xe_core *core, struct ve *ve, struct thread *thread,
                      struct ve_event *event)
{
    const struct program *program = thread->program;
    for (unsigned i = 0; i < TURN && thread->state == THREAD_READY; i++) {
        const struct inst *inst = &program->insts[thread->index];
        thread->index = (uint32_t)inst->next;
        if (inst->reads_clock)
            thread_write_clock(thread, walk->end + walk->executed);
        if (inst->execute(thread, inst))
            return -EFAULT;
        walk->executed++;
        if (inst->is_flow)
            thread_write32(thread, ARF_CE, thread->active);
        else if (inst->is_shared && act(walk, core, ve, thread, inst, event))
            return -EFAULT;
        if (thread->index >= program->count && !inst->end_of_thread) {
            thread_fault(thread, inst, "the thread runs past its last instruction");
            return -EFAULT;
        }
    }
    return 0;
}

/* Gives each thread of the Xe-core that can run a turn; `*ran` if there was one. */
static int run_core(struct walk *walk, struct xe_core *core, bool *ran)
{
    const struct device *device = walk->gpu->device;
    for (uint64_t i = 0; i < device->ves_per_xe_core; i++) {
        struct ve *ve = &core->ves[i];
        for (uint64_t slot = 0; ve->resident && slot < device->threads_per_ve; slot++) {
            struct thread *thread = ve->threads[slot];
            struct ve_event event = {0};
            if (!thread || thread->state != THREAD_READY)
                continue;
            *ran = true;
            if (run_thread(walk, core, ve, thread, &event))
                return -EFAULT;
            if (walk->executed >= walk->gpu->instruction_limit)
                return walk_stop_endless(walk, ve->threads[slot]);
            int status = event.finished ? walk_finish_group(walk, core, event.finished, 0) : 0;
            if (status)
                return status;
        }
    }
    return 0;
}

int walk_run_functional(struct walk *walk)
{
    uint64_t start = walk->end;
    while (walk->running) {
        bool ran = false;
        for (uint32_t i = 0; i < walk->gpu->core_count; i++) {
            int status = walk->gpu->cores[i].resident_threads
                             ? run_core(walk, &walk->gpu->cores[i], &ran)
                             : 0;
            if (status)
                return status;
        }
        if (!ran)
            return walk_stop_deadlock(walk);
    }
    walk->end = start + walk->executed;
    schedule_clear(&walk->gpu->schedule); /* starting work-groups made entries that nobody took */
    return 0;
}
