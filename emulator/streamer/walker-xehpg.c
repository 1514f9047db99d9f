/* COMPUTE_WALKER of Xe-HP and later, which carries its interface descriptor, post-sync operation
 * and inline data (PRM Vol 2a and 2d; the layouts are those of compute-runtime's
 * hw_cmds_generated_xe_hpg_core.inl and hw_cmds_generated_xe2_hpg_core.inl). */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "streamer/commands.h"
#include "streamer/walker-common.h"

/* Values of the field: 0 to 5 are 32 to 192 registers, 7 is 256. */
enum { REGISTERS_STEP = 32, REGISTERS_224 = 6, REGISTERS_256 = 7 };

/* Up to Xe2 STATE_COMPUTE_MODE chooses between two sizes for all kernels. The 512 that Xe3P-XPC can
 * give a thread are not modelled. */
static int use_registers(struct batch *batch, uint32_t field, struct walker *walker)
{
    walker->grf_registers = batch->context->state.large_grf ? 256 : 128;
    if (batch->device->architecture < VESIM_XE3)
        return 0;
    if (field > REGISTERS_256 || field == REGISTERS_224)
        return batch_fault(batch, "the walker's number of registers is reserved");
    walker->grf_registers = (field + 1) * REGISTERS_STEP;
    return 0;
}

static int use_descriptor(struct batch *batch, const struct interface_descriptor *descriptor,
                          struct walker *walker)
{
    const struct state *state = &batch->context->state;
    uint64_t table = descriptor->binding_table;

    walker->kernel_address =
        address_cut(batch->space, walker->instruction_base + descriptor->kernel_start);
    walker->single_program_flow = descriptor->single_program_flow;
    walker->denorm_retain = descriptor->denorm_mode;
    walker->rounding_mode = descriptor->rounding_mode;
    walker->sampler_state_offset = descriptor->sampler_state;

    /* Binding tables lie in their pool, where one is set. */
    if (state->has_binding_table_pool)
        table += state->binding_table_pool - state->surface_base;
    if (table > UINT32_MAX)
        return batch_fault(batch,
                           "the binding table pool 0x%" PRIx64
                           " lies below the surface states or 4 GB above",
                           state->binding_table_pool);
    walker->binding_table_offset = (uint32_t)table;

    walker->threads_per_group = descriptor->threads_per_group;
    walker->barriers = walker_barriers(descriptor->barriers);
    if (descriptor->btd_mode)
        return batch_fault(batch, "ray tracing kernels are not modelled");
    if (use_registers(batch, descriptor->registers, walker))
        return -EFAULT;
    return walker_slm_bytes(batch, descriptor->slm_size, &walker->slm_bytes);
}

static void use_compute_walk(struct batch *batch, const struct compute_walk *walk,
                             struct walker *walker)
{
    const struct compute_walker_body *body = walk->body;

    walker->simd_width = walker_simd_width(body->simd_size);
    walker->execution_mask = body->execution_mask;
    memcpy(walker->group_end, body->group_end, sizeof(walker->group_end));
    memcpy(walker->group_start, body->group_start, sizeof(walker->group_start));
    walker->local_size[0] = body->local_x_maximum + 1;
    walker->local_size[1] = body->local_y_maximum + 1;
    walker->local_size[2] = body->local_z_maximum + 1;
    /* Kernels load their cross-thread and per-thread data themselves, from this address. */
    walker->indirect_address =
        address_cut(batch->space, batch->context->state.general_base + body->indirect_offset);

    /* Kernels without scratch memory run with whatever CFE_STATE has left behind. */
    walker->scratch_surface_offset = batch->context->state.scratch_surface;
    walker->walk_order = body->walk_order;
    if (body->generate_local_id)
        walker->local_id_source = LOCAL_ID_FROM_HARDWARE;
    walker->local_id_dimensions = (uint32_t)__builtin_popcount(body->emit_local);
    walker->inline_bytes = body->emit_inline ? walk->inline_bytes : 0;
    memcpy(walker->inline_data, walk->inline_data, walker->inline_bytes);
}

int walker_write_timestamps(struct batch *batch, uint64_t address, struct walk_start start)
{
    const struct vesim_device *device = batch->device;
    const struct cs_stack *stack = batch->stack;
    uint64_t ticks[4] = {
        context_ticks(stack, start.clock, start.clock - start.context_clock),
        stack_ticks(stack, start.clock),
        context_ticks(stack, stack->clock, context_away_cycles(batch->context)),
        stack_ticks(stack, stack->clock),
    };

    for (uint32_t i = 0; i < 4; i++) {
        int status = device->architecture >= VESIM_XE2
                         ? batch_write64(batch, address + 8 * i, ticks[i])
                         : batch_write32(batch, address + 4 * i, (uint32_t)ticks[i]);

        if (status)
            return status;
    }
    return 0;
}

/* Of a walk that is split over stacks, each runs the part that its register numbers: equal numbers
 * of work-groups in one dimension. */
static int use_partition(struct batch *batch, const struct compute_walker_body *body,
                         struct walker *walker)
{
    const uint64_t part = register_own(batch->context, REG_PARTITION_ID);

    if (!body->workload_partition_enable)
        return 0;
    if (batch->device->stacks == 1 || !body->partition_type)
        return batch_fault(batch, "the walker's partition is not one of this device");
    const unsigned dimension = body->partition_type - 1;
    const uint64_t start = part * body->partition_size, end = start + body->partition_size;
    const uint32_t all = walker->group_end[dimension];

    walker->group_start[dimension] = start < all ? (uint32_t)start : all;
    walker->group_end[dimension] = end < all ? (uint32_t)end : all;
    return 0;
}

/* Where a stack's part of a walk writes: apart by the size of what it writes (compute-runtime,
 * getImmediateWritePostSyncOffset() and getTimeStampPostSyncOffset()). */
static uint64_t post_sync_address(const struct batch *batch, const struct compute_walker *command)
{
    enum { IMMEDIATE_BYTES = 8, TIMESTAMP_BYTES = 16 };
    const struct post_sync *sync = &command->post_sync;
    const uint64_t bytes =
        sync->operation == POST_SYNC_IMMEDIATE ? IMMEDIATE_BYTES : TIMESTAMP_BYTES;

    return command->body.workload_partition_enable
               ? sync->address + bytes * register_own(batch->context, REG_PARTITION_ID)
               : sync->address;
}

void walker_flush(struct batch *batch, bool pipeline, bool cache)
{
    unsigned flush = 0;

    if (pipeline)
        flush |= GPU_FLUSH_DATA;
    if (cache)
        flush |= GPU_FLUSH_DATA | GPU_INVALIDATE_DATA;
    if (flush)
        cache_control(batch, flush);
}

static int post_sync(struct batch *batch, const struct compute_walker *walker,
                     struct walk_start start)
{
    const struct post_sync *command = &walker->post_sync;
    const uint64_t address = post_sync_address(batch, walker);

    walker_flush(batch, command->dataport_pipeline_flush, command->dataport_subslice_flush);
    switch (command->operation) {
    case POST_SYNC_NONE:
        return 0;
    case POST_SYNC_IMMEDIATE:
        return batch_write64(batch, address, command->data);
    case POST_SYNC_TIMESTAMP:
        return walker_write_timestamps(batch, address, start);
    default:
        return batch_fault(batch, "the walker's post-sync operation is reserved");
    }
}

int walker_compute(struct batch *batch, const struct compute_walk *walk, struct walk_start *start)
{
    const struct compute_walker_body *body = walk->body;
    struct walker walker = {0};

    if (body->predicate_enable) {
        int run = walker_predicate(batch);

        if (run != 1)
            return run;
    }
    walker_bases(&walker, &batch->context->state);
    if (use_descriptor(batch, walk->descriptor, &walker))
        return -EFAULT;
    use_compute_walk(batch, walk, &walker);
    if (body->indirect_parameter_enable && walker_indirect_dimensions(batch, walker.group_end))
        return -EFAULT;
    if (use_partition(batch, body, &walker))
        return -EFAULT;
    if (context_meet(batch))
        return -ECANCELED;
    *start = (struct walk_start){.clock = batch->stack->clock,
                                 .context_clock = context_active_cycles(batch->context)};
    return walker_run(batch, &walker) ? -EFAULT : 1;
}

int command_compute_walker(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const bool xe2 = batch->device->architecture >= VESIM_XE2;
    const struct compute_walker command =
        xe2 ? compute_walker_xe2_unpack(d) : compute_walker_unpack(d);
    const struct compute_walk walk = {.body = &command.body,
                                      .descriptor = &command.descriptor,
                                      .inline_data = command.inline_data,
                                      .inline_bytes = sizeof(command.inline_data)};
    struct walk_start start;

    if (batch->device->architecture < VESIM_XE_HPG || batch->device->architecture >= VESIM_XE3P ||
        count != (xe2 ? compute_walker_xe2_dwords : compute_walker_dwords))
        return batch_fault(batch, "COMPUTE_WALKER of %" PRIu32 " dwords is not one of this device",
                           count);
    int run = walker_compute(batch, &walk, &start);
    return run == 1 ? post_sync(batch, &command, start) : run;
}
