/* MI_SEMAPHORE_WAIT in polling mode: the batch waits, the GPU goes on with others. */
#include <errno.h>
#include <inttypes.h>

#include "streamer/context.h"

#define POLL_MICROSECONDS_MIN 20
#define POLL_MICROSECONDS_MAX 500

int command_semaphore_wait(struct batch *batch, const uint32_t *d, uint32_t count)
{
    uint32_t operation = bits(d[0], 12, 14), memory;
    unsigned wait = POLL_MICROSECONDS_MIN;
    uint64_t since = host_time_ns();
    int status;

    /* Gen12 has a fifth dword, a token for its scheduler. */
    if (count != 4 && count != 5)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT has %" PRIu32 " dwords", count);
    if (!bits(d[0], 15, 15)) /* Wait Mode */
        return batch_fault(batch, "MI_SEMAPHORE_WAIT in signal mode is not modelled");
    if (bits(d[0], 16, 16)) /* Register Poll Mode */
        return batch_fault(batch, "MI_SEMAPHORE_WAIT on a register is not modelled");
    if (operation > 5)
        return batch_fault(batch, "MI_SEMAPHORE_WAIT has no comparison %" PRIu32, operation);

    for (;;) {
        if (batch_read32(batch, address48(d + 2, 4), &memory))
            return -EFAULT;
        if (compare_holds(operation, memory, d[1]))
            return 0;
        if (context_is_abandoned(batch->context, since))
            return batch_fault(batch, "waits at a semaphore for a context that was reset");
        status = context_yield(batch->context, batch->sequence, wait);
        if (status)
            return status;
        if (wait < POLL_MICROSECONDS_MAX)
            wait *= 2;
    }
}
