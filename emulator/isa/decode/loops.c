#include "isa/decode/loops.h"

int32_t loop_first(const struct inst *inst, uint32_t index)
{
    int32_t target = -1;

    switch (inst->opcode) {
    case OP_while:
        return inst->jip_index <= (int32_t)index ? inst->jip_index : -1;
    case OP_goto:
        target = inst->branch_control ? inst->uip_index : -1;
        break;
    case OP_brd:
    case OP_jmpi:
        target = inst->jip_index;
        break;
    default:
        break;
    }
    return target <= (int32_t)index ? target : -1;
}

void loops_force(struct program *program, const unsigned *trips, unsigned count)
{
    unsigned loop = 0;

    for (uint32_t i = 0; i < program->count && loop < count && loop < LOOPS_MAX; i++) {
        struct inst *inst = &program->insts[i];

        if (inst->opcode != OP_while && loop_first(inst, i) < 0)
            continue;
        inst->loop = (uint8_t)(trips[loop] ? loop + 1 : 0);
        inst->trips = trips[loop++];
    }
}
