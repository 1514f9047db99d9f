/* Operands: types, registers and regions. */
#include "isa/decode/decode.h"

static enum type decode_type(uint32_t type)
{
    switch (type) {
    case IGA_UB:
        return TYPE_UB;
    case IGA_B:
        return TYPE_B;
    case IGA_UW:
        return TYPE_UW;
    case IGA_W:
        return TYPE_W;
    case IGA_UD:
        return TYPE_UD;
    case IGA_D:
        return TYPE_D;
    case IGA_UQ:
        return TYPE_UQ;
    case IGA_Q:
        return TYPE_Q;
    case IGA_HF:
        return TYPE_HF;
    case IGA_BF:
        return TYPE_BF;
    case IGA_F:
        return TYPE_F;
    case IGA_DF:
        return TYPE_DF;
    case IGA_V:
        return TYPE_V;
    case IGA_UV:
        return TYPE_UV;
    case IGA_VF:
        return TYPE_VF;
    case IGA_U4:
        return TYPE_U4;
    case IGA_S4:
        return TYPE_S4;
    case IGA_U2:
        return TYPE_U2;
    case IGA_S2:
        return TYPE_S2;
    default:
        return TYPE_NONE;
    }
}

/* First byte and byte count of a register of the given name in the register file. */
static int register_offset(const struct vesim_device *device, uint32_t name, uint32_t number,
                           uint32_t *offset, uint32_t *limit)
{
    const uint32_t grf_bytes = (uint32_t)device->grf_bytes;
    const struct {
        uint32_t name, offset, stride, count;
    } files[] = {
        {IGA_GRF_R, 0, grf_bytes, GRF_COUNT}, {IGA_ARF_NULL, ARF_NULL, 0, 1},
        {IGA_ARF_A, ARF_ADDRESS, 32, 1},      {IGA_ARF_ACC, ARF_ACC, grf_bytes, 8},
        {IGA_ARF_MME, ARF_ACC, grf_bytes, 8}, {IGA_ARF_F, ARF_FLAG, 4, 4},
        {IGA_ARF_CE, ARF_CE, 0, 1},           {IGA_ARF_SP, ARF_SP, 0, 1},
        {IGA_ARF_SR, ARF_SR, 32, 2},          {IGA_ARF_CR, ARF_CR, 0, 1},
        {IGA_ARF_N, ARF_NOTIFY, 0, 1},        {IGA_ARF_IP, ARF_IP, 0, 1},
        {IGA_ARF_TDR, ARF_TDR, 0, 1},         {IGA_ARF_TM, ARF_TM, 0, 1},
        {IGA_ARF_DBG, ARF_DBG, 0, 1},         {IGA_ARF_S, ARF_SCALAR, 0, 1},
        {IGA_ARF_MSG, ARF_MSG, 0, 1},
    };

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (files[i].name != name)
            continue;
        if (files[i].stride ? number >= files[i].count : false)
            return -1;
        *offset = files[i].offset + number * files[i].stride;
        /* An access may span neighbouring registers, but never two files. */
        *limit = name == IGA_GRF_R                            ? GRF_COUNT * grf_bytes
                 : name == IGA_ARF_NULL                       ? ARF_ADDRESS
                 : name == IGA_ARF_ACC || name == IGA_ARF_MME ? ARF_FLAG
                                                              : files[i].offset + 64;
        return 0;
    }
    return -1;
}

/* The word of a0, which has 16, on Xe3P 32. */
static uint32_t address_register(const struct decoder *d, int32_t sub)
{
    return (uint32_t)sub & (d->device->architecture >= VESIM_XE3P ? 31 : 15);
}

/* Lane offsets of a <V;W,H> region; shape; -1 if a direct operand leaves its register file. */
static int lay_out(struct operand *operand, unsigned lanes, uint32_t limit)
{
    unsigned size = type_bytes((enum type)operand->type);
    unsigned width = operand->width ? operand->width : 1;
    uint32_t last = 0;
    bool scalar = true, contiguous = true;

    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t element =
            lane / width * operand->vertical_stride + lane % width * operand->horizontal_stride;

        operand->lane_offset[lane] = (uint16_t)(element * size);
        if (element * size > last)
            last = element * size;
        scalar &= element == 0;
        contiguous &= element == lane;
    }
    operand->shape = scalar ? SHAPE_SCALAR : contiguous ? SHAPE_CONTIGUOUS : SHAPE_STRIDED;
    if (operand->kind == OPERAND_REGISTER && operand->offset + last + size > limit)
        return -1;
    return 0;
}

/* What stands in the instruction beside an operand of a math macro; 8 is nomme. */
static uint8_t extension(int16_t mme)
{
    return mme >= 0 && mme < 8 ? (uint8_t)(mme + 1) : 0;
}

static int decode_destination(struct decoder *d)
{
    const struct iga *iga = d->iga;
    struct operand *operand = &d->inst->destination;

    if (iga->kv_get_has_destination(d->view, d->pc) != 1)
        return 0;
    uint32_t kind = iga->kv_get_destination_register_kind(d->view, d->pc);
    if (kind == IGA_KIND_INVALID)
        return 0;
    operand->type = decode_type(iga->kv_get_destination_data_type(d->view, d->pc));
    d->inst->saturate = iga->kv_get_destination_modifier(d->view, d->pc) == 1;
    if (operand->type == TYPE_NONE && opcode_is_flow((enum opcode)d->inst->opcode))
        operand->type = TYPE_UD; /* of a call: two dwords, implied by the encoding */
    uint32_t stride = 1;
    iga->kv_get_destination_region(d->view, d->pc, &stride);
    if (stride == 0 || stride == IGA_HORIZONTAL_NONE)
        stride = 1;
    operand->width = 1;
    operand->vertical_stride = (uint8_t)stride; /* <H>: each lane its own row, H apart */

    int32_t number = iga->kv_get_destination_register(d->view, d->pc);
    int32_t sub = iga->kv_get_destination_sub_register(d->view, d->pc);
    uint32_t limit = REGISTER_FILE_BYTES;
    if (kind == IGA_INDIRECT) {
        int16_t offset = 0;

        iga->kv_get_destination_indirect_imm_off(d->view, d->pc, &offset);
        operand->kind = OPERAND_INDIRECT;
        operand->offset = ARF_ADDRESS + address_register(d, sub) * 2;
        operand->immediate_offset = offset;
        return lay_out(operand, d->inst->lanes, limit);
    }
    uint32_t name = iga->kv_get_destination_register_type(d->view, d->pc);
    operand->kind = OPERAND_REGISTER;
    operand->is_null = name == IGA_ARF_NULL;
    operand->is_accumulator = name == IGA_ARF_ACC || name == IGA_ARF_MME;
    int16_t mme = -1;
    if (kind == IGA_MACRO && iga->kv_get_destination_mme_number(d->view, d->pc, &mme) == 0)
        operand->extended_by = extension(mme);
    if (number < 0 || register_offset(d->device, name, (uint32_t)number, &operand->offset, &limit))
        return -1;
    if (sub > 0)
        operand->offset += (uint32_t)sub * type_bits((enum type)operand->type) / 8;
    if (operand->is_null)
        return 0;
    return lay_out(operand, d->inst->lanes, limit);
}

/* A packed immediate holds adjacent words (integers) or dwords (floats): lanes farther apart in the
 * destination take elements farther apart. */
static void set_packed_step(const struct operand *destination, struct operand *operand)
{
    unsigned apart = destination->vertical_stride * type_bytes((enum type)destination->type);
    unsigned step = apart / (operand->type == TYPE_VF ? 4 : 2);

    operand->packed_step = (uint8_t)(step ? step : 1);
}

/* An immediate that each lane sees as the same 32 bits. */
static void set_broadcast(struct operand *operand)
{
    operand->has_broadcast = true;
    switch (operand->type) {
    case TYPE_UD:
    case TYPE_D:
    case TYPE_F:
        operand->broadcast = (uint32_t)operand->immediate;
        break;
    case TYPE_UW:
        operand->broadcast = (uint16_t)operand->immediate;
        break;
    case TYPE_W:
        operand->broadcast = (uint32_t)(int16_t)operand->immediate;
        break;
    default:
        operand->has_broadcast = false;
        break;
    }
}

/* The region <V;W,H> of a source in register file `name`, in any of its forms. Sources of math
 * macros have none: their lanes are adjacent. */
static void decode_region(struct decoder *d, unsigned index, uint32_t name, bool is_macro)
{
    struct operand *operand = &d->inst->source[index];
    uint32_t vertical = IGA_VERTICAL_NONE, width = IGA_WIDTH_NONE, horizontal = IGA_HORIZONTAL_NONE;

    d->iga->kv_get_source_region(d->view, d->pc, index, &vertical, &width, &horizontal);
    bool row_each = vertical == IGA_VERTICAL_VXH;
    if (horizontal == IGA_HORIZONTAL_NONE)
        horizontal = 0;
    if (row_each) {
        if (width == IGA_WIDTH_NONE)
            width = 1;
    } else if (vertical == IGA_VERTICAL_NONE) {
        /* <H> of a third source; empty for registers to which the library gives no region */
        bool region_known = width != IGA_WIDTH_NONE || horizontal != 0;

        width = 1;
        vertical = region_known ? horizontal : 0;
        if (!region_known && (name == IGA_ARF_A || is_macro) && d->inst->lanes > 1)
            vertical = 1;
        horizontal = 0;
    } else if (width == IGA_WIDTH_NONE) {
        /* <V;H> of a three-source instruction: rows of V/H elements */
        width = horizontal ? (vertical > horizontal ? vertical / horizontal : 1) : 1;
    }
    operand->vertical_stride = (uint8_t)(row_each ? 0 : vertical);
    operand->width = (uint8_t)width;
    operand->horizontal_stride = (uint8_t)horizontal;
    operand->vxh = row_each;
}

/* The payload of a message, from registers that s0 names. Compilers let the list begin at its first
 * byte on Xe3; on Xe3P, s0 has other uses besides. */
static int decode_gathered(struct decoder *d, unsigned index)
{
    const int32_t from = d->iga->kv_get_source_sub_register(d->view, d->pc, index);

    if (index > 0 || (from > 0 && d->device->architecture < VESIM_XE3P))
        return -1;
    d->inst->gathers = true;
    d->inst->gathers_from = (uint8_t)(from > 0 ? from : 0);
    d->inst->source[0].kind = OPERAND_REGISTER;
    d->inst->source[0].offset = ARF_GATHERED;
    return 0;
}

static int decode_source(struct decoder *d, unsigned index)
{
    const struct iga *iga = d->iga;
    struct operand *operand = &d->inst->source[index];
    uint32_t kind = iga->kv_get_source_register_kind(d->view, d->pc, index);

    operand->type = decode_type(iga->kv_get_source_data_type(d->view, d->pc, index));
    if (kind == IGA_KIND_INVALID || kind == IGA_LABEL)
        return 0;
    if (operand->type == TYPE_NONE && opcode_is_flow((enum opcode)d->inst->opcode))
        operand->type = TYPE_UD;
    uint32_t modifier = iga->kv_get_source_modifier(d->view, d->pc, index);
    operand->absolute = modifier & 1;
    operand->negate = modifier & 2;
    if (kind == IGA_IMMEDIATE) {
        operand->kind = OPERAND_IMMEDIATE;
        iga->kv_get_source_immediate(d->view, d->pc, index, &operand->immediate);
        set_broadcast(operand);
        set_packed_step(&d->inst->destination, operand);
        return 0;
    }

    uint32_t name = iga->kv_get_source_register_type(d->view, d->pc, index);
    if (kind == IGA_INDIRECT && name == IGA_ARF_S)
        return decode_gathered(d, index);
    decode_region(d, index, name, kind == IGA_MACRO);

    int32_t number = iga->kv_get_source_register(d->view, d->pc, index);
    int32_t sub = iga->kv_get_source_sub_register(d->view, d->pc, index);
    uint32_t limit = REGISTER_FILE_BYTES;
    if (kind == IGA_INDIRECT) {
        int16_t offset = 0;

        iga->kv_get_source_indirect_imm_off(d->view, d->pc, index, &offset);
        operand->kind = OPERAND_INDIRECT;
        operand->offset = ARF_ADDRESS + address_register(d, sub) * 2;
        operand->immediate_offset = offset;
        return lay_out(operand, d->inst->lanes, limit);
    }
    operand->kind = OPERAND_REGISTER;
    operand->is_null = name == IGA_ARF_NULL;
    operand->is_accumulator = name == IGA_ARF_ACC || name == IGA_ARF_MME;
    int16_t mme = -1;
    if (kind == IGA_MACRO && iga->kv_get_source_mme_number(d->view, d->pc, index, &mme) == 0)
        operand->extended_by = extension(mme);
    if (number < 0 || register_offset(d->device, name, (uint32_t)number, &operand->offset, &limit))
        return -1;
    if (sub > 0)
        operand->offset += (uint32_t)sub * type_bits((enum type)operand->type) / 8;
    if (operand->is_null) {
        operand->shape = SHAPE_SCALAR;
        return 0;
    }
    return lay_out(operand, d->inst->lanes, limit);
}

int decode_operands(struct decoder *d)
{
    struct inst *inst = d->inst;
    int32_t sources = d->iga->kv_get_number_sources(d->view, d->pc);

    inst->source_count = (uint8_t)(sources < 0 ? 0 : sources > 3 ? 3 : sources);
    int status = decode_destination(d);
    for (unsigned i = 0; i < inst->source_count; i++)
        status |= decode_source(d, i);
    return status;
}
