/* Functions that a program calls but that are not part of its code: those of other modules, which
 * the driver has linked to it, or whose addresses it has handed out. They are decoded when they are
 * first called, and become part of the program, behind its own instructions: so threads still run
 * in one program, and an index names an instruction wherever it is. */
#ifndef VESIM_PROGRAM_CALLS_H
#define VESIM_PROGRAM_CALLS_H

#include "isa/decode/program.h"

/* Makes room behind the program's instructions if one of them may leave it: a call whose target is
 * in a register, or outside. Returns 0, or -ENOMEM. To be called once it is decoded and has its
 * address, before anybody runs it. The binder is borrowed. */
int program_calls_prepare(struct program *program, const struct inst_binder *binder);
void program_calls_free(struct program_calls *calls);

/* The index of the instruction at a GPU address outside the program. Decodes the function that
 * begins there if that is necessary. -1, with a message, if that is no code, or too much. Threads
 * may call it at the same time. */
int32_t program_calls_find(const struct program *program, const struct address_space *space,
                           uint64_t address, char *error, size_t error_size);

/* The index of the instruction at byte `pc`, modulo 2^32, of a function that is part of the program
 * already; -1 if there is none. */
int32_t program_calls_index(const struct program_calls *calls, uint32_t pc);

/* The code that has byte `pc` of the program, and where that byte is in it. */
const uint8_t *program_calls_code(const struct program *program, uint32_t pc, uint32_t *bytes,
                                  uint32_t *offset);

/* Whether the functions are still what they were. */
bool program_calls_unchanged(const struct program *program, const struct address_space *space);

/* One past the highest index, functions included. */
uint32_t program_calls_end(const struct program_calls *calls);

static inline uint32_t program_end(const struct program *program)
{
    return program->calls ? program_calls_end(program->calls) : program->count;
}

#endif
