/* Which instructions on bytes, words and dwords apart take the fast path. */
#include "isa/fast/fast-narrow.h"

#include "isa/fast/fast.h"

static bool is_narrow_integer(enum type type)
{
    return type <= TYPE_D;
}

/* The distance of an operand's lanes in bytes: that of containers, or 0 if it is none of those. */
static uint32_t container_bytes(const struct inst *inst, const struct operand *operand)
{
    uint32_t bytes = type_bytes((enum type)operand->type);
    uint32_t distance = inst->lanes > 1 ? operand->lane_offset[1] : bytes;

    if (distance < bytes || distance > 8 || (distance & (distance - 1)))
        return 0;
    for (uint32_t lane = 0; lane < inst->lanes; lane++)
        if (operand->lane_offset[lane] != lane * distance)
            return 0;
    return distance;
}

/* Whether the blocks of eight containers lie within the register file. */
static bool lies_within(const struct inst *inst, const struct operand *operand, uint32_t container)
{
    return operand->offset + fast_block_lanes(inst) * container <= REGISTER_FILE_BYTES;
}

/* Bytes and words lie in accumulators as in other registers. */
static bool is_plain_register(const struct operand *operand)
{
    return operand->kind == OPERAND_REGISTER && !operand->is_null &&
           (!operand->is_accumulator || type_bytes((enum type)operand->type) < 4) &&
           !operand_is_instruction_pointer(operand);
}

/* A half moves as the word that it is. */
static bool is_move_of_half(const struct inst *inst)
{
    const struct operand *from = &inst->source[0];

    return inst->opcode == OP_mov && inst->destination.type == TYPE_HF &&
           from->kind == OPERAND_IMMEDIATE && from->type == TYPE_HF && !from->absolute &&
           !from->negate;
}

/* An asr of the accumulator's width shifts in what a dword does not have. */
static bool has_narrow_result(const struct inst *inst)
{
    const struct operand *to = &inst->destination;

    return is_plain_register(to) && !(to->is_accumulator && inst->opcode == OP_asr) &&
           (is_narrow_integer((enum type)to->type) || is_move_of_half(inst));
}

static bool prepare_source(struct inst *inst, unsigned n)
{
    const struct operand *from = &inst->source[n];
    enum type type = (enum type)from->type;
    bool is_one = from->shape == SHAPE_SCALAR || inst->lanes == 1;
    struct narrow_form form = {.is_one = is_one, .is_signed = type_is_signed(type)};

    if (from->kind == OPERAND_IMMEDIATE) {
        uint32_t value = is_move_of_half(inst) ? (uint16_t)from->immediate : from->broadcast;

        if (!is_move_of_half(inst) &&
            (!from->has_broadcast || type_is_float(type) || from->absolute || from->negate))
            return false;
        form = (struct narrow_form){.is_value = true, .element = 4, .container = 4};
        inst->fast[n] =
            (struct fast_source){.form = narrow_form_pack(form), .offset_or_value = value};
        return true;
    }
    if (!is_plain_register(from) || !is_narrow_integer(type) || from->absolute)
        return false;
    form.element = type_bytes(type);
    form.container = is_one ? form.element : container_bytes(inst, from);
    if (!form.container || !lies_within(inst, from, form.container))
        return false;
    inst->fast[n] = (struct fast_source){
        .form = narrow_form_pack(form), .negate = from->negate, .offset_or_value = from->offset};
    return true;
}

bool narrow_prepare(struct inst *inst)
{
    const struct operand *to = &inst->destination;
    uint32_t container = container_bytes(inst, to);

    if (!has_narrow_result(inst) || !container || !lies_within(inst, to, container) ||
        inst->source_count > 2)
        return false;
    for (unsigned n = 0; n < inst->source_count; n++)
        if (!prepare_source(inst, n))
            return false;
    inst->fast_destination = to->offset;
    inst->fast_container = (uint8_t)container;
    return inst->source_count > 0;
}
