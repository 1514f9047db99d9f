/* Reads of source operands from the register file, and where they get into each other's way. */
#include "code/code.h"
#include "code/registers.h"
#include "timing/register-banks.h"

#include <stdbool.h>

#define SOURCES     3
#define NO_REGISTER (-1)

static unsigned conflicts_among(const struct vesim_device *device, const int registers[SOURCES])
{
    unsigned read[SOURCES], count = 0;

    for (unsigned i = 0; i < SOURCES; i++)
        if (registers[i] != NO_REGISTER)
            read[count++] = (unsigned)registers[i];
    return register_bank_conflicts(device, read, count);
}

/* The registers that pass `pass` of the instruction reads: its sources take a register a pass, or
 * the same one in each. */
static void registers_of(const struct program *program, const struct inst *inst, unsigned pass,
                         int registers[SOURCES])
{
    unsigned first, count;

    for (unsigned i = 0; i < SOURCES; i++) {
        registers[i] = NO_REGISTER;
        if (source_registers(program, inst, i, &first, &count))
            registers[i] = (int)(first + (pass < count ? pass : count - 1));
    }
}

static unsigned passes_of(const struct program *program, const struct inst *inst)
{
    unsigned most = 1, first, count;

    for (unsigned i = 0; i < inst->source_count && i < SOURCES; i++) {
        if (source_registers(program, inst, i, &first, &count) && count > most)
            most = count;
    }
    return most;
}

/* `held`: what each source's bank read last. Leaves out what need not be read again. */
static void leave_out_known(int registers[SOURCES], int held[SOURCES])
{
    int all[SOURCES];

    for (unsigned i = 0; i < SOURCES; i++) {
        all[i] = registers[i];
        for (unsigned j = 0; j < i; j++) {
            if (all[i] == all[j])
                registers[i] = NO_REGISTER;
        }
        if (all[i] == held[i])
            registers[i] = NO_REGISTER;
    }
    for (unsigned i = 0; i < SOURCES; i++)
        held[i] = all[i];
}

static void forget_written(const struct program *program, const struct inst *inst,
                           int held[SOURCES])
{
    unsigned first, count;

    if (!destination_registers(program, inst, &first, &count))
        return;
    for (unsigned i = 0; i < SOURCES; i++) {
        if (held[i] >= (int)first && held[i] < (int)(first + count))
            held[i] = NO_REGISTER;
    }
}

static unsigned conflicts_of(const struct program *program, const struct inst *inst,
                             int held[SOURCES])
{
    unsigned conflicts = 0;

    /* These read at their own pace. */
    if (inst->pipe >= PIPE_MATH || inst->is_flow) {
        for (unsigned i = 0; i < SOURCES; i++)
            held[i] = NO_REGISTER;
        return 0;
    }
    for (unsigned pass = 0; pass < passes_of(program, inst); pass++) {
        int registers[SOURCES];

        registers_of(program, inst, pass, registers);
        leave_out_known(registers, held);
        conflicts += conflicts_among(program->device, registers);
    }
    forget_written(program, inst, held);
    return conflicts;
}

void vesim_code_operand_conflicts(const struct vesim_code *code, size_t first, size_t last,
                                  unsigned *conflicts)
{
    int held[SOURCES] = {NO_REGISTER, NO_REGISTER, NO_REGISTER};

    /* The second time round it begins as the first has ended. */
    for (unsigned round = 0; round < 2; round++) {
        for (size_t i = first; i <= last; i++)
            conflicts[i - first] = conflicts_of(code->program, &code->program->insts[i], held);
    }
}
