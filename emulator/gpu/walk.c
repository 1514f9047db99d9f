/* What the threads of a walk share, and stopping a walk that cannot go on. */
#include "gpu/walk.h"

#include <errno.h>
#include <stdio.h>

struct walk_threads walk_threads_of(const struct walk *walk, bool untimed)
{
    struct walk_threads threads = {.walker = walk->walker,
                                   .space = walk->space,
                                   .program = walk->program,
                                   .untimed = untimed,
                                   .written = walk->program->written};

    payload_written(&threads.written, walk->walker, walk->gpu->device);
    return threads;
}

/* The fault, without its message. */
static struct vesim_fault fault_of(const struct walk *walk, enum vesim_fault_kind kind)
{
    return (struct vesim_fault){.kind = kind, .kernel = walk->program->address};
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
