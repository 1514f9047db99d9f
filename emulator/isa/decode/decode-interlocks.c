/* Pipes and interlocks: what makes a thread's instructions wait for one another. */
#include "isa/decode/decode.h"

static enum pipe choose_pipe(const struct inst *inst)
{
    if (inst->is_flow)
        return PIPE_INTEGER;
    if (inst->opcode == OP_sync || inst->opcode == OP_nop)
        return PIPE_NONE;
    if (inst->opcode == OP_math)
        return PIPE_MATH;
    if (inst->opcode == OP_dpas)
        return PIPE_SYSTOLIC;
    for (unsigned i = 0; i < inst->source_count; i++)
        if (type_bytes((enum type)inst->source[i].type) == 8)
            return PIPE_LONG;
    if (type_bytes((enum type)inst->destination.type) == 8)
        return PIPE_LONG;
    enum type type = (enum type)(inst->destination.type == TYPE_NONE ? inst->source[0].type
                                                                     : inst->destination.type);
    return type_is_float(type) ? PIPE_FLOAT : PIPE_INTEGER;
}

void decode_interlocks(struct decoder *d)
{
    struct inst *inst = d->inst;

    if (inst->pipe != PIPE_SEND)
        inst->pipe = (uint8_t)choose_pipe(inst);
    const struct operand *to = &inst->destination;
    inst->reads_flag = inst->predicate != PREDICATE_NONE;
    inst->reads_accumulator =
        inst->opcode == OP_mach || inst->opcode == OP_macl || inst->opcode == OP_mac;
    inst->reads_address = to->kind == OPERAND_INDIRECT || inst->descriptor_register >= 0 ||
                          inst->extended_descriptor_register >= 0;
    for (unsigned i = 0; i < inst->source_count; i++) {
        const struct operand *from = &inst->source[i];

        inst->reads_flag |= operand_lies_in(from, ARF_FLAG, ARF_CE);
        inst->reads_accumulator |= from->is_accumulator;
        inst->reads_address |=
            from->kind == OPERAND_INDIRECT || operand_lies_in(from, ARF_ADDRESS, ARF_ACC);
        inst->reads_clock |= operand_lies_in(from, ARF_TM, ARF_DBG);
    }
    inst->writes_flag = inst->condition != CONDITION_NONE || operand_lies_in(to, ARF_FLAG, ARF_CE);
    inst->writes_accumulator_result = to->is_accumulator || inst->writes_accumulator ||
                                      inst->opcode == OP_addc || inst->opcode == OP_subb;
    inst->writes_address = operand_lies_in(to, ARF_ADDRESS, ARF_ACC);
    inst->is_shared = inst->pipe == PIPE_SEND || inst->opcode == OP_sync;
}
