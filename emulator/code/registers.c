#include "code/registers.h"

#include "code/code.h"

/* Registers of an operand's bytes, from its first element to its last. */
static bool operand_registers(const struct program *program, const struct operand *operand,
                              unsigned lanes, unsigned *first, unsigned *count)
{
    unsigned bytes = (unsigned)program->device->grf_bytes, last = 0;

    if (operand->kind != OPERAND_REGISTER || operand->offset >= ARF_NULL)
        return false;
    for (unsigned lane = 0; lane < lanes; lane++) {
        if (operand->lane_offset[lane] > last)
            last = operand->lane_offset[lane];
    }
    last += operand->offset + type_bytes((enum type)operand->type) - 1;
    *first = operand->offset / bytes;
    *count = last / bytes - *first + 1;
    return true;
}

bool source_registers(const struct program *program, const struct inst *inst, unsigned source,
                      unsigned *first, unsigned *count)
{
    const struct operand *operand = &inst->source[source];

    if (source >= inst->source_count)
        return false;
    if (inst->pipe != PIPE_SEND)
        return operand_registers(program, operand, inst->lanes, first, count);
    unsigned whole = source ? inst->payload1_registers : inst->message.payload0_registers;
    return operand_registers(program, operand, 1, first, count) && (*count = whole) > 0;
}

bool destination_registers(const struct program *program, const struct inst *inst, unsigned *first,
                           unsigned *count)
{
    if (inst->pipe != PIPE_SEND)
        return operand_registers(program, &inst->destination, inst->lanes, first, count);
    return operand_registers(program, &inst->destination, 1, first, count) &&
           (*count = inst->message.response_registers) > 0;
}

static void mark(bool used[GRF_COUNT], unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count && i < GRF_COUNT; i++)
        used[i] = true;
}

unsigned vesim_code_registers_used(const struct vesim_code *code)
{
    const struct program *program = code->program;
    bool used[GRF_COUNT] = {false};
    unsigned total = 0, first, count;

    for (uint32_t i = 0; i < program->count; i++) {
        const struct inst *inst = &program->insts[i];

        for (unsigned s = 0; s < inst->source_count; s++) {
            if (source_registers(program, inst, s, &first, &count))
                mark(used, first, count);
        }
        if (destination_registers(program, inst, &first, &count))
            mark(used, first, count);
    }
    for (unsigned i = 0; i < GRF_COUNT; i++)
        total += used[i];
    return total;
}
