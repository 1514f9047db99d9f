#include "isa/decode/program-calls.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/decode/issue.h"

/* Of one program: room for so many instructions, so many functions. */
enum { ROOM = 16384, FUNCTIONS_MAX = 64 };

struct function {
    uint64_t address;
    uint32_t pc; /* from the program's first instruction, modulo 2^32 */
    uint32_t first, count;
    uint32_t bytes;
    uint8_t *code;
};

struct program_calls {
    struct program *program;
    const struct inst_binder *binder;
    pthread_mutex_t lock; /* to add a function; whoever reads goes by `function_count` */
    uint32_t end;         /* one past the last index */
    uint32_t function_count;
    struct function functions[FUNCTIONS_MAX];
};

static bool may_leave(const struct inst *inst)
{
    return inst->opcode == OP_calla || (inst->opcode == OP_call && inst->jip_index < 0);
}

int program_calls_prepare(struct program *program, const struct inst_binder *binder)
{
    uint32_t i = 0;

    while (i < program->count && !may_leave(&program->insts[i]))
        i++;
    if (i == program->count)
        return 0;
    struct program_calls *calls = calloc(1, sizeof(*calls));
    struct issue *issues = calloc(program->count + ROOM + 1, sizeof(*issues));
    struct inst *insts =
        aligned_alloc(_Alignof(struct inst), (program->count + ROOM) * sizeof(*program->insts));
    if (!calls || !insts || !issues) {
        free(calls);
        free(insts);
        free(issues);
        return -ENOMEM;
    }
    memcpy(insts, program->insts, program->count * sizeof(*insts));
    memcpy(issues, program->issues, program->count * sizeof(*issues));
    free(program->insts);
    free(program->issues);
    program->insts = insts;
    program->issues = issues;
    pthread_mutex_init(&calls->lock, NULL);
    calls->program = program;
    calls->binder = binder;
    calls->end = program->count;
    program->calls = calls;
    return 0;
}

void program_calls_free(struct program_calls *calls)
{
    if (!calls)
        return;
    for (uint32_t i = 0; i < calls->function_count; i++)
        free(calls->functions[i].code);
    pthread_mutex_destroy(&calls->lock);
    free(calls);
}

static uint32_t function_count(const struct program_calls *calls)
{
    return __atomic_load_n(&calls->function_count, __ATOMIC_ACQUIRE);
}

uint32_t program_calls_end(const struct program_calls *calls)
{
    return __atomic_load_n(&calls->end, __ATOMIC_ACQUIRE);
}

static const struct function *function_with(const struct program_calls *calls, uint32_t pc)
{
    for (uint32_t i = 0; calls && i < function_count(calls); i++)
        if (pc - calls->functions[i].pc < calls->functions[i].bytes)
            return &calls->functions[i];
    return NULL;
}

int32_t program_calls_index(const struct program_calls *calls, uint32_t pc)
{
    const struct function *function = function_with(calls, pc);

    for (uint32_t i = 0; function && i < function->count; i++)
        if (calls->program->insts[function->first + i].pc == pc)
            return (int32_t)(function->first + i);
    return -1;
}

const uint8_t *program_calls_code(const struct program *program, uint32_t pc, uint32_t *bytes,
                                  uint32_t *offset)
{
    const struct function *function = function_with(program->calls, pc);

    *offset = pc - (function ? function->pc : 0);
    *bytes = function ? function->bytes : program->bytes;
    return function ? function->code : program->code;
}

/* Takes an instruction of a function that was decoded by itself into the program. */
static struct inst moved(const struct inst *inst, uint32_t first, uint32_t pc)
{
    struct inst to = *inst;

    to.next += (int32_t)first;
    to.jip_index += inst->jip_index >= 0 ? (int32_t)first : 0;
    to.uip_index += inst->uip_index >= 0 ? (int32_t)first : 0;
    to.pc += pc;
    if (inst->opcode == OP_call) /* which may lead out of the function, backwards too */
        to.jip = (int32_t)((uint32_t)inst->jip + pc);
    return to;
}

/* Adds a function whose code is taken over; returns its first index, or -1. */
static int32_t add(struct program_calls *calls, uint64_t address, uint8_t *code, uint32_t bytes,
                   char *error, size_t error_size)
{
    struct program *program = calls->program;
    struct function *function = &calls->functions[calls->function_count];
    struct program *alone =
        program_decode(program->device, calls->binder, code, bytes, error, error_size);

    if (!alone)
        return -1;
    if (calls->function_count == FUNCTIONS_MAX ||
        calls->end + alone->count > program->count + ROOM) {
        snprintf(error, error_size, "too many functions of other modules");
        program_free(alone);
        return -1;
    }
    *function = (struct function){.address = address,
                                  .pc = (uint32_t)(address - program->address),
                                  .first = calls->end,
                                  .count = alone->count,
                                  .bytes = bytes,
                                  .code = code};
    for (uint32_t i = 0; i < alone->count; i++) {
        program->insts[function->first + i] =
            moved(&alone->insts[i], function->first, function->pc);
        program->issues[function->first + i] = alone->issues[i];
    }
    program_set_lines(program, function->first, function->first + alone->count);
    __atomic_store_n(&calls->end, calls->end + alone->count, __ATOMIC_RELEASE);
    __atomic_store_n(&calls->function_count, calls->function_count + 1, __ATOMIC_RELEASE);
    program_free(alone);
    return (int32_t)function->first;
}

/* A copy of the function at the address; its memory may trap, so no lock is held. */
static uint8_t *copy_function(const struct address_space *space, uint64_t address, uint32_t *bytes,
                              char *error, size_t error_size)
{
    const struct mapping *mapping = address_space_find(space, address, 16);

    if (!mapping) {
        snprintf(error, error_size, "no code is mapped there");
        return NULL;
    }
    const uint8_t *from = mapping->host + (address - mapping->address);
    *bytes = program_function_length(from, mapping->address + mapping->size - address);
    uint8_t *code = *bytes ? malloc(*bytes) : NULL;
    if (!*bytes)
        snprintf(error, error_size, "the function there never returns");
    else if (!code)
        snprintf(error, error_size, "out of memory");
    else
        memcpy(code, from, *bytes);
    return code;
}

int32_t program_calls_find(const struct program *program, const struct address_space *space,
                           uint64_t address, char *error, size_t error_size)
{
    struct program_calls *calls = program->calls;
    uint32_t bytes, pc = (uint32_t)(address - program->address);

    if (!calls) {
        snprintf(error, error_size, "this program has no functions outside");
        return -1;
    }
    int32_t index = program_calls_index(calls, pc);
    if (index >= 0)
        return index;
    uint8_t *code = copy_function(space, address, &bytes, error, error_size);
    if (!code)
        return -1;
    pthread_mutex_lock(&calls->lock);
    index = program_calls_index(calls, pc); /* another thread may have been faster */
    bool known = index >= 0;
    if (!known)
        index = add(calls, address, code, bytes, error, error_size);
    pthread_mutex_unlock(&calls->lock);
    if (known || index < 0)
        free(code);
    return index;
}

bool program_calls_unchanged(const struct program *program, const struct address_space *space)
{
    const struct program_calls *calls = program->calls;

    for (uint32_t i = 0; calls && i < calls->function_count; i++) {
        const struct function *function = &calls->functions[i];
        const struct mapping *mapping =
            address_space_find(space, function->address, function->bytes);

        if (!mapping || memcmp(mapping->host + (function->address - mapping->address),
                               function->code, function->bytes) != 0)
            return false;
    }
    return true;
}
