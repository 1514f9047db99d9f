#include "isa/code.h"

#include "isa/decode/loops.h"
#include "timing/inst-cost.h"

#include <stdio.h>

struct costing {
    const struct vesim_device *device;
};

static void set_cost(void *context, struct inst *inst)
{
    const struct costing *costing = context;

    inst_set_cost(inst, costing->device);
}

struct program *isa_decode(const struct vesim_device *device, const uint8_t *code, size_t bytes,
                           char *error, size_t error_size)
{
    struct costing costing = {device};
    const struct inst_binder binder = {set_cost, &costing};
    uint32_t length = program_length(code, bytes);

    if (length)
        return program_decode(device, &binder, code, length, error, error_size);
    snprintf(error, error_size, "the code never ends its thread");
    return NULL;
}

size_t isa_loops(const struct program *program, struct isa_loop loops[ISA_LOOPS_MAX])
{
    size_t count = 0;

    for (uint32_t i = 0; i < program->count && count < ISA_LOOPS_MAX; i++) {
        int32_t first = loop_first(&program->insts[i], i);

        if (first >= 0)
            loops[count++] = (struct isa_loop){.first = (uint32_t)first, .last = i};
    }
    for (size_t inner = 0; inner < count; inner++) {
        for (size_t outer = 0; outer < count; outer++)
            loops[inner].depth +=
                loops[outer].first <= loops[inner].first && loops[inner].last <= loops[outer].last;
    }
    return count;
}

size_t isa_hot_loop(const struct isa_loop *loops, size_t count, bool outermost)
{
    size_t hot = 0;

    for (size_t i = 1; i < count; i++) {
        uint32_t size = loops[i].last - loops[i].first, most = loops[hot].last - loops[hot].first;
        bool better =
            outermost ? loops[i].depth < loops[hot].depth : loops[i].depth > loops[hot].depth;

        if (better || (loops[i].depth == loops[hot].depth && size > most))
            hot = i;
    }
    return hot;
}

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

bool isa_source_registers(const struct program *program, const struct inst *inst, unsigned source,
                          unsigned *first, unsigned *count)
{
    const struct operand *operand = &inst->source[source];
    unsigned whole;

    if (source >= inst->source_count)
        return false;
    if (inst->pipe != PIPE_SEND)
        return operand_registers(program, operand, inst->lanes, first, count);
    whole = source ? inst->payload1_registers : inst->message.payload0_registers;
    return operand_registers(program, operand, 1, first, count) && (*count = whole) > 0;
}

bool isa_destination_registers(const struct program *program, const struct inst *inst,
                               unsigned *first, unsigned *count)
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

unsigned isa_registers_used(const struct program *program)
{
    bool used[GRF_COUNT] = {false};
    unsigned total = 0, first, count;

    for (uint32_t i = 0; i < program->count; i++) {
        const struct inst *inst = &program->insts[i];

        for (unsigned s = 0; s < inst->source_count; s++) {
            if (isa_source_registers(program, inst, s, &first, &count))
                mark(used, first, count);
        }
        if (isa_destination_registers(program, inst, &first, &count))
            mark(used, first, count);
    }
    for (unsigned i = 0; i < GRF_COUNT; i++)
        total += used[i];
    return total;
}
