/* Stopping a walk that does not end. */
#include "gpu/walk.h"

#include <errno.h>
#include <stdio.h>

/* The thread that issues next, or else a waiting one. */
static struct thread_slot *some_slot(const struct xe_core *core)
{
    const struct ve *next = &core->ves[event_queue_first(&core->events)];
    struct thread_slot *slot = next->next_time != UINT64_MAX ? next->slots[next->next_slot] : NULL;

    for (uint64_t i = 0; !slot && i < core->device->ves_per_xe_core; i++)
        for (uint64_t j = 0; !slot && j < core->device->threads_per_ve; j++)
            slot = core->ves[i].slots[j];
    return slot;
}

/* The fault, without its message. */
static struct vesim_fault fault_of(const struct walk *walk, enum vesim_fault_kind kind)
{
    return (struct vesim_fault){.kind = kind, .kernel = walk->program->address};
}

/* Names the instruction at which a thread stopped. */
int walk_stop_endless(struct walk *walk, struct xe_core *core)
{
    char advice[80] = "an endless loop?";
    unsigned long long limit = walk->gpu->settings.instruction_limit;
    struct thread_slot *slot = core ? some_slot(core) : NULL;

    if (walk->gpu->settings.limit_name)
        snprintf(advice, sizeof(advice), "an endless loop? %.40s sets another limit",
                 walk->gpu->settings.limit_name);
    if (slot) {
        thread_fault(&slot->thread, &walk->program->insts[slot->thread.index],
                     "still running after %llu instructions (%s)", limit, advice);
        *walk->fault = core->fault;
        walk->fault->kind = VESIM_FAULT_LIMIT;
    } else { /* the last thread has just ended */
        *walk->fault = fault_of(walk, VESIM_FAULT_LIMIT);
        snprintf(walk->fault->message, sizeof(walk->fault->message),
                 "kernel at 0x%llx: still running after %llu instructions (%s)",
                 (unsigned long long)walk->program->address, limit, advice);
    }
    return -EFAULT;
}

int walk_trap(struct vesim_fault *fault, const struct walk *walk, uint64_t address)
{
    *fault = fault_of(walk, VESIM_FAULT_PAGE);
    fault->address = address;
    snprintf(fault->message, sizeof(fault->message),
             "kernel at 0x%llx: access to 0x%llx, memory of the program that it has unmapped or "
             "protected",
             (unsigned long long)walk->program->address, (unsigned long long)address);
    return -EFAULT;
}

int walk_stop_deadlock(struct walk *walk)
{
    *walk->fault = fault_of(walk, VESIM_FAULT_DEADLOCK);
    snprintf(walk->fault->message, sizeof(walk->fault->message),
             "kernel at 0x%llx: threads wait at a barrier that the rest of their work-group "
             "never reaches",
             (unsigned long long)walk->program->address);
    return -EFAULT;
}
