/* The loops of a kernel's machine code, and what its instructions touch. */
#ifndef VEBENCH_ISA_CODE_H
#define VEBENCH_ISA_CODE_H

#include "isa/audit.h"
#include "isa/decode/program.h"

#include <stdbool.h>
#include <stddef.h>

/* Decodes machine code, with what each instruction costs on the device. NULL with a line in
 * `error`; free it with program_free(). */
struct program *isa_decode(const struct vesim_device *device, const uint8_t *code, size_t bytes,
                           char *error, size_t error_size);

struct isa_loop {
    uint32_t first, last; /* indices of instructions */
    unsigned depth;       /* 1: in no other loop */
};

/* The loops in the order of their ends, which is that of `vebench predict --trips`. Returns how
 * many; those beyond ISA_LOOPS_MAX are left out. */
size_t isa_loops(const struct program *program, struct isa_loop loops[ISA_LOOPS_MAX]);

/* The one that is taken for hot: the innermost, or the outermost, of several the one with the most
 * instructions. Index in `loops`; `count` must not be 0. */
size_t isa_hot_loop(const struct isa_loop *loops, size_t count, bool outermost);

/* General registers that a source reads: the first and how many. False for a source that reads
 * none, or none that the encoding tells. */
bool isa_source_registers(const struct program *program, const struct inst *inst, unsigned source,
                          unsigned *first, unsigned *count);

/* The same of what the instruction writes. */
bool isa_destination_registers(const struct program *program, const struct inst *inst,
                               unsigned *first, unsigned *count);

/* How many general registers are named. */
unsigned isa_registers_used(const struct program *program);

#endif
