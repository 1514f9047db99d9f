/* Where the lanes of an operand lie in the register file. Shared by source.c and destination.c. */
#ifndef VESIM_REGION_H
#define VESIM_REGION_H

#include "isa/thread/thread.h"

/* Where the lanes of an operand begin: one pointer and the offsets of the layout, or for indirect
 * access an offset of its own for each lane. */
struct region {
    uint8_t *base;
    const uint16_t *offsets;
    uint16_t own[MAX_LANES];
};

/* By the address registers. 0, or -1 with a fault: outside the general registers. */
int region_indirect(struct thread *thread, const struct inst *inst, const struct operand *operand,
                    struct region *region);

static inline int region_find(struct thread *thread, const struct inst *inst,
                              const struct operand *operand, struct region *region)
{
    if (operand->kind == OPERAND_INDIRECT)
        return region_indirect(thread, inst, operand, region);
    region->base = thread->registers + operand->offset;
    region->offsets = operand->lane_offset;
    return 0;
}

#endif
