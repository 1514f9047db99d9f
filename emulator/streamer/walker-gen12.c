/* GPGPU_WALKER of Gen12LP, with the interface descriptor in dynamic state (PRM Vol 2a and 2d; the
 * layouts are those of compute-runtime's hw_cmds_generated_gen12lp.inl). */
#include <errno.h>
#include <inttypes.h>

#include "streamer/walker-common.h"

#define DESCRIPTOR_DWORDS 8
#define GRF_BYTES         32

static int read_descriptor(struct batch *batch, uint32_t index, uint32_t *d)
{
    const struct state *state = &batch->context->state;
    uint32_t offset = index * DESCRIPTOR_DWORDS * 4;

    if (offset + DESCRIPTOR_DWORDS * 4 > state->descriptors_bytes)
        return batch_fault(batch, "interface descriptor %" PRIu32 " has not been loaded", index);
    for (uint32_t i = 0; i < DESCRIPTOR_DWORDS; i++) {
        if (batch_read32(batch, state->dynamic_base + state->descriptors_offset + offset + 4 * i,
                         &d[i]))
            return -EFAULT;
    }
    return 0;
}

static int decode_descriptor(struct batch *batch, const uint32_t *d, struct walker *walker)
{
    uint64_t kernel = (d[0] | (uint64_t)bits(d[1], 0, 15) << 32) & ~UINT64_C(63);

    walker->kernel_address = (walker->instruction_base + kernel) & GPU_ADDRESS_MASK;
    walker_float_mode(walker, d[2], bits(d[6], 22, 23));
    walker->sampler_state_offset = d[3] & ~UINT32_C(31);
    walker->binding_table_offset = bits(d[4], 5, 15) << 5;
    walker->per_thread_bytes = bits(d[5], 16, 31) * GRF_BYTES;
    walker->cross_thread_bytes = bits(d[7], 0, 7) * GRF_BYTES;
    walker->barriers = bits(d[6], 21, 21);
    return walker_slm_bytes(batch, bits(d[6], 16, 20), &walker->slm_bytes);
}

static void decode_walker(struct batch *batch, const uint32_t *d, struct walker *walker)
{
    const struct state *state = &batch->context->state;
    uint32_t indirect_bytes = bits(d[2], 0, 16);

    walker->simd_width = walker_simd_width(bits(d[4], 30, 31));
    walker->threads_per_group =
        (bits(d[4], 0, 5) + 1) * (bits(d[4], 8, 13) + 1) * (bits(d[4], 16, 21) + 1);
    walker->group_start[0] = d[5];
    walker->group_end[0] = d[7];
    walker->group_start[1] = d[8];
    walker->group_end[1] = d[10];
    walker->group_start[2] = d[11];
    walker->group_end[2] = d[12];
    walker->execution_mask = d[13];
    walker->indirect_address = (state->indirect_base + (d[3] & ~UINT32_C(63))) & GPU_ADDRESS_MASK;

    /* The descriptor asks for one register at least even where the kernel takes no local ids; the
     * data ends with what the walker says. */
    if ((uint64_t)walker->cross_thread_bytes +
            (uint64_t)walker->per_thread_bytes * walker->threads_per_group >
        indirect_bytes)
        walker->per_thread_bytes = 0;
    walker->local_id_source = LOCAL_ID_FROM_MEMORY;
}

int command_gpgpu_walker(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct state *state = &batch->context->state;
    struct walker walker = {.grf_registers = 128};
    uint32_t descriptor[DESCRIPTOR_DWORDS];

    if (batch->device->architecture != VESIM_GEN12LP || count != 15)
        return batch_fault(batch, "GPGPU_WALKER of %" PRIu32 " dwords is not one of this device",
                           count);
    if (bits(d[0], 8, 8)) { /* Predicate Enable */
        int run = walker_predicate(batch);

        if (run != 1)
            return run;
    }
    walker_bases(&walker, state);
    if (read_descriptor(batch, bits(d[1], 0, 5), descriptor) ||
        decode_descriptor(batch, descriptor, &walker))
        return -EFAULT;
    decode_walker(batch, d, &walker);
    if (bits(d[0], 10, 10) && walker_indirect_dimensions(batch, walker.group_end))
        return -EFAULT;
    if (state->scratch_pointer) {
        walker.scratch_address = (state->general_base + state->scratch_pointer) & GPU_ADDRESS_MASK;
        walker.scratch_bytes_per_thread = state->scratch_per_thread;
    }
    return walker_run(batch, &walker);
}
