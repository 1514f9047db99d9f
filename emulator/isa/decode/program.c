#include "isa/decode/program.h"

#include "isa/decode/loops.h"
#include "isa/decode/program-calls.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of the 128-bit native encoding of Gen12 and Xe (PRM Vol 2a, "EU instruction formats"):
 * only what finding the end of a program takes. */
enum {
    RAW_OPCODE_MASK = 0x7f,
    RAW_COMPACTED = 1 << 29,           /* of the first dword */
    RAW_SEND_EOT = 1 << 2,             /* of the second dword */
    RAW_SENDG_EOT = 1 << 0,            /* of the second dword */
    RAW_SOURCE_IS_IMMEDIATE = 1 << 14, /* of the second dword: of source 0 */
    RAW_HAS_UIP = 1 << 15,             /* of the second dword: of a branch */
    RAW_OPCODE_JMPI = 0x20,            /* first and last of the branches */
    RAW_OPCODE_JOIN = 0x2f,
    RAW_OPCODE_CALLA = 0x2b,
    RAW_OPCODE_RET = 0x2d,
    RAW_OPCODE_SEND = 0x31,
    RAW_OPCODE_SENDC = 0x32,
    RAW_OPCODE_SENDG = 0x33, /* first and last of Xe3P's */
    RAW_OPCODE_SENDGXC = 0x36,
};

/* The branch's farthest target (JIP, and UIP where there is one), in bytes from the branch; 0 if
 * the code does not say: it is in a register, or absolute. */
static int64_t branch_target(const uint32_t dword[4], int64_t pc)
{
    unsigned opcode = dword[0] & RAW_OPCODE_MASK;
    bool in_code = dword[1] & RAW_SOURCE_IS_IMMEDIATE;
    int64_t uip = pc + (int32_t)dword[2], jip = pc + (int32_t)dword[3];

    if (!in_code || opcode == RAW_OPCODE_RET || opcode == RAW_OPCODE_CALLA)
        return 0;
    return dword[1] & RAW_HAS_UIP && uip > jip ? uip : jip;
}

static bool ends_thread(const uint32_t dword[4])
{
    const unsigned opcode = dword[0] & RAW_OPCODE_MASK;

    if (opcode == RAW_OPCODE_SEND || opcode == RAW_OPCODE_SENDC)
        return dword[1] & RAW_SEND_EOT;
    return opcode >= RAW_OPCODE_SENDG && opcode <= RAW_OPCODE_SENDGXC && dword[1] & RAW_SENDG_EOT;
}

/* `ends`: it need not end the thread. */
static uint32_t length_of(const uint8_t *code, uint64_t limit, bool ends)
{
    int64_t farthest = 0; /* the highest branch target seen */

    for (uint64_t pc = 0; pc + 8 <= limit;) {
        uint32_t dword[4];

        memcpy(dword, code + pc, 8);
        unsigned opcode = dword[0] & RAW_OPCODE_MASK;
        if (dword[0] & RAW_COMPACTED) {
            pc += 8;
            continue;
        }
        if (pc + 16 > limit)
            return 0;
        memcpy(dword, code + pc, 16);
        if (opcode >= RAW_OPCODE_JMPI && opcode <= RAW_OPCODE_JOIN) {
            int64_t target = branch_target(dword, (int64_t)pc);

            if (target > farthest && target < (int64_t)limit)
                farthest = target;
        }
        pc += 16;
        bool ends_here = ends_thread(dword);
        ends |= ends_here; /* functions may follow it, the last one up to its return */
        if (ends && (ends_here || opcode == RAW_OPCODE_RET) && (int64_t)pc > farthest)
            return (uint32_t)pc;
        if (pc > UINT32_C(64) << 20)
            return 0;
    }
    return 0;
}

uint32_t program_length(const uint8_t *code, uint64_t limit)
{
    return length_of(code, limit, false);
}

uint32_t program_function_length(const uint8_t *code, uint64_t limit)
{
    return length_of(code, limit, true);
}

struct program_cache {
    const struct vesim_device *device;
    const struct inst_binder *binder;
    struct program **programs;
    size_t count, capacity;
    uint64_t serial;       /* of the last program */
    const unsigned *trips; /* of the programs' loops */
    unsigned trip_count;
};

struct program_cache *program_cache_create(const struct vesim_device *device,
                                           const struct inst_binder *binder)
{
    struct program_cache *cache = calloc(1, sizeof(*cache));

    if (!cache)
        return NULL;
    cache->device = device;
    cache->binder = binder;
    return cache;
}

void program_cache_force(struct program_cache *cache, const unsigned *trips, unsigned count)
{
    cache->trips = trips;
    cache->trip_count = count;
}

static void drop(const struct program_cache *cache, struct program *program)
{
    if (cache->binder && cache->binder->detach)
        cache->binder->detach(cache->binder->context, program);
    program_free(program);
}

void program_cache_destroy(struct program_cache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < cache->count; i++)
        drop(cache, cache->programs[i]);
    free(cache->programs);
    free(cache);
}

void program_free(struct program *program)
{
    if (!program)
        return;
    program_calls_free(program->calls);
    free(program->code);
    free(program->insts);
    free(program->issues);
    free(program);
}

int32_t program_index(const struct program *program, int64_t pc)
{
    uint32_t low = 0, high = program->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (program->insts[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < program->count && program->insts[low].pc == pc ? (int32_t)low : -1;
}

static int cache_insert(struct program_cache *cache, struct program *program)
{
    for (size_t i = 0; i < cache->count; i++)
        if (cache->programs[i]->address == program->address) {
            drop(cache, cache->programs[i]); /* its bytes have changed */
            cache->programs[i] = program;
            return 0;
        }
    if (cache->count == cache->capacity) {
        size_t capacity = cache->capacity ? cache->capacity * 2 : 16;
        struct program **programs = realloc(cache->programs, capacity * sizeof(*programs));

        if (!programs)
            return -ENOMEM;
        cache->programs = programs;
        cache->capacity = capacity;
    }
    cache->programs[cache->count++] = program;
    return 0;
}

static struct program *refuse(struct vesim_fault *fault, enum vesim_fault_kind kind,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));

static struct program *refuse(struct vesim_fault *fault, enum vesim_fault_kind kind,
                              const char *format, ...)
{
    va_list arguments;

    fault->kind = kind;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof(fault->message), format, arguments);
    va_end(arguments);
    return NULL;
}

/* Decodes a copy of the code, as the program may change or unmap its own at any time. */
static struct program *decode_copy(const struct program_cache *cache, const uint8_t *code,
                                   uint32_t bytes, struct vesim_fault *fault)
{
    uint8_t *copy = malloc(bytes);

    if (!copy)
        return refuse(fault, VESIM_FAULT_MEMORY, "out of memory");
    memcpy(copy, code, bytes);
    struct program *program = program_decode(cache->device, cache->binder, copy, bytes,
                                             fault->message, sizeof(fault->message));
    if (!program)
        fault->kind = VESIM_FAULT_INSTRUCTION;
    free(copy);
    return program;
}

void program_set_lines(struct program *program, uint32_t first, uint32_t end)
{
    uint64_t line_bytes = program->device->line_bytes;

    for (uint32_t i = first; i < end; i++) {
        struct issue *issue = &program->issues[i];
        uint64_t line = (program->address + program->insts[i].pc) / line_bytes;

        issue->line = (uint32_t)(line - program->line);
        if (i == first || issue->line != issue[-1].line)
            issue->needs |= NEEDS_FETCH;
    }
}

static void place(struct program *program, uint64_t address)
{
    program->address = address;
    program->line = address / program->device->line_bytes;
    program_set_lines(program, 0, program->count);
}

const struct program *program_get(struct program_cache *cache, const struct address_space *space,
                                  uint64_t address, struct vesim_fault *fault)
{
    address = address_cut(space, address);
    const struct mapping *mapping = address_space_find(space, address, 16);
    *fault = (struct vesim_fault){.kernel = address};
    if (!mapping) {
        fault->address = address;
        return refuse(fault, VESIM_FAULT_PAGE, "no memory is mapped at the kernel's address 0x%llx",
                      (unsigned long long)address);
    }
    const uint8_t *code = mapping->host + (address - mapping->address);
    uint64_t limit = mapping->address + mapping->size - address;

    for (size_t i = 0; i < cache->count; i++) {
        const struct program *known = cache->programs[i];

        if (known->address == address && known->bytes <= limit &&
            memcmp(known->code, code, known->bytes) == 0 && program_calls_unchanged(known, space))
            return known;
    }
    uint32_t bytes = program_length(code, limit);
    if (bytes == 0)
        return refuse(fault, VESIM_FAULT_INSTRUCTION, "the code at 0x%llx never ends its thread",
                      (unsigned long long)address);
    struct program *program = decode_copy(cache, code, bytes, fault);
    if (!program)
        return NULL;
    program->serial = ++cache->serial;
    place(program, address);
    if (program_calls_prepare(program, cache->binder)) {
        program_free(program);
        return refuse(fault, VESIM_FAULT_MEMORY, "out of memory");
    }
    written_by(&program->written, program);
    loops_force(program, cache->trips, cache->trip_count);
    if (cache->binder && cache->binder->attach)
        cache->binder->attach(cache->binder->context, program);
    if (cache_insert(cache, program)) {
        drop(cache, program);
        return refuse(fault, VESIM_FAULT_MEMORY, "out of memory");
    }
    return program;
}
