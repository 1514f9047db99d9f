/* COMPUTE_WALKER of Xe-HP and later, which carries its interface descriptor, post-sync operation
 * and inline data (PRM Vol 2a and 2d; the layouts are those of compute-runtime's
 * hw_cmds_generated_xe_hpg_core.inl and hw_cmds_generated_xe2_hpg_core.inl). */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "streamer/walker-common.h"

#define WALKER_DWORDS 39 /* Xe2 has one more, in front of the descriptor */
#define DESCRIPTOR    18 /* dwords from the walker's first, but for that one */
#define POST_SYNC     26
#define INLINE_DATA   31

enum post_sync {
    POST_SYNC_NONE = 0,
    POST_SYNC_IMMEDIATE = 1,
    POST_SYNC_TIMESTAMPS = 3,
};

static int decode_descriptor(struct batch *batch, const uint32_t *d, struct walker *walker)
{
    const struct state *state = &batch->context->state;
    uint64_t table = bits(d[4], 5, 20) << 5;

    walker->kernel_address = (walker->instruction_base + (d[0] & ~UINT32_C(63))) & GPU_ADDRESS_MASK;
    walker_float_mode(walker, d[2], bits(d[5], 22, 23));
    walker->sampler_state_offset = d[3] & ~UINT32_C(31);

    /* Binding tables lie in their pool, where one is set. */
    if (state->has_binding_table_pool)
        table += state->binding_table_pool - state->surface_base;
    if (table > UINT32_MAX)
        return batch_fault(batch,
                           "the binding table pool 0x%" PRIx64
                           " lies below the surface states or 4 GB above",
                           state->binding_table_pool);
    walker->binding_table_offset = (uint32_t)table;

    walker->threads_per_group = bits(d[5], 0, 9);
    walker->barriers = bits(d[5], 28, 30) ? 1 : 0;
    if (bits(d[5], 28, 30) > 1)
        return batch_fault(batch, "kernels with several named barriers are not modelled");
    if (bits(d[5], 31, 31)) /* BTD Mode */
        return batch_fault(batch, "ray tracing kernels are not modelled");
    return walker_slm_bytes(batch, bits(d[5], 16, 20), &walker->slm_bytes);
}

static void decode_walker(struct batch *batch, const uint32_t *d, const uint32_t *inline_data,
                          struct walker *walker)
{
    walker->simd_width = walker_simd_width(bits(d[4], 30, 31));
    walker->execution_mask = d[5];
    for (int i = 0; i < 3; i++) {
        walker->group_end[i] = d[7 + i];
        walker->group_start[i] = d[10 + i];
        walker->local_size[i] = bits(d[6], 10 * i, 10 * i + 9) + 1;
    }
    /* Kernels load their cross-thread and per-thread data themselves, from this address. */
    walker->indirect_address =
        (batch->context->state.general_base + (d[3] & ~UINT32_C(63))) & GPU_ADDRESS_MASK;

    walker->walk_order = bits(d[4], 22, 24);
    if (bits(d[4], 29, 29)) /* Generate Local ID */
        walker->local_id_source = LOCAL_ID_FROM_HARDWARE;
    walker->local_id_dimensions = (uint32_t)__builtin_popcount(bits(d[4], 26, 28));
    walker->has_inline_data = bits(d[4], 25, 25);
    if (walker->has_inline_data)
        memcpy(walker->inline_data, inline_data, sizeof(walker->inline_data));
}

/* The surface state that scratch messages go through says where and how much (surface type
 * SCRATCH: the pitch is what a thread has). */
static int decode_scratch(struct batch *batch, struct walker *walker)
{
    const struct state *state = &batch->context->state;
    uint64_t surface = state->surface_base + state->scratch_surface;
    uint32_t pitch;
    uint64_t address;

    if (!state->scratch_surface)
        return 0;
    if (batch_read32(batch, surface + 3 * 4, &pitch) ||
        batch_read64(batch, surface + 8 * 4, &address))
        return -EFAULT;
    walker->scratch_surface_offset = state->scratch_surface;
    walker->scratch_address = address & GPU_ADDRESS_MASK;
    walker->scratch_bytes_per_thread = bits(pitch, 0, 17) + 1;
    return 0;
}

/* {context start, global start, context end, global end}, a dword each, on Xe2 a qword each. */
static int write_timestamps(struct batch *batch, uint64_t address, uint64_t context_start,
                            uint64_t start)
{
    const struct vesim_device *device = batch->device;
    const struct cs *cs = batch->cs;
    uint64_t ticks[4] = {
        cs_ticks(cs, start, start - context_start),
        cs_ticks(cs, start, 0),
        cs_ticks(cs, cs->clock, context_idle_cycles(batch->context)),
        cs_ticks(cs, cs->clock, 0),
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

static int post_sync(struct batch *batch, const uint32_t *d, uint64_t context_start, uint64_t start)
{
    uint64_t address = address48(d + 1, 8);
    unsigned flush = 0;

    if (bits(d[0], 2, 2)) /* Dataport Pipeline Flush */
        flush |= GPU_FLUSH_DATA;
    if (bits(d[0], 12, 12)) /* Dataport Subslice Cache Flush */
        flush |= GPU_FLUSH_DATA | GPU_INVALIDATE_DATA;
    if (flush)
        cache_control(batch, flush);

    switch (bits(d[0], 0, 1)) {
    case POST_SYNC_NONE:
        return 0;
    case POST_SYNC_IMMEDIATE:
        return batch_write64(batch, address, d[3] | (uint64_t)d[4] << 32);
    case POST_SYNC_TIMESTAMPS:
        return write_timestamps(batch, address, context_start, start);
    default:
        return batch_fault(batch, "the walker's post-sync operation is reserved");
    }
}

int command_compute_walker(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct state *state = &batch->context->state;
    struct walker walker = {.grf_registers = state->large_grf ? 256 : 128};
    uint64_t start = batch->cs->clock, context_start = context_active_cycles(batch->context);
    uint32_t more = batch->device->architecture >= VESIM_XE2;

    if (batch->device->architecture < VESIM_XE_HPG || count != WALKER_DWORDS + more)
        return batch_fault(batch, "COMPUTE_WALKER of %" PRIu32 " dwords is not one of this device",
                           count);
    if (bits(d[0], 8, 8)) { /* Predicate Enable */
        int run = walker_predicate(batch);

        if (run != 1)
            return run;
    }
    if (bits(d[0], 9, 9) || bits(d[2], 30, 31)) /* Workload Partition, Partition Type */
        return batch_fault(batch, "walkers split over several tiles are not modelled");
    walker_bases(&walker, state);
    if (decode_descriptor(batch, d + DESCRIPTOR + more, &walker))
        return -EFAULT;
    decode_walker(batch, d, d + INLINE_DATA + more, &walker);
    if (bits(d[0], 10, 10) && walker_indirect_dimensions(batch, walker.group_end))
        return -EFAULT;
    if (decode_scratch(batch, &walker) || walker_run(batch, &walker))
        return -EFAULT;
    return post_sync(batch, d + POST_SYNC + more, context_start, start);
}
