/* PIPE_CONTROL and MI_FLUSH_DW: flushes, and the writes that tell of their end. */
#include <errno.h>
#include <inttypes.h>

#include "streamer/context.h"

enum post_sync {
    POST_SYNC_NONE = 0,
    POST_SYNC_IMMEDIATE = 1,
    POST_SYNC_DEPTH_COUNT = 2, /* PIPE_CONTROL alone */
    POST_SYNC_TIMESTAMP = 3,
};

static int post_sync_write(struct batch *batch, unsigned operation, uint64_t address,
                           uint64_t immediate)
{
    switch (operation) {
    case POST_SYNC_NONE:
        return 0;
    case POST_SYNC_IMMEDIATE:
        return batch_write64(batch, address, immediate);
    case POST_SYNC_TIMESTAMP:
        return batch_write64(batch, address, cs_ticks(batch->cs, batch->cs->clock, 0));
    default:
        return batch_fault(batch, "post-sync operation %u is not modelled", operation);
    }
}

/* Which data caches the flags touch (PRM Vol 2a, PIPE_CONTROL). */
static unsigned cache_operations(const uint32_t *d)
{
    unsigned operations = 0;

    if (bits(d[0], 9, 9)) /* HDC Pipeline Flush */
        operations |= GPU_FLUSH_DATA;
    if (bits(d[0], 11, 11)) /* Untyped Data-Port Cache Flush (Xe-HP and later) */
        operations |= GPU_FLUSH_DATA | GPU_INVALIDATE_DATA;
    if (bits(d[1], 3, 3) || bits(d[1], 10, 10)) /* Constant or Texture Cache Invalidation */
        operations |= GPU_INVALIDATE_DATA;
    if (bits(d[1], 5, 5)) /* DC Flush */
        operations |= GPU_FLUSH_DATA | GPU_FLUSH_L3;
    return operations;
}

int command_pipe_control(struct batch *batch, const uint32_t *d, uint32_t count)
{
    unsigned operations;

    if (count != 6)
        return batch_fault(batch, "PIPE_CONTROL has %" PRIu32 " dwords instead of 6", count);
    if (bits(d[1], 23, 23) || bits(d[1], 21, 21)) /* LRI Post Sync, Store Data Index */
        return batch_fault(batch, "PIPE_CONTROL with flags 0x%" PRIx32 " is not modelled", d[1]);
    operations = cache_operations(d);
    if (operations)
        cache_control(batch, operations);
    return post_sync_write(batch, bits(d[1], 14, 15), address48(d + 2, 4),
                           d[4] | (uint64_t)d[5] << 32);
}

int command_flush_dw(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (count != 4 && count != 5) /* with 4 the upper half of the data is 0 */
        return batch_fault(batch, "MI_FLUSH_DW has %" PRIu32 " dwords", count);
    if (bits(d[0], 21, 21) && bits(d[0], 14, 15)) /* Store Data Index */
        return batch_fault(batch, "MI_FLUSH_DW to the status page is not modelled");
    return post_sync_write(batch, bits(d[0], 14, 15), address48(d + 1, 8),
                           d[3] | (count == 5 ? (uint64_t)d[4] << 32 : 0));
}
