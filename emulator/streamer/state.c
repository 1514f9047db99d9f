/* Commands that set up what walkers use. */
#include <errno.h>
#include <inttypes.h>

#include "streamer/commands.h"
#include "streamer/context.h"

static int require_at_least(struct batch *batch, const uint32_t *d, uint32_t count, uint32_t wanted)
{
    if (count < wanted)
        return batch_fault(batch,
                           "command 0x%08" PRIx32 " has %" PRIu32 " dwords instead of %" PRIu32,
                           d[0], count, wanted);
    return 0;
}

static void set_base(const struct batch *batch, uint64_t *base, uint32_t modify, uint64_t address)
{
    if (modify)
        *base = address_cut(batch->space, address);
}

static int state_base_address(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct state_base_address command = state_base_address_unpack(d);
    struct state *state = &batch->context->state;

    if (require_at_least(batch, d, count, state_base_address_dwords))
        return -EFAULT;
    set_base(batch, &state->general_base, command.general_modify, command.general);
    set_base(batch, &state->surface_base, command.surface_modify, command.surface);
    set_base(batch, &state->dynamic_base, command.dynamic_modify, command.dynamic);
    set_base(batch, &state->indirect_base, command.indirect_modify, command.indirect);
    set_base(batch, &state->instruction_base, command.instruction_modify, command.instruction);
    set_base(batch, &state->bindless_surface_base, command.bindless_surface_modify,
             command.bindless_surface);
    set_base(batch, &state->bindless_sampler_base, command.bindless_sampler_modify,
             command.bindless_sampler);
    return 0;
}

static int media_vfe_state(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct media_vfe_state command = media_vfe_state_unpack(d);
    struct state *state = &batch->context->state;

    if (require_at_least(batch, d, count, media_vfe_state_dwords))
        return -EFAULT;
    if (command.per_thread_scratch_space > 11) /* 1 KB to 2 MB */
        return batch_fault(batch, "MEDIA_VFE_STATE has no scratch size %" PRIu32,
                           command.per_thread_scratch_space);
    state->scratch_pointer = command.scratch_space_base;
    state->scratch_per_thread = UINT32_C(1024) << command.per_thread_scratch_space;
    return 0;
}

static int interface_descriptor_load(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct media_interface_descriptor_load command =
        media_interface_descriptor_load_unpack(d);

    if (require_at_least(batch, d, count, media_interface_descriptor_load_dwords))
        return -EFAULT;
    batch->context->state.descriptors_bytes = command.bytes;
    batch->context->state.descriptors_offset = command.offset;
    return 0;
}

static int cfe_state(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (require_at_least(batch, d, count, cfe_state_dwords))
        return -EFAULT;
    batch->context->state.scratch_surface = cfe_state_unpack(d).scratch_space_buffer << 6;
    return 0;
}

static int binding_table_pool(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (require_at_least(batch, d, count, binding_table_pool_alloc_dwords))
        return -EFAULT;
    batch->context->state.binding_table_pool =
        address_cut(batch->space, binding_table_pool_alloc_unpack(d).address);
    batch->context->state.has_binding_table_pool = true;
    return 0;
}

static int compute_mode(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct state_compute_mode command = state_compute_mode_unpack(d);

    if (require_at_least(batch, d, count, state_compute_mode_dwords))
        return -EFAULT;
    if (batch->device->architecture != VESIM_GEN12LP && command.large_grf_mode_mask)
        batch->context->state.large_grf = command.large_grf_mode;
    return 0;
}

int command_state(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (IS_L3_CONTROL(d[0])) {
        cache_control(batch, GPU_FLUSH_L3);
        return 0;
    }
    switch (gfx_header_unpack(d).opcode) {
    case STATE_BASE_ADDRESS:
        return state_base_address(batch, d, count);
    case STATE_COMPUTE_MODE:
        return compute_mode(batch, d, count);
    case MEDIA_VFE_STATE:
        return media_vfe_state(batch, d, count);
    case MEDIA_INTERFACE_DESCRIPTOR_LOAD:
        return interface_descriptor_load(batch, d, count);
    case CFE_STATE:
        return cfe_state(batch, d, count);
    case BINDING_TABLE_POOL_ALLOC:
        return binding_table_pool(batch, d, count);
    case PIPELINE_SELECT:                 /* there is only one pipeline here */
    case MEDIA_STATE_FLUSH:               /* walkers finish before the next command begins */
    case STATE_SIP:                       /* the system routine serves debuggers and preemption */
    case GPGPU_CSR_BASE_ADDRESS:          /* where preemption would save registers */
    case STATE_BTD:                       /* ray tracing's bindless dispatch */
    case STATE_BTD_XE3P:                  /* the same */
    case STATE_SYSTEM_MEM_FENCE_ADDRESS:  /* what a system fence writes to, which nobody reads */
    case STATE_PREFETCH:                  /* a hint, of code that is not fetched ahead here */
    case STATE_CONTEXT_DATA_BASE_ADDRESS: /* where preemption would save groups */
        return 0;
    default:
        return batch_fault(batch, "command 0x%08" PRIx32 " is not modelled", d[0]);
    }
}
