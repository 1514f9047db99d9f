/* From the bytes of a program to its decoded instructions, by way of Intel's own decoder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xe/execute.h"
#include "xe/iga.h"
#include "xe/program.h"

#define FLAG_BITS 64 /* f0.0 to f1.1 */

/* What the decoding of one program needs at hand. */
struct decoder {
    const struct iga *iga;
    kernel_view *view;
    const struct device *device;
    uint32_t platform;
    uint32_t scoreboard_mode;
    int32_t pc;
    struct inst *inst;
};

static const char *const opcode_names[] = {
#define X(name) [OP_##name] = #name,
    XE_OPCODES(X)
#undef X
};

static enum opcode opcode_by_mnemonic(const struct decoder *d, uint32_t op)
{
    iga_opspec spec;
    char mnemonic[32] = "";
    size_t size = sizeof(mnemonic);
    if (d->iga->iga_opspec_from_op((int32_t)d->platform, op, &spec) ||
        d->iga->iga_opspec_mnemonic(spec, mnemonic, &size))
        return OP_unknown;
    for (unsigned i = 1; i < OPCODE_COUNT; i++)
        if (strcmp(mnemonic, opcode_names[i]) == 0)
            return (enum opcode)i;
    return OP_unknown;
}

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
    default:
        return TYPE_NONE;
    }
}

/* First byte and byte count of a register of the given name in the register file. */
static int register_place(uint32_t name, uint32_t number, uint32_t *offset, uint32_t *limit)
{
    static const struct {
        uint32_t name, offset, stride, count;
    } files[] = {
        {IGA_GRF_R, 0, GRF_BYTES, GRF_COUNT}, {IGA_ARF_NULL, ARF_NULL, 0, 1},
        {IGA_ARF_A, ARF_ADDRESS, 32, 1},      {IGA_ARF_ACC, ARF_ACC, 32, 8},
        {IGA_ARF_MME, ARF_ACC, 32, 8},        {IGA_ARF_F, ARF_FLAG, 4, 4},
        {IGA_ARF_CE, ARF_CE, 0, 1},           {IGA_ARF_SP, ARF_SP, 0, 1},
        {IGA_ARF_SR, ARF_SR, 32, 2},          {IGA_ARF_CR, ARF_CR, 0, 1},
        {IGA_ARF_N, ARF_NOTIFY, 0, 1},        {IGA_ARF_IP, ARF_IP, 0, 1},
        {IGA_ARF_TDR, ARF_TDR, 0, 1},         {IGA_ARF_TM, ARF_TM, 0, 1},
        {IGA_ARF_DBG, ARF_DBG, 0, 1},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (files[i].name != name)
            continue;
        if (files[i].stride ? number >= files[i].count : false)
            return -1;
        *offset = files[i].offset + number * files[i].stride;
        /* An access may run over neighbouring registers, never into the next file. */
        *limit = name == IGA_GRF_R                            ? GRF_COUNT * GRF_BYTES
                 : name == IGA_ARF_NULL                       ? ARF_ADDRESS
                 : name == IGA_ARF_ACC || name == IGA_ARF_MME ? ARF_FLAG
                                                              : files[i].offset + 64;
        return 0;
    }
    return -1;
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
        operand->type = TYPE_UD; /* of a call: two dwords, which the encoding takes for granted */
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
        operand->offset = ARF_ADDRESS + (uint32_t)(sub & 15) * 2;
        operand->immediate_offset = offset;
        return lay_out(operand, d->inst->lanes, limit);
    }
    uint32_t name = iga->kv_get_destination_register_type(d->view, d->pc);
    operand->kind = OPERAND_REGISTER;
    operand->is_null = name == IGA_ARF_NULL;
    operand->is_accumulator = name == IGA_ARF_ACC || name == IGA_ARF_MME;
    if (number < 0 || register_place(name, (uint32_t)number, &operand->offset, &limit))
        return -1;
    if (sub > 0)
        operand->offset += (uint32_t)sub * type_bytes((enum type)operand->type);
    if (operand->is_null)
        return 0;
    return lay_out(operand, d->inst->lanes, limit);
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
        return 0;
    }

    uint32_t name = iga->kv_get_source_register_type(d->view, d->pc, index);
    uint32_t vertical = IGA_VERTICAL_NONE, width = IGA_WIDTH_NONE, horizontal = IGA_HORIZONTAL_NONE;
    iga->kv_get_source_region(d->view, d->pc, index, &vertical, &width, &horizontal);
    bool row_each = vertical == IGA_VERTICAL_VXH;
    if (horizontal == IGA_HORIZONTAL_NONE)
        horizontal = 0;
    if (row_each) {
        if (width == IGA_WIDTH_NONE)
            width = 1;
    } else if (vertical == IGA_VERTICAL_NONE) {
        /* <H> of a third source; nothing at all for the registers the library gives no region */
        bool region_known = width != IGA_WIDTH_NONE || horizontal != 0;
        width = 1;
        vertical = region_known ? horizontal : 0;
        if (!region_known && name == IGA_ARF_A && d->inst->lanes > 1)
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

    int32_t number = iga->kv_get_source_register(d->view, d->pc, index);
    int32_t sub = iga->kv_get_source_sub_register(d->view, d->pc, index);
    uint32_t limit = REGISTER_FILE_BYTES;
    if (kind == IGA_INDIRECT) {
        int16_t offset = 0;
        iga->kv_get_source_indirect_imm_off(d->view, d->pc, index, &offset);
        operand->kind = OPERAND_INDIRECT;
        operand->offset = ARF_ADDRESS + (uint32_t)(sub & 15) * 2;
        operand->immediate_offset = offset;
        return lay_out(operand, d->inst->lanes, limit);
    }
    operand->kind = OPERAND_REGISTER;
    operand->is_null = name == IGA_ARF_NULL;
    operand->is_accumulator = name == IGA_ARF_ACC || name == IGA_ARF_MME;
    if (number < 0 || register_place(name, (uint32_t)number, &operand->offset, &limit))
        return -1;
    if (sub > 0)
        operand->offset += (uint32_t)sub * type_bytes((enum type)operand->type);
    if (operand->is_null) {
        operand->shape = SHAPE_SCALAR;
        return 0;
    }
    return lay_out(operand, d->inst->lanes, limit);
}

static void decode_predication(struct decoder *d)
{
    const struct iga *iga = d->iga;
    struct inst *inst = d->inst;
    inst->condition = (uint8_t)iga->kv_get_flag_modifier(d->view, d->pc);
    if (inst->condition == 8)
        inst->condition = CONDITION_OVERFLOW;
    else if (inst->condition == 9)
        inst->condition = CONDITION_UNORDERED;
    inst->predicate_inverse = iga->kv_get_is_inverse_predicate(d->view, d->pc);
    int32_t flag = iga->kv_get_flag_register(d->view, d->pc);
    int32_t sub = iga->kv_get_flag_sub_register(d->view, d->pc);
    inst->flag = (uint8_t)((flag > 0 ? flag & 1 : 0) * 2 + (sub > 0 ? sub & 1 : 0));

    uint32_t predicate = iga->kv_get_predicate(d->view, d->pc);
    inst->predicate_group = inst->lanes;
    switch (predicate) {
    case IGA_PREDICATE_NONE:
        inst->predicate = PREDICATE_NONE;
        break;
    case IGA_PREDICATE_SEQUENTIAL:
        inst->predicate = PREDICATE_LANE;
        break;
    case IGA_PREDICATE_ANYV:
        inst->predicate = PREDICATE_ANYV;
        break;
    case IGA_PREDICATE_ALLV:
        inst->predicate = PREDICATE_ALLV;
        break;
    case IGA_PREDICATE_ANY:
        inst->predicate = PREDICATE_ANY;
        break;
    case IGA_PREDICATE_ALL:
        inst->predicate = PREDICATE_ALL;
        break;
    default: { /* ANY2H, ALL2H, ANY4H, … */
        unsigned step = predicate - IGA_PREDICATE_ANY2H;
        inst->predicate = step % 2 ? PREDICATE_ALL : PREDICATE_ANY;
        inst->predicate_group = (uint8_t)(2u << (step / 2));
    }
    }
}

static void decode_scoreboard(struct decoder *d)
{
    struct iga_scoreboard info = {0};
    if (!d->iga->kv_get_swsb_info(d->view, d->pc, d->scoreboard_mode, &info))
        return;
    struct scoreboard_info *to = &d->inst->scoreboard;
    static const uint8_t pipes[] = {
        [IGA_NO_DISTANCE] = DISTANCE_NONE,     [IGA_DISTANCE] = DISTANCE_OWN,
        [IGA_DISTANCE_ALL] = DISTANCE_ALL,     [IGA_DISTANCE_FLOAT] = DISTANCE_FLOAT,
        [IGA_DISTANCE_INT] = DISTANCE_INTEGER, [IGA_DISTANCE_LONG] = DISTANCE_LONG,
        [IGA_DISTANCE_MATH] = DISTANCE_MATH,
    };
    if (info.distance_type > IGA_NO_DISTANCE && info.distance_type <= IGA_DISTANCE_MATH) {
        to->distance_pipe = pipes[info.distance_type];
        to->distance = (uint8_t)(info.distance & 7);
    }
    to->token_use = (uint8_t)(info.token_type & 3);
    to->token = (uint8_t)(info.token & 31);
}

static void decode_send(struct decoder *d)
{
    struct inst *inst = d->inst;
    uint32_t extended = 0, descriptor = 0;
    d->iga->kv_get_send_descs(d->view, d->pc, &extended, &descriptor);
    uint8_t xr = 0xff, xs = 0xff, dr = 0xff, ds = 0xff;
    d->iga->kv_get_send_indirect_descs(d->view, d->pc, &xr, &xs, &dr, &ds);
    /* dwords of a0, which has 8 */
    inst->descriptor_register = dr == 0xff ? -1 : (int8_t)(ds & 7);
    inst->extended_descriptor_register = xr == 0xff ? -1 : (int8_t)(xs & 7);
    inst->descriptor = dr == 0xff ? descriptor : 0;
    inst->extended_descriptor = xr == 0xff ? extended : 0;
    uint32_t function = 0;
    d->iga->kv_get_subfunction(d->view, d->pc, &function);
    /* the library numbers shared functions by enumeration; see its SFID */
    static const uint8_t functions[] = {0,
                                        0,
                                        2,
                                        SFID_GATEWAY,
                                        4,
                                        5,
                                        6,
                                        SFID_THREAD_SPAWNER,
                                        8,
                                        SFID_DATA_CACHE_RO,
                                        SFID_DATA_CACHE_0,
                                        11,
                                        SFID_DATA_CACHE_1,
                                        0,
                                        SFID_SLM,
                                        SFID_UNTYPED,
                                        0,
                                        0,
                                        SFID_TYPED};
    inst->function_id = function < sizeof(functions) ? functions[function] : SFID_NULL;
    uint32_t payload0 = 0, payload1 = 0, response = 0;
    d->iga->kv_get_message_len(d->view, d->pc, &payload0, &payload1, &response);
    inst->payload1_registers = (uint8_t)(payload1 <= 31 ? payload1 : 0);
    inst->pipe = PIPE_SEND;
    if (inst->descriptor_register < 0 && inst->extended_descriptor_register < 0)
        inst->has_message = message_decode(&inst->message, inst->function_id, inst->descriptor,
                                           inst->extended_descriptor, inst->lanes) == 0;
    inst->message.payload1_registers = inst->payload1_registers;
}

static bool lies_in(const struct operand *operand, uint32_t first, uint32_t end)
{
    return operand->kind == OPERAND_REGISTER && operand->offset >= first && operand->offset < end;
}

/* What the instruction reads and writes of the registers that the hardware interlocks. */
static void decode_interlocks(struct inst *inst)
{
    const struct operand *to = &inst->destination;
    inst->reads_flag = inst->predicate != PREDICATE_NONE;
    inst->reads_accumulator = inst->opcode == OP_mach || inst->opcode == OP_macl;
    inst->reads_address = to->kind == OPERAND_INDIRECT || inst->descriptor_register >= 0 ||
                          inst->extended_descriptor_register >= 0;
    for (unsigned i = 0; i < inst->source_count; i++) {
        const struct operand *from = &inst->source[i];
        inst->reads_flag |= lies_in(from, ARF_FLAG, ARF_CE);
        inst->reads_accumulator |= from->is_accumulator;
        inst->reads_address |=
            from->kind == OPERAND_INDIRECT || lies_in(from, ARF_ADDRESS, ARF_ACC);
        inst->reads_clock |= lies_in(from, ARF_TM, ARF_DBG);
    }
    inst->writes_flag = inst->condition != CONDITION_NONE || lies_in(to, ARF_FLAG, ARF_CE);
    inst->writes_accumulator_result = to->is_accumulator || inst->writes_accumulator ||
                                      inst->opcode == OP_addc || inst->opcode == OP_subb;
    inst->writes_address = lies_in(to, ARF_ADDRESS, ARF_ACC);
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
static void decode_timing(struct decoder *d)
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
}

static int decode_inst(struct decoder *d, char *error, size_t error_size)
{
    const struct iga *iga = d->iga;
    struct inst *inst = d->inst;
    inst->pc = (uint32_t)d->pc;
    inst->jip = inst->uip = -1;
    inst->descriptor_register = inst->extended_descriptor_register = -1;
    inst->destination.type = TYPE_NONE;
    inst->opcode = (uint8_t)opcode_by_mnemonic(d, iga->kv_get_opcode(d->view, d->pc));
    inst->lanes = (uint8_t)iga->kv_get_execution_size(d->view, d->pc);
    if (inst->lanes < 1 || inst->lanes > MAX_LANES)
        inst->lanes = 1;
    inst->first_lane = (uint8_t)((iga->kv_get_channel_offset(d->view, d->pc) & 7) * 4);
    inst->no_mask = iga->kv_get_mask_control(d->view, d->pc) == 1;
    inst->writes_accumulator = iga->kv_has_inst_opt(d->view, d->pc, IGA_OPTION_ACCWREN);
    inst->end_of_thread = iga->kv_has_inst_opt(d->view, d->pc, IGA_OPTION_EOT);
    decode_predication(d);
    decode_scoreboard(d);

    int32_t sources = iga->kv_get_number_sources(d->view, d->pc);
    inst->source_count = (uint8_t)(sources < 0 ? 0 : sources > 3 ? 3 : sources);
    bool ok = decode_destination(d) == 0;
    for (unsigned i = 0; i < inst->source_count; i++)
        ok &= decode_source(d, i) == 0;
    if (inst->predicate != PREDICATE_NONE || inst->condition != CONDITION_NONE)
        ok &= inst->flag * 16 + inst->first_lane + inst->lanes <= FLAG_BITS;
    if (!ok || inst->first_lane + inst->lanes > MAX_LANES) {
        snprintf(error, error_size,
                 "an operand of the instruction at 0x%x is outside its registers", inst->pc);
        return -1;
    }

    uint32_t function = 0;
    switch (inst->opcode) {
    case OP_send:
    case OP_sendc:
        decode_send(d);
        break;
    case OP_math:
    case OP_sync:
    case OP_bfn:
        iga->kv_get_subfunction(d->view, d->pc, &function);
        inst->function = (uint8_t)function;
        break;
    case OP_goto:
    case OP_if:
    case OP_else:
        iga->kv_get_subfunction(d->view, d->pc, &function);
        inst->branch_control = function == 1;
        break;
    default:
        break;
    }
    int32_t targets[3];
    uint32_t count = iga->kv_get_inst_targets(d->view, d->pc, targets);
    if (count > 0)
        inst->jip = targets[0];
    if (count > 1)
        inst->uip = targets[1];
    inst->is_flow = opcode_is_flow((enum opcode)inst->opcode);
    decode_timing(d);
    decode_interlocks(inst);
    inst->general = execute_select(inst);
    inst->execute = execute_select_fast(inst);
    if (!inst->execute)
        inst->execute = inst->general;
    return 0;
}

/* The index of the instruction at byte `pc`, -1 if none begins there. They are in order of pc. */
static int32_t index_of(const struct program *program, int32_t pc)
{
    uint32_t low = 0, high = program->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((int32_t)program->insts[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < program->count && (int32_t)program->insts[low].pc == pc ? (int32_t)low : -1;
}

/* Turns branch targets from byte addresses into indices; a target that is no instruction, -1. */
static void resolve_targets(struct program *program)
{
    for (uint32_t i = 0; i < program->count; i++) {
        struct inst *inst = &program->insts[i];
        inst->next = (int32_t)i + 1;
        inst->jip_index = index_of(program, inst->jip);
        inst->uip_index = index_of(program, inst->uip);
    }
}

static struct program *decode_view(struct decoder *d, const uint8_t *code, uint32_t bytes,
                                   char *error, size_t error_size)
{
    struct program *program = calloc(1, sizeof(*program));
    if (!program)
        goto out_of_memory;
    program->code = malloc(bytes);
    program->insts = calloc(bytes / 8 + 1, sizeof(*program->insts));
    if (!program->code || !program->insts)
        goto out_of_memory;
    memcpy(program->code, code, bytes);
    program->bytes = bytes;
    program->device = d->device;
    int32_t size;
    for (d->pc = 0; (uint32_t)d->pc < bytes; d->pc += size) {
        size = d->iga->kv_get_inst_size(d->view, d->pc);
        if (size != 8 && size != 16) {
            snprintf(error, error_size, "no instruction can be decoded at 0x%x of the kernel",
                     (unsigned)d->pc);
            goto failed;
        }
        d->inst = &program->insts[program->count];
        d->inst->bytes = (uint8_t)size;
        if (decode_inst(d, error, error_size))
            goto failed;
        program->count++;
    }
    resolve_targets(program);
    return program;

out_of_memory:
    snprintf(error, error_size, "out of memory");
failed:
    program_free(program);
    return NULL;
}

struct program *program_decode(const struct device *device, const uint8_t *code, uint32_t bytes,
                               char *error, size_t error_size)
{
    struct decoder decoder = {.iga = iga_open(error, error_size), .device = device};
    if (!decoder.iga)
        return NULL;
    bool hpg = device->architecture == ARCHITECTURE_XE_HPG;
    decoder.platform = hpg ? IGA_XE_HPG : IGA_XE;
    decoder.scoreboard_mode = hpg ? IGA_SWSB_THREE_PIPES : IGA_SWSB_SINGLE_PIPE;
    int32_t status = 0;
    char text[256] = "";
    decoder.view = decoder.iga->kv_create((int32_t)decoder.platform, code, bytes, &status, text,
                                          sizeof(text), decoder.scoreboard_mode);
    if (!decoder.view) {
        snprintf(error, error_size, "the kernel's machine code cannot be decoded: %s", text);
        return NULL;
    }
    struct program *program = decode_view(&decoder, code, bytes, error, error_size);
    decoder.iga->kv_delete(decoder.view);
    return program;
}

void program_disassemble(const struct program *program, uint32_t pc, char *text, size_t text_size)
{
    char error[128];
    const struct iga *iga = iga_open(error, sizeof(error));
    bool hpg = program->device->architecture == ARCHITECTURE_XE_HPG;
    int32_t status = 0;
    text[0] = '\0';
    if (!iga)
        return;
    kernel_view *view =
        iga->kv_create(hpg ? IGA_XE_HPG : IGA_XE, program->code, program->bytes, &status, NULL, 0,
                       hpg ? IGA_SWSB_THREE_PIPES : IGA_SWSB_SINGLE_PIPE);
    if (!view)
        return;
    iga->kv_get_inst_syntax(view, (int32_t)pc, text, text_size, 0, NULL, NULL);
    iga->kv_delete(view);
    size_t to = 0; /* columns of blanks are for listings, not for one line */
    for (size_t from = 0; text[from]; from++)
        if (text[from] != '\n' && !(text[from] == ' ' && (to == 0 || text[to - 1] == ' ')))
            text[to++] = text[from];
    text[to] = '\0';
}
