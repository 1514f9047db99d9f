#include "isa/decode/decode.h"

/* What the instruction reads and writes of the registers that the hardware interlocks. */
static void decode_interlocks(struct inst *inst)
{
    const struct operand *to = &inst->destination;
    inst->reads_flag = inst->predicate != PREDICATE_NONE;
    inst->reads_accumulator = inst->opcode == OP_mach || inst->opcode == OP_mac;
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

/* Pipe, occupancy and latency from the figures of the device. */
void decode_timing(struct decoder *d)
{
    struct inst *inst = d->inst;
    const struct device *device = d->device;
    if (inst->pipe != PIPE_SEND)
        inst->pipe = (uint8_t)choose_pipe(inst);
    uint64_t width = device->lanes_32bit, latency = device->fpu_latency;
    if (inst->pipe == PIPE_MATH) {
        width = device->math_lanes;
        latency = device->math_latency;
    } else if (inst->pipe == PIPE_LONG) {
        width = device->long_lanes;
    }
    /* The published latencies are those of 8 lanes; each cycle that more lanes take adds one. */
    uint64_t lanes = inst->is_flow || inst->pipe >= PIPE_SEND ? 1 : inst->lanes;
    uint64_t cycles = (lanes + width - 1) / width, published = (7 + width) / width;
    inst->occupancy = (uint8_t)cycles;
    inst->latency =
        (uint16_t)(latency + (cycles > published ? (cycles - published) * device->wide_step : 0));
    if (inst->pipe == PIPE_SYSTOLIC) { /* a row of the result follows the other */
        inst->occupancy = (uint8_t)(inst->systolic_repeat * device->systolic_interval);
        inst->latency = (uint16_t)(device->systolic_latency + inst->systolic_repeat - 1u);
    }
    decode_interlocks(inst);
}
