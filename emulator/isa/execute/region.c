#include "isa/execute/region.h"

int region_indirect(struct thread *thread, const struct inst *inst, const struct operand *operand,
                    struct region *region)
{
    unsigned size = type_bytes((enum type)operand->type);

    for (unsigned lane = 0; lane < inst->lanes; lane++) {
        unsigned row = operand->vxh ? lane / operand->width : 0;
        uint32_t column = operand->lane_offset[lane];

        if (operand->vxh)
            column = lane % operand->width * operand->horizontal_stride * size;
        uint16_t address;
        if (operand->offset + row * 2 + 2 > ARF_ACC)
            return thread_fault(thread, inst, "address register past a0.15");
        memcpy(&address, thread->registers + operand->offset + row * 2, sizeof(address));
        int64_t at = (int64_t)address + operand->immediate_offset + column;
        if (at < 0 || at + size > thread_grf_end(thread))
            return thread_fault(thread, inst, "register-indirect access to byte %lld",
                                (long long)at);
        region->own[lane] = (uint16_t)at;
    }
    region->base = thread->registers;
    region->offsets = region->own;
    return 0;
}
