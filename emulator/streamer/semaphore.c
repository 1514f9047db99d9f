/* MI_SEMAPHORE_WAIT in polling mode: the batch waits, the GPU goes on with others. */
#include <errno.h>
#include <inttypes.h>

#include "streamer/context.h"

#define POLL_MICROSECONDS_MIN 20
#define POLL_MICROSECONDS_MAX 500

/* A driver that has bound memory for what follows lets the batch go on by a semaphore. */
static int go_on(struct batch *batch)
{
    struct cs_job *job = batch->job;

    context_went_on(batch->context);
    if (job->refresh && job->refresh(job->owner, &job->space))
        return batch_fault(batch, "no memory for the address space");
    return 0;
}

int command_semaphore_wait(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_semaphore_wait command = mi_semaphore_wait_unpack(d);
    uint32_t memory;
    unsigned wait = POLL_MICROSECONDS_MIN;
    uint64_t since = host_time_ns();

    /* Gen12 has a fifth dword, a token for its scheduler. */
    if (count != 4 && count != 5)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT has %" PRIu32 " dwords", count);
    if (!command.wait_mode)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT in signal mode is not modelled");
    if (command.register_poll_mode)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT on a register is not modelled");
    if (command.compare_operation > 5)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT has no comparison %" PRIu32,
                           command.compare_operation);

    for (;;) {
        if (batch_read32(batch, command.address, &memory))
            return -EFAULT;
        if (compare_holds(command.compare_operation, memory, command.data))
            return go_on(batch);
        if (context_is_abandoned(batch->context, since))
            return batch_fault(batch, "waits on a semaphore for a context that was reset");
        int status = context_yield(batch->context, batch->sequence, wait);
        if (status)
            return status;
        if (wait < POLL_MICROSECONDS_MAX)
            wait *= 2;
    }
}
