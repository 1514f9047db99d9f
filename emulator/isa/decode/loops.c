#include "isa/decode/loops.h"

static bool ends_loop(const struct inst *inst, uint32_t index)
{
    switch (inst->opcode) {
    case OP_while:
        return true;
    case OP_goto:
        return inst->branch_control && inst->uip_index >= 0 && inst->uip_index <= (int32_t)index;
    case OP_brd:
    case OP_jmpi:
        return inst->jip_index >= 0 && inst->jip_index <= (int32_t)index;
    default:
        return false;
    }
}

void loops_force(struct program *program, const unsigned *trips, unsigned count)
{
    unsigned loop = 0;
    for (uint32_t i = 0; i < program->count && loop < count && loop < LOOPS_MAX; i++) {
        struct inst *inst = &program->insts[i];
        if (!ends_loop(inst, i))
            continue;
        inst->loop = (uint8_t)(trips[loop] ? loop + 1 : 0);
        inst->trips = trips[loop++];
    }
}
