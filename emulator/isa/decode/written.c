#include "isa/decode/written.h"

#include "isa/decode/program.h"

/* Where lanes of accumulators go on with the first. */
enum { ARF_ACC_WRAPS = ARF_ACC + 64 * sizeof(uint32_t) };

void written_add(struct written *written, uint32_t first, uint32_t bytes)
{
    for (uint32_t line = first / WRITTEN_LINE_BYTES; line * WRITTEN_LINE_BYTES < first + bytes;
         line++)
        written->lines[line / 64] |= UINT64_C(1) << line % 64;
}

static void add_all(struct written *written)
{
    written_add(written, 0, REGISTER_FILE_BYTES);
}

/* A descriptor that is in the instruction tells how much the message returns, even if its surface
 * is in a register. */
static void add_message(struct written *written, const struct vesim_device *device,
                        const struct inst *inst)
{
    const struct send_descriptors send =
        send_of(device, inst, inst->descriptor, inst->extended_descriptor);
    struct message message;

    if (inst->descriptor_register >= 0 || message_decode(&message, &send) ||
        message_is_of_image(&message) || message.block_2d.present)
        add_all(written);
    else if (message.bytes_received)
        written_add(written, inst->destination.offset, message.bytes_received);
}

/* The bytes from a destination's first to its last. */
static uint32_t destination_bytes(const struct inst *inst, uint32_t grf_bytes)
{
    const struct operand *to = &inst->destination;

    switch (inst->opcode) {
    case OP_dpas:
        return inst->systolic_repeat * grf_bytes;
    case OP_mullh:
        return 2 * grf_bytes;
    case OP_call:
    case OP_calla:
        return 2 * sizeof(uint32_t);
    default:
        return to->lane_offset[inst->lanes - 1] + type_bytes((enum type)to->type);
    }
}

/* A dword for each lane, from the destination on or else from acc0 on. */
static void add_accumulators(struct written *written, const struct inst *inst)
{
    bool is_destination = operand_lies_in(&inst->destination, ARF_ACC, ARF_FLAG);
    uint32_t first = is_destination ? inst->destination.offset : ARF_ACC;
    uint32_t bytes = inst->lanes * (uint32_t)sizeof(uint32_t);

    if (first + bytes <= ARF_ACC_WRAPS)
        written_add(written, first, bytes);
    else
        written_add(written, ARF_ACC, ARF_FLAG - ARF_ACC);
}

/* Architecture registers that an instruction writes beside its destination, or the model to execute
 * it. */
static void add_implied(struct written *written, const struct inst *inst)
{
    if (inst->accumulators_written)
        add_accumulators(written, inst);
    if (inst->reads_clock)
        written_add(written, ARF_TM, sizeof(uint64_t));
    for (unsigned i = 0; i < inst->source_count; i++)
        if (operand_is_instruction_pointer(&inst->source[i]))
            written_add(written, ARF_IP, sizeof(uint32_t));
    if (inst->flags_written)
        written_add(written, ARF_FLAG, ARF_CE - ARF_FLAG);
    if (inst->written_late)
        written_add(written, ARF_SYSTOLIC, REGISTER_FILE_BYTES - ARF_SYSTOLIC);
}

static void add_inst(struct written *written, const struct vesim_device *device,
                     const struct inst *inst)
{
    const struct operand *to = &inst->destination;

    add_implied(written, inst);
    if (inst->opcode == OP_send || inst->opcode == OP_sendc)
        add_message(written, device, inst);
    else if (to->kind == OPERAND_INDIRECT)
        add_all(written);
    else if (to->kind == OPERAND_REGISTER && !to->is_null)
        written_add(written, to->offset, destination_bytes(inst, (uint32_t)device->grf_bytes));
}

void written_by(struct written *written, const struct program *program)
{
    *written = (struct written){.lines = {0}};
    if (program->calls) /* of what other modules do, nothing is known */
        add_all(written);
    for (uint32_t i = 0; i < program->count; i++)
        add_inst(written, program->device, &program->insts[i]);
}
