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

/* Bits for the registers of `each` bytes, from the one at `file` on, that bytes lie in. */
static uint8_t registers_at(uint32_t file, uint32_t each, uint32_t offset, uint32_t bytes)
{
    uint32_t first = (offset - file) / each, last = (offset + bytes - 1 - file) / each;

    return last < 8 ? (uint8_t)((2u << last) - (1u << first)) : (uint8_t)(0xffu << first);
}

static uint32_t lanes_of(const struct inst *inst, const struct operand *operand)
{
    bool is_source = operand != &inst->destination;

    return is_source && operand->shape == SHAPE_SCALAR ? 1 : inst->lanes;
}

/* A lane of an accumulator takes a dword, or two. */
static uint8_t accumulators_at(const struct decoder *d, uint32_t offset, uint32_t lanes,
                               uint8_t type)
{
    uint32_t bytes = type_bytes((enum type)type) == 8 ? 8 : 4;

    return registers_at(ARF_ACC, (uint32_t)d->device->grf_bytes, offset, lanes * bytes);
}

static uint8_t accumulators_in(const struct decoder *d, const struct operand *operand)
{
    return operand_lies_in(operand, ARF_ACC, ARF_FLAG)
               ? accumulators_at(d, operand->offset, lanes_of(d->inst, operand), operand->type)
               : 0;
}

/* Those that an instruction reads or writes without naming them: acc0 and what follows it. */
static uint8_t implied_accumulators(const struct decoder *d)
{
    return accumulators_at(d, ARF_ACC, d->inst->lanes, d->inst->destination.type);
}

static uint8_t flags_in(const struct inst *inst, const struct operand *operand)
{
    uint32_t bytes = lanes_of(inst, operand) * type_bytes((enum type)operand->type);

    return operand_lies_in(operand, ARF_FLAG, ARF_CE)
               ? registers_at(ARF_FLAG, sizeof(uint16_t), operand->offset, bytes)
               : 0;
}

/* The flags of the instruction's lanes, a bit of its flag register each. */
static uint8_t flags_of_lanes(const struct inst *inst)
{
    return registers_at(0, 16, inst->flag * 16u + inst->first_lane, inst->lanes);
}

/* Of a choice by a condition, that is all that the condition decides. */
static bool sets_flags(const struct inst *inst)
{
    return inst->condition != CONDITION_NONE && inst->opcode != OP_sel && inst->opcode != OP_csel;
}

/* Each accumulator and each flag of 16 bits is waited for on its own, as IGC's scheduler takes them
 * (visa/LocalScheduler/LocalScheduler_G4IR.cpp: ACC_BUCKET and as many as there are accumulators,
 * FLAG0_BUCKET to FLAG3_BUCKET with the bits of each), and address registers together
 * (A0_BUCKET). */
void decode_interlocks(struct decoder *d)
{
    struct inst *inst = d->inst;

    if (inst->pipe != PIPE_SEND)
        inst->pipe = (uint8_t)choose_pipe(inst);
    const struct operand *to = &inst->destination;
    if (inst->predicate != PREDICATE_NONE)
        inst->flags_read = flags_of_lanes(inst);
    if (inst->opcode == OP_mach || inst->opcode == OP_macl || inst->opcode == OP_mac)
        inst->accumulators_read = implied_accumulators(d);
    inst->reads_address = to->kind == OPERAND_INDIRECT || inst->descriptor_register >= 0 ||
                          inst->extended_descriptor_register >= 0;
    for (unsigned i = 0; i < inst->source_count; i++) {
        const struct operand *from = &inst->source[i];

        inst->flags_read |= flags_in(inst, from);
        inst->accumulators_read |= accumulators_in(d, from);
        inst->reads_address |=
            from->kind == OPERAND_INDIRECT || operand_lies_in(from, ARF_ADDRESS, ARF_ACC);
        inst->reads_clock |= operand_lies_in(from, ARF_TM, ARF_DBG);
    }
    inst->flags_written = flags_in(inst, to);
    if (sets_flags(inst))
        inst->flags_written |= flags_of_lanes(inst);
    inst->accumulators_written = accumulators_in(d, to);
    if (inst->writes_accumulator || inst->opcode == OP_addc || inst->opcode == OP_subb)
        inst->accumulators_written |= implied_accumulators(d);
    inst->writes_address = operand_lies_in(to, ARF_ADDRESS, ARF_ACC);
    inst->is_shared = inst->pipe == PIPE_SEND || inst->opcode == OP_sync;
}
