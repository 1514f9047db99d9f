#include "streamer/walker-common.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

int walker_predicate(struct batch *batch)
{
    uint32_t predicate;

    if (register_read(batch, REG_PREDICATE_RESULT, &predicate))
        return -EFAULT;
    return predicate & 1;
}

int walker_indirect_dimensions(struct batch *batch, uint32_t dimensions[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        if (register_read(batch, REG_DISPATCH_DIM_X + 4 * i, &dimensions[i]))
            return -EFAULT;
    }
    return 0;
}

uint32_t walker_simd_width(uint32_t field)
{
    return field <= 2 ? UINT32_C(8) << field : 0;
}

int walker_slm_bytes(struct batch *batch, uint32_t field, uint32_t *bytes)
{
    /* Xe-HPC and Xe2 have sizes beyond, and between, in KB. */
    static const uint32_t more[] = {24, 48, 96, 128, 192, 256, 384};
    /* Xe3P has one more of these, and smaller ones in KB for which a power of 2 is too much
       (compute-runtime, SHARED_LOCAL_MEMORY_SIZE of Xe3P). */
    static const uint32_t xe3p[] = {24, 48, 96, 128, 192, 256, 320, 384, 3, 5,
                                    6,  7,  9,  10,  11,  12,  13,  14,  15};
    const bool is_xe3p = batch->device->architecture >= VESIM_XE3P;
    const uint32_t *sizes = is_xe3p ? xe3p : more;
    const uint32_t count = is_xe3p ? sizeof(xe3p) / sizeof(*xe3p) : sizeof(more) / sizeof(*more);
    uint32_t beyond = field - 8;

    if (field < 8) {
        *bytes = field ? UINT32_C(512) << field : 0;
        return 0;
    }
    if (batch->device->architecture < VESIM_XE_HPC || beyond >= count)
        return batch_fault(batch, "shared local memory size %" PRIu32 " is reserved", field);
    *bytes = sizes[beyond] << 10;
    return 0;
}

void walker_bases(struct walker *walker, const struct state *state)
{
    walker->instruction_base = state->instruction_base;
    walker->surface_state_base = state->surface_base;
    walker->bindless_surface_base = state->bindless_surface_base;
    walker->bindless_sampler_base = state->bindless_sampler_base;
    walker->dynamic_state_base = state->dynamic_base;
    walker->general_state_base = state->general_base;
}

static int check(struct batch *batch, const struct walker *walker)
{
    const struct vesim_device *device = batch->device;
    uint64_t threads =
        device->ves_per_xe_core * vesim_threads_per_ve(device, walker->grf_registers);

    if (walker->simd_width == 0)
        return batch_fault(batch, "the walker's SIMD size is reserved");
    if (walker->threads_per_group == 0 || walker->threads_per_group > threads)
        return batch_fault(batch,
                           "a work-group of %" PRIu32 " threads with %" PRIu32
                           " registers each; an Xe-core holds %" PRIu64,
                           walker->threads_per_group, walker->grf_registers, threads);
    if (walker->slm_bytes > device->slm_bytes_per_xe_core)
        return batch_fault(batch,
                           "a work-group wants %" PRIu32 " bytes of shared local memory; an "
                           "Xe-core has %" PRIu64,
                           walker->slm_bytes, device->slm_bytes_per_xe_core);
    return 0;
}

int walker_run(struct batch *batch, const struct walker *walker)
{
    struct walker faulty = *walker;
    struct cs *cs = batch->cs;
    struct cs_stack *stack = batch->stack;

    /* Stacks that run the same commands meet at their walkers instead. */
    if (!batch->context->has_partition)
        context_let_higher(batch->context, batch->sequence);
    uint64_t end = stack->clock;

    faulty.wrong_lane = batch->wrong_lane;
    if (check(batch, walker))
        return -EFAULT;
    for (int i = 0; i < 3; i++) {
        if (walker->group_start[i] >= walker->group_end[i])
            return 0; /* an empty walk, as on hardware */
    }
    if (__atomic_exchange_n(&stack->translates_anew, false, __ATOMIC_RELAXED))
        cache_control(batch, GPU_INVALIDATE_TLB);
    __atomic_store_n(&stack->walks, true, __ATOMIC_RELAXED);
    int status = gpu_walk(stack->gpu, batch->space, &faulty, stack->clock, &end, &batch->fault);
    __atomic_store_n(&stack->walks, false, __ATOMIC_RELAXED);
    if (status)
        return batch_stop(batch);
    if (cs->settings.log_commands)
        cs_log(cs,
               "walk of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " groups of %" PRIu32 " SIMD%" PRIu32
               " threads, kernel 0x%" PRIx64 ": %" PRIu64 " cycles",
               walker->group_end[0] - walker->group_start[0],
               walker->group_end[1] - walker->group_start[1],
               walker->group_end[2] - walker->group_start[2], walker->threads_per_group,
               walker->simd_width, walker->kernel_address, end - stack->clock);
    clock_advance(stack, end);
    return 0;
}
