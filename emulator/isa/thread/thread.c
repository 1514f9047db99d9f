#include "isa/thread/thread.h"

#include <stdarg.h>
#include <stdio.h>

/* Lines of the accumulators, and lanes in each. */
enum {
    ACCUMULATOR_LINES = (ARF_FLAG - ARF_ACC) / WRITTEN_LINE_BYTES,
    LINE_LANES = WRITTEN_LINE_BYTES / sizeof(uint32_t)
};

/* Most runs are of a line or two, for which a call would take longest. */
static void clear_run(uint8_t *to, unsigned lines)
{
    if (lines > 2) {
        memset(to, 0, (size_t)lines * WRITTEN_LINE_BYTES);
        return;
    }
    memset(to, 0, WRITTEN_LINE_BYTES);
    if (lines == 2)
        memset(to + WRITTEN_LINE_BYTES, 0, WRITTEN_LINE_BYTES);
}

/* The lines of one word of `written`, run by run. */
static void clear_lines(uint8_t *registers, uint64_t lines)
{
    while (lines) {
        uint64_t from_first = lines & -lines, behind = lines + from_first;
        unsigned first = (unsigned)__builtin_ctzll(lines);
        unsigned end = behind ? (unsigned)__builtin_ctzll(behind) : 64;

        clear_run(registers + first * WRITTEN_LINE_BYTES, end - first);
        lines &= behind;
    }
}

void thread_clear(struct thread *thread, const struct written *written)
{
    for (uint32_t word = 0; word < WRITTEN_WORDS; word++)
        clear_lines(thread->registers + word * 64 * WRITTEN_LINE_BYTES, written->lines[word]);
    for (uint32_t i = 0; i < ACCUMULATOR_LINES; i++)
        if (written_has(written, ARF_ACC + i * WRITTEN_LINE_BYTES))
            memset(thread->accumulator + i * LINE_LANES, 0,
                   LINE_LANES * sizeof(*thread->accumulator));
}

int thread_fault(struct thread *thread, const struct inst *inst, const char *format, ...)
{
    struct vesim_fault *fault = thread->fault;
    char what[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    *fault = (struct vesim_fault){
        .kind = VESIM_FAULT_INSTRUCTION, .kernel = thread->program->address, .offset = inst->pc};
    program_disassemble(thread->program, inst->pc, fault->instruction, sizeof(fault->instruction));
    snprintf(fault->message, sizeof(fault->message),
             "%s: kernel at 0x%llx, instruction at +0x%x: %s", what,
             (unsigned long long)fault->kernel, fault->offset, fault->instruction);
    return -1;
}

int thread_page_fault(struct thread *thread, const struct inst *inst, uint64_t address,
                      const char *what)
{
    thread_fault(thread, inst, "%s unmapped address 0x%llx", what, (unsigned long long)address);
    thread->fault->kind = VESIM_FAULT_PAGE;
    thread->fault->address = address_cut(thread->space, address);
    return -1;
}

/* One bit for each lane of the thread: whether any (or all) flag bits of its aligned group of lanes
 * are set. The group may be wider than the instruction. */
static uint32_t join_groups(uint32_t bits, unsigned group, bool any)
{
    if (group == 0 || group > MAX_LANES)
        group = MAX_LANES;
    uint32_t result = 0, ones = group >= 32 ? UINT32_MAX : (1u << group) - 1;
    for (unsigned lane = 0; lane < MAX_LANES; lane += group) {
        uint32_t part = bits >> lane & ones;

        if (any ? part != 0 : part == ones)
            result |= ones << lane;
    }
    return result;
}

uint32_t thread_joined_predicate(const struct thread *thread, const struct inst *inst)
{
    uint64_t flags = thread_flags(thread, 0);
    uint32_t f0 = (uint32_t)(flags >> inst->first_lane);
    uint32_t f1 = (uint32_t)(flags >> (32 + inst->first_lane));
    uint32_t bits = f0 & f1;

    if (inst->predicate == PREDICATE_ANYV)
        bits = f0 | f1;
    else if (inst->predicate != PREDICATE_ALLV)
        bits = join_groups((uint32_t)thread_flags(thread, inst->flag), inst->predicate_group,
                           inst->predicate == PREDICATE_ANY) >>
               inst->first_lane;
    return inst->predicate_inverse ? ~bits : bits;
}
