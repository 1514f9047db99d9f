/* PIPE_CONTROL and MI_FLUSH_DW: flushes, and the writes that signal their end. */
#include <errno.h>
#include <inttypes.h>

#include "streamer/commands.h"
#include "streamer/context.h"

static int post_sync_write(struct batch *batch, unsigned operation, uint64_t address,
                           uint64_t immediate)
{
    switch (operation) {
    case POST_SYNC_NONE:
        return 0;
    case POST_SYNC_IMMEDIATE:
        return batch_write64(batch, address, immediate);
    case POST_SYNC_TIMESTAMP:
        return batch_write64(batch, address, stack_ticks(batch->stack, batch->stack->clock));
    default:
        return batch_fault(batch, "post-sync operation %u is not modelled", operation);
    }
}

/* Which caches the flags concern (PRM Vol 2a, PIPE_CONTROL). */
static unsigned cache_operations(const struct pipe_control *command)
{
    unsigned operations = 0;

    if (command->hdc_pipeline_flush)
        operations |= GPU_FLUSH_DATA;
    if (command->untyped_data_port_flush)
        operations |= GPU_FLUSH_DATA | GPU_INVALIDATE_DATA;
    if (command->constant_cache_invalidate || command->texture_cache_invalidate)
        operations |= GPU_INVALIDATE_DATA;
    if (command->instruction_cache_invalidate) /* code has been freed, others may take its place */
        operations |= GPU_INVALIDATE_CODE;
    if (command->tlb_invalidate)
        operations |= GPU_INVALIDATE_TLB;
    if (command->dc_flush)
        operations |= GPU_FLUSH_DATA | GPU_FLUSH_L3;
    return operations;
}

void pipe_control_flush(struct cs_stack *stack, unsigned operations)
{
    const struct vesim_device *device = stack->cs->device;
    uint64_t start = stack->clock + device->pipe_control_latency;

    if (operations)
        start = gpu_cache_control(stack->gpu, operations, start) + device->cache_flush_latency;
    clock_advance(stack, start);
}

int command_pipe_control(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct pipe_control command = pipe_control_unpack(d);

    if (count != pipe_control_dwords)
        return batch_fault(batch, "PIPE_CONTROL has %" PRIu32 " dwords instead of 6", count);
    if (command.lri_post_sync || command.store_data_index)
        return batch_fault(batch, "PIPE_CONTROL with flags 0x%" PRIx32 " is not modelled", d[1]);
    unsigned operations = cache_operations(&command);
    if (operations || command.streamer_stall)
        pipe_control_flush(batch->stack, operations);
    if (command.post_sync == POST_SYNC_TIMESTAMP && context_meet(batch))
        return -ECANCELED;
    return post_sync_write(
        batch, command.post_sync,
        batch_partition_address(batch, command.partition_offset, command.address), command.data);
}

/* Commands execute one after another, so what the barrier waits for has always happened. */
int command_resource_barrier(struct batch *batch, const uint32_t *d, uint32_t count)
{
    enum { RESOURCE_BARRIER = 3, IMMEDIATE = 0 };
    const struct resource_barrier command = resource_barrier_unpack(d);
    unsigned operations = command.data_flush ? GPU_FLUSH_DATA : 0;

    if (command.opcode != RESOURCE_BARRIER || count != resource_barrier_dwords ||
        batch->device->architecture < VESIM_XE2)
        return batch_fault(batch, "unknown command 0x%08" PRIx32, d[0]);
    if (command.kind != IMMEDIATE)
        return batch_fault(batch, "RESOURCE_BARRIER of type %" PRIu32 " is not modelled",
                           (uint32_t)command.kind);
    if (command.data_invalidate || command.texture_invalidate || command.constant_invalidate)
        operations |= GPU_INVALIDATE_DATA;
    pipe_control_flush(batch->stack, operations);
    return 0;
}

int command_flush_dw(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_flush_dw command = mi_flush_dw_unpack(d);
    const uint64_t data_mask = count == 4 ? UINT32_MAX : UINT64_MAX;

    if (count != 4 && count != 5)
        return batch_fault(batch, "MI_FLUSH_DW has %" PRIu32 " dwords", count);
    if (command.store_data_index && command.post_sync)
        return batch_fault(batch, "MI_FLUSH_DW to the status page is not modelled");
    pipe_control_flush(batch->stack, 0);
    return post_sync_write(batch, command.post_sync, command.address, command.data & data_mask);
}
