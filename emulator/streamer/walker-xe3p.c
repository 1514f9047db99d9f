/* COMPUTE_WALKER_2 of Xe3P: it names its kernel by an address of its own, knows no heaps, and ends
 * with up to four post-sync operations (compute-runtime, hw_cmds_generated_xe3p_core.inl). */
#include <errno.h>
#include <inttypes.h>

#include "streamer/commands.h"
#include "streamer/walker-common.h"

static int post_sync_2(struct batch *batch, const uint32_t *d, struct walk_start start)
{
    const struct post_sync_xe3p command = post_sync_xe3p_unpack(d);

    walker_flush(batch, command.dataport_pipeline_flush, command.dataport_subslice_flush);
    if (command.l2_flush || command.l2_transient_flush)
        cache_control(batch, GPU_FLUSH_L3);
    switch (command.operation) {
    case POST_SYNC_NONE:
        return 0;
    case POST_SYNC_IMMEDIATE:
        return batch_write64(batch, command.address, command.data);
    case POST_SYNC_ATOMIC:
        return batch_atomic(batch, command.address,
                            &(struct batch_atomic){.opcode = command.atomic,
                                                   .qword = command.atomic_qword,
                                                   .operand1 = command.data});
    default:
        return walker_write_timestamps(batch, command.address, start);
    }
}

int command_compute_walker_2(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (batch->device->architecture < VESIM_XE3P || count != compute_walker_xe3p_dwords)
        return batch_fault(
            batch, "COMPUTE_WALKER_2 of %" PRIu32 " dwords is not one of this device", count);
    const struct compute_walker_xe3p command = compute_walker_xe3p_unpack(d);
    const struct compute_walker_body body = compute_walker_body_xe3p_unpack(d);
    const struct interface_descriptor descriptor =
        interface_descriptor_xe3p_unpack(command.descriptor);
    const struct compute_walk walk = {.body = &body,
                                      .descriptor = &descriptor,
                                      .inline_data = command.inline_data,
                                      .inline_bytes = sizeof(command.inline_data)};
    const uint32_t *const operations[] = {command.post_sync, command.post_sync_1,
                                          command.post_sync_2, command.post_sync_3};
    struct walk_start start;

    int run = walker_compute(batch, &walk, &start);
    if (run != 1)
        return run;
    for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
        int status = post_sync_2(batch, operations[i], start);

        if (status)
            return status;
    }
    return 0;
}
