/* Commands that set up what walkers use. */
#include <errno.h>
#include <inttypes.h>

#include "streamer/commands.h"
#include "streamer/context.h"

static int require(struct batch *batch, const uint32_t *d, uint32_t count, uint32_t wanted)
{
    if (count < wanted)
        return batch_fault(batch,
                           "command 0x%08" PRIx32 " has %" PRIu32 " dwords instead of %" PRIu32,
                           d[0], count, wanted);
    return 0;
}

/* Bit 0 of the low dword is the base's Modify Enable; bases are pages. */
static void set_base(uint64_t *base, const uint32_t *d)
{
    if (d[0] & 1)
        *base = address48(d, 4096);
}

static int state_base_address(struct batch *batch, const uint32_t *d, uint32_t count)
{
    struct state *state = &batch->context->state;

    /* Gen9 to Xe-HPG: dword 1 general, 4 surface, 6 dynamic, 8 indirect, 10 instruction,
     * 16 bindless surface state. */
    if (require(batch, d, count, 18))
        return -EFAULT;
    set_base(&state->general_base, d + 1);
    set_base(&state->surface_base, d + 4);
    set_base(&state->dynamic_base, d + 6);
    set_base(&state->indirect_base, d + 8);
    set_base(&state->instruction_base, d + 10);
    set_base(&state->bindless_surface_base, d + 16);
    return 0;
}

static int media_vfe_state(struct batch *batch, const uint32_t *d, uint32_t count)
{
    struct state *state = &batch->context->state;

    if (require(batch, d, count, 9))
        return -EFAULT;
    if (bits(d[1], 0, 3) > 11) /* 1 KB to 2 MB */
        return batch_fault(batch, "MEDIA_VFE_STATE has no scratch size %" PRIu32, bits(d[1], 0, 3));
    state->scratch_pointer = address48(d + 1, 1024);
    state->scratch_per_thread = UINT32_C(1024) << bits(d[1], 0, 3);
    return 0;
}

static int interface_descriptor_load(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (require(batch, d, count, 4))
        return -EFAULT;
    batch->context->state.descriptors_bytes = bits(d[2], 0, 16);
    batch->context->state.descriptors_offset = d[3];
    return 0;
}

static int cfe_state(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (require(batch, d, count, 6))
        return -EFAULT;
    /* Bits 31:10 hold the offset of the surface state in units of 64 bytes. */
    batch->context->state.scratch_surface = bits(d[1], 10, 31) << 6;
    return 0;
}

static int binding_table_pool(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (require(batch, d, count, 4))
        return -EFAULT;
    batch->context->state.binding_table_pool = address48(d + 1, 4096);
    batch->context->state.has_binding_table_pool = true;
    return 0;
}

static int compute_mode(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (require(batch, d, count, 2))
        return -EFAULT;
    /* Large GRF Mode is bit 15, its mask bit 31; both exist from Xe-HP on. */
    if (batch->device->architecture != VESIM_GEN12LP && bits(d[1], 31, 31))
        batch->context->state.large_grf = bits(d[1], 15, 15);
    return 0;
}

int command_state(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (IS_L3_CONTROL(d[0])) {
        cache_control(batch, GPU_FLUSH_L3);
        return 0;
    }
    switch (GFX_OPCODE(d[0])) {
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
    case PIPELINE_SELECT:                 /* there is one pipeline here */
    case MEDIA_STATE_FLUSH:               /* walkers finish before the next command begins */
    case STATE_SIP:                       /* the system routine serves debuggers and preemption */
    case GPGPU_CSR_BASE_ADDRESS:          /* where preemption would save registers */
    case STATE_BTD:                       /* ray tracing's bindless dispatch */
    case STATE_SYSTEM_MEM_FENCE_ADDRESS:  /* what a system fence writes to, which nobody reads */
    case STATE_CONTEXT_DATA_BASE_ADDRESS: /* where preemption would save groups */
        return 0;
    default:
        return batch_fault(batch, "command 0x%08" PRIx32 " is not modelled", d[0]);
    }
}
