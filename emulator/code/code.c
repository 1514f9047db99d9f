#include "code/code.h"

#include "code/message-cost.h"
#include "isa/decode/loops.h"
#include "timing/inst-cost.h"

#include <stdio.h>
#include <stdlib.h>

static void set_cost(void *context, struct inst *inst)
{
    const struct vesim_code *code = context;

    inst_set_cost(inst, &code->device);
}

static enum vesim_pipe pipe_of(unsigned pipe)
{
    static const enum vesim_pipe pipes[] = {
        [PIPE_FLOAT] = VESIM_PIPE_FLOAT,       [PIPE_INTEGER] = VESIM_PIPE_INTEGER,
        [PIPE_LONG] = VESIM_PIPE_LONG,         [PIPE_MATH] = VESIM_PIPE_MATH,
        [PIPE_SYSTOLIC] = VESIM_PIPE_SYSTOLIC, [PIPE_SEND] = VESIM_PIPE_SEND,
        [PIPE_NONE] = VESIM_PIPE_NONE,
    };

    return pipes[pipe];
}

static void describe(const struct vesim_code *code, uint32_t index,
                     struct vesim_instruction *instruction)
{
    const struct inst *inst = &code->program->insts[index];

    *instruction = (struct vesim_instruction){
        .offset = inst->pc,
        .is_branch = inst->is_flow,
        .pipe = pipe_of(inst->pipe),
        .port = pipe_of(inst->port),
        .occupancy = inst->pipe < PIPE_SEND ? inst->occupancy : 0,
        .bank_cycles = inst_bank_cycles(inst, &code->device),
        .message = VESIM_MESSAGE_OTHER,
        .loop_first = loop_first(inst, index),
    };
    if (inst->pipe == PIPE_SEND) {
        const struct message_cost cost = message_cost(inst, &code->device);

        instruction->message = message_class(inst);
        instruction->port_cycles = cost.port_cycles;
        instruction->unit_cycles = cost.unit_cycles;
    }
}

static int read_code(struct vesim_code *code, const void *bytes, size_t size, char *error,
                     size_t error_size)
{
    const struct inst_binder binder = {set_cost, code};
    uint32_t length = program_length(bytes, size);

    if (!length) {
        snprintf(error, error_size, "the code never ends its thread");
        return -1;
    }
    code->program = program_decode(&code->device, &binder, bytes, length, error, error_size);
    if (!code->program)
        return -1;
    code->instructions = calloc(code->program->count, sizeof(*code->instructions));
    if (!code->instructions) {
        snprintf(error, error_size, "out of memory");
        return -1;
    }
    for (uint32_t i = 0; i < code->program->count; i++)
        describe(code, i, &code->instructions[i]);
    return 0;
}

int vesim_code_read(struct vesim_code **made, const struct vesim_device *device, const void *bytes,
                    size_t size, char *error, size_t error_size)
{
    struct vesim_code *code = calloc(1, sizeof(*code));

    if (!code) {
        snprintf(error, error_size, "out of memory");
        return -1;
    }
    code->device = *device;
    if (read_code(code, bytes, size, error, error_size)) {
        vesim_code_free(code);
        return -1;
    }
    *made = code;
    return 0;
}

void vesim_code_free(struct vesim_code *code)
{
    if (!code)
        return;
    free(code->instructions);
    if (code->program)
        program_free(code->program);
    free(code);
}

const struct vesim_device *vesim_code_device(const struct vesim_code *code)
{
    return &code->device;
}

size_t vesim_code_bytes(const struct vesim_code *code)
{
    return code->program->bytes;
}

size_t vesim_code_count(const struct vesim_code *code)
{
    return code->program->count;
}

const struct vesim_instruction *vesim_code_instruction(const struct vesim_code *code, size_t index)
{
    return &code->instructions[index];
}

void vesim_code_text(const struct vesim_code *code, size_t index, char *text, size_t text_size)
{
    program_disassemble(code->program, code->program->insts[index].pc, text, text_size);
}
