/* MI_SEMAPHORE_WAIT in polling mode, and loops of commands that do the same: the batch waits, the
 * GPU goes on with others. */
#include <errno.h>
#include <inttypes.h>

#include "streamer/context.h"

#define POLL_MICROSECONDS_MIN 20
#define POLL_MICROSECONDS_MAX 500

/* Others go on after so many jumps, and after so many times that a loop has looked at all that it
 * polls: compute-runtime's chooses among up to 16 tasks (relaxed_ordering_helper.h, maxQueueSize),
 * each of which takes a few. */
#define JUMPS_PER_LOOK 16
#define LOOKS_PER_LOOP 8

/* A driver that has bound memory for what follows lets the batch go on by what it polls. What it
 * has unbound is freed meanwhile, as below xe, which preempts a queue to free what that could
 * access. */
static int refresh(struct batch *batch)
{
    struct cs_job *job = batch->job;

    if (job->refresh && job->refresh(job->owner, &job->space))
        return batch_fault(batch, "no memory for the address space");
    return 0;
}

/* Lets others go on before the batch, which polls since `since`, looks for the `times`-th time. */
static int let_others(struct batch *batch, uint64_t since, unsigned times)
{
    unsigned wait = POLL_MICROSECONDS_MIN << (times < 5 ? times : 5);

    if (context_is_abandoned(batch->context, since))
        return batch_fault(batch, "waits on a semaphore for a context that was reset");
    return context_yield(batch->context, batch->sequence,
                         wait < POLL_MICROSECONDS_MAX ? wait : POLL_MICROSECONDS_MAX);
}

int batch_jumps(struct batch *batch)
{
    if (batch->jumps++ == 0)
        batch->jumps_since = host_time_ns();
    if (batch->jumps % JUMPS_PER_LOOK || !batch->looked)
        return 0;
    batch->looked = false;
    batch->commands = 0;
    if (batch->jumps / JUMPS_PER_LOOK % LOOKS_PER_LOOP == 0)
        context_looked(batch->context);
    int status = let_others(batch, batch->jumps_since, batch->jumps / JUMPS_PER_LOOK);

    return status ? status : refresh(batch);
}

/* What a semaphore is compared with. */
struct wait {
    uint32_t operation;
    bool qword;
    uint64_t address, data;
};

static int read_semaphore(struct batch *batch, const struct wait *wait, uint64_t *memory)
{
    uint32_t dword = 0;

    if (wait->qword)
        return batch_read64(batch, wait->address, memory);
    if (batch_read32(batch, wait->address, &dword))
        return -EFAULT;
    *memory = dword;
    return 0;
}

static int wait_for(struct batch *batch, const struct wait *wait)
{
    uint64_t memory, since = host_time_ns();

    if (wait->operation > 5)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT has no comparison %" PRIu32, wait->operation);
    if (context_meet(batch))
        return -ECANCELED;
    for (unsigned times = 0;; times++) {
        if (read_semaphore(batch, wait, &memory))
            return -EFAULT;
        if (compare_holds(wait->operation, memory, wait->data))
            break;
        context_looked(batch->context);
        int status = let_others(batch, since, times);
        if (!status)
            status = refresh(batch);
        if (status)
            return status;
    }
    context_went_on(batch->context);
    if (context_meet(batch))
        return -ECANCELED;
    return refresh(batch);
}

/* Xe3P compares qwords, too: with what the first general-purpose register has. */
static uint64_t data_of_register(struct batch *batch)
{
    return register_own(batch->context, REG_GPR0) |
           (uint64_t)register_own(batch->context, REG_GPR0 + 4) << 32;
}

int command_semaphore_wait(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_semaphore_wait command = mi_semaphore_wait_unpack(d);
    const bool qword = batch->device->architecture >= VESIM_XE3P && command.compare_register;

    /* Gen12 has a fifth dword, a token for its scheduler. */
    if (count != 4 && count != 5)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT has %" PRIu32 " dwords", count);
    if (!command.wait_mode)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT in signal mode is not modelled");
    if (command.register_poll_mode)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT on a register is not modelled");
    return wait_for(batch, &(struct wait){.operation = command.compare_operation,
                                          .qword = qword,
                                          .address = batch_partition_address(
                                              batch, command.partition_offset, command.address),
                                          .data = qword ? data_of_register(batch) : command.data});
}

int command_semaphore_wait_64(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_semaphore_wait_64 command = mi_semaphore_wait_64_unpack(d);

    if (batch->device->architecture < VESIM_XE3P || count != mi_semaphore_wait_64_dwords)
        return batch_fault(
            batch, "MI_SEMAPHORE_WAIT_64 of %" PRIu32 " dwords is not one of this device", count);
    if (command.register_poll_mode)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT_64 on a register is not modelled");
    const uint64_t data = command.indirect ? data_of_register(batch) : command.data;
    return wait_for(batch, &(struct wait){.operation = command.compare_operation,
                                          .qword = !command.narrow,
                                          .address = batch_partition_address(
                                              batch, command.partition_offset, command.address),
                                          .data = command.narrow ? (uint32_t)data : data});
}
