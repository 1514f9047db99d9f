/* GPGPU_WALKER of Gen12LP, with the interface descriptor in dynamic state (PRM Vol 2a and 2d; the
 * layouts are those of compute-runtime's hw_cmds_generated_gen12lp.inl). */
#include <errno.h>
#include <inttypes.h>

#include "streamer/walker-common.h"

#define GRF_BYTES 32

static int read_descriptor(struct batch *batch, uint32_t index,
                           struct interface_descriptor_gen12 *descriptor)
{
    const struct state *state = &batch->context->state;
    uint32_t d[interface_descriptor_gen12_dwords] = {0}, offset = index * sizeof(d);

    if (offset + sizeof(d) > state->descriptors_bytes)
        return batch_fault(batch, "interface descriptor %" PRIu32 " has not been loaded", index);
    for (uint32_t i = 0; i < interface_descriptor_gen12_dwords; i++) {
        if (batch_read32(batch, state->dynamic_base + state->descriptors_offset + offset + 4 * i,
                         &d[i]))
            return -EFAULT;
    }
    *descriptor = interface_descriptor_gen12_unpack(d);
    return 0;
}

static int use_gen12_descriptor(struct batch *batch,
                                const struct interface_descriptor_gen12 *descriptor,
                                struct walker *walker)
{
    walker->kernel_address =
        (walker->instruction_base + descriptor->kernel_start) & GPU_ADDRESS_MASK;
    walker->single_program_flow = descriptor->single_program_flow;
    walker->denorm_retain = descriptor->denorm_mode;
    walker->rounding_mode = descriptor->rounding_mode;
    walker->sampler_state_offset = descriptor->sampler_state;
    walker->binding_table_offset = descriptor->binding_table;
    walker->per_thread_bytes = descriptor->per_thread_length * GRF_BYTES;
    walker->cross_thread_bytes = descriptor->cross_thread_length * GRF_BYTES;
    walker->barriers = descriptor->barrier_enable;
    return walker_slm_bytes(batch, descriptor->slm_size, &walker->slm_bytes);
}

static void use_gpgpu_walker(struct batch *batch, const struct gpgpu_walker *command,
                             struct walker *walker)
{
    const struct state *state = &batch->context->state;

    walker->simd_width = walker_simd_width(command->simd_size);
    walker->threads_per_group = (command->thread_width_maximum + 1) *
                                (command->thread_height_maximum + 1) *
                                (command->thread_depth_maximum + 1);
    walker->group_start[0] = command->group_start_x;
    walker->group_end[0] = command->group_end_x;
    walker->group_start[1] = command->group_start_y;
    walker->group_end[1] = command->group_end_y;
    walker->group_start[2] = command->group_start_z;
    walker->group_end[2] = command->group_end_z;
    walker->execution_mask = command->right_execution_mask;
    walker->indirect_address = (state->indirect_base + command->indirect_offset) & GPU_ADDRESS_MASK;

    /* The descriptor asks for one register at least even where the kernel takes no local ids: it is
     * there, but the data ends with what the walker says. */
    walker->lacks_per_thread_data =
        (uint64_t)walker->cross_thread_bytes +
            (uint64_t)walker->per_thread_bytes * walker->threads_per_group >
        command->indirect_bytes;
    walker->local_id_source = LOCAL_ID_FROM_MEMORY;
}

int command_gpgpu_walker(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct gpgpu_walker command = gpgpu_walker_unpack(d);
    const struct state *state = &batch->context->state;
    struct walker walker = {.grf_registers = 128};
    struct interface_descriptor_gen12 descriptor = {0};

    if (batch->device->architecture != VESIM_GEN12LP || count != gpgpu_walker_dwords)
        return batch_fault(batch, "GPGPU_WALKER of %" PRIu32 " dwords is not one of this device",
                           count);
    if (command.predicate_enable) {
        int run = walker_predicate(batch);

        if (run != 1)
            return run;
    }
    walker_bases(&walker, state);
    if (read_descriptor(batch, command.interface_descriptor, &descriptor) ||
        use_gen12_descriptor(batch, &descriptor, &walker))
        return -EFAULT;
    use_gpgpu_walker(batch, &command, &walker);
    if (command.indirect_parameter_enable && walker_indirect_dimensions(batch, walker.group_end))
        return -EFAULT;
    if (state->scratch_pointer) {
        walker.scratch_address = (state->general_base + state->scratch_pointer) & GPU_ADDRESS_MASK;
        walker.scratch_bytes_per_thread = state->scratch_per_thread;
    }
    return walker_run(batch, &walker);
}
