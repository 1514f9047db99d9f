/* Decodes the bytes of a program into instructions, with Intel's own decoder. */
#include "isa/decode/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/decode/program-calls.h"
#include "isa/decode/program.h"

/* What encodings differ in, by architecture. */
static const struct decode_target decode_targets[] = {
    [VESIM_GEN12LP] = {IGA_XE, IGA_SWSB_SINGLE_PIPE, 2},
    [VESIM_XE_HPG] = {IGA_XE_HPG, IGA_SWSB_THREE_PIPES, 2},
    [VESIM_XE_HPC] = {IGA_XE_HPC, IGA_SWSB_FOUR_PIPES, 4},
    [VESIM_XE2] = {IGA_XE2, IGA_SWSB_FOUR_PIPES, 4},
    [VESIM_XE3] = {IGA_XE3, IGA_SWSB_FOUR_PIPES, 4},
    [VESIM_XE3P] = {IGA_XE3P, IGA_SWSB_FOUR_PIPES, 4},
    [VESIM_XE3P_XPC] = {IGA_XE3P, IGA_SWSB_FOUR_PIPES, 4},
};

static const struct decode_target *target_of(const struct vesim_device *device)
{
    return &decode_targets[device->architecture];
}

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

    if (d->iga->iga_opspec_from_op((int32_t)d->target->platform, op, &spec) ||
        d->iga->iga_opspec_mnemonic(spec, mnemonic, &size))
        return OP_unknown;
    for (unsigned i = 1; i < OPCODE_COUNT; i++)
        if (strcmp(mnemonic, opcode_names[i]) == 0)
            return (enum opcode)i;
    return OP_unknown;
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
    /* Xe-HPC and Xe2 have an opcode for each half of a product; before, mach is both, by {AccWrEn}.
     */
    if (inst->opcode == OP_mach && d->device->architecture < VESIM_XE_HPC &&
        !inst->writes_accumulator)
        inst->opcode = OP_macl;
    decode_predication(d);
    decode_scoreboard(d);

    bool ok = decode_operands(d) == 0;
    if (inst->predicate != PREDICATE_NONE || inst->condition != CONDITION_NONE)
        ok &= inst->flag * 16u + inst->first_lane + inst->lanes <= d->target->flags * 32;
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
    case OP_sendg:
    case OP_sendgc:
        decode_sendg(d);
        break;
    case OP_math:
    case OP_sync:
    case OP_bfn:
        iga->kv_get_subfunction(d->view, d->pc, &function);
        inst->function = (uint8_t)function;
        break;
    case OP_dpas:
        iga->kv_get_subfunction(d->view, d->pc, &function);
        inst->systolic_depth = (uint8_t)(function >> 8);
        inst->systolic_repeat = (uint8_t)function;
        inst->is_atomic = iga->kv_has_inst_opt(d->view, d->pc, IGA_OPTION_ATOMIC);
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
    decode_interlocks(d);
    if (d->binder)
        d->binder->bind(d->binder->context, inst);
    return 0;
}

/* Whether the instruction, without the clock, does nothing but execute. */
static bool is_plain(const struct inst *inst)
{
    bool waits_for_others = inst->opcode == OP_sync && inst->function == SYNC_BAR;
    bool is_message = inst->is_shared && inst->opcode != OP_sync;

    return !inst->is_flow && !is_message && !waits_for_others && !inst->reads_clock;
}

/* What an instruction says of its neighbours. Branch targets are turned from byte addresses into
 * indices; a target that is no instruction, -1. */
static void resolve_neighbours(struct program *program)
{
    for (uint32_t i = 0; i < program->count; i++) {
        struct inst *inst = &program->insts[i];

        inst->next = (int32_t)i + 1;
        inst->is_last = i + 1 == program->count;
        inst->is_plain = is_plain(inst) && !inst->is_last;
        inst->written_late = inst->is_atomic && !inst->is_last && inst[1].opcode == OP_dpas;
        inst->jip_index = program_index(program, inst->jip);
        inst->uip_index = program_index(program, inst->uip);
        program->issues[i] = issue_of(inst, program->device->architecture == VESIM_GEN12LP);
    }
    issue_find_rows(program->issues, program->count);
}

static struct program *decode_view(struct decoder *d, const uint8_t *code, uint32_t bytes,
                                   char *error, size_t error_size)
{
    struct program *program = calloc(1, sizeof(*program));

    if (!program)
        goto out_of_memory;
    program->code = malloc(bytes);
    size_t insts_bytes = (bytes / 8 + 1) * sizeof(*program->insts);
    program->insts = aligned_alloc(alignof(struct inst), insts_bytes);
    program->issues = calloc(bytes / 8 + 1, sizeof(*program->issues));
    if (!program->code || !program->insts || !program->issues)
        goto out_of_memory;
    memset(program->insts, 0, insts_bytes);
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
    resolve_neighbours(program);
    return program;

out_of_memory:
    snprintf(error, error_size, "out of memory");
failed:
    program_free(program);
    return NULL;
}

struct program *program_decode(const struct vesim_device *device, const struct inst_binder *binder,
                               const uint8_t *code, uint32_t bytes, char *error, size_t error_size)
{
    struct decoder decoder = {.iga = iga_open(error, error_size),
                              .device = device,
                              .target = target_of(device),
                              .binder = binder};

    if (!decoder.iga)
        return NULL;
    int32_t status = 0;
    char text[256] = "";
    decoder.view = decoder.iga->kv_create((int32_t)decoder.target->platform, code, bytes, &status,
                                          text, sizeof(text), decoder.target->scoreboard_mode);
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
    const struct iga *iga = iga_open(NULL, 0);
    const struct decode_target *target = target_of(program->device);
    int32_t status = 0;

    text[0] = '\0';
    if (!iga)
        return;
    uint32_t bytes, offset;
    const uint8_t *code = program_calls_code(program, pc, &bytes, &offset);
    kernel_view *view = iga->kv_create((int32_t)target->platform, code, bytes, &status, NULL, 0,
                                       target->scoreboard_mode);
    if (!view)
        return;
    iga->kv_get_inst_syntax(view, (int32_t)offset, text, text_size, 0, NULL, NULL);
    iga->kv_delete(view);
    size_t to = 0; /* columns of blanks are for listings, not for one line */
    for (size_t from = 0; text[from]; from++)
        if (text[from] != '\n' && !(text[from] == ' ' && (to == 0 || text[to - 1] == ' ')))
            text[to++] = text[from];
    text[to] = '\0';
}
