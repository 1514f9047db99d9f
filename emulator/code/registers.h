/* General registers that instructions name. */
#ifndef VESIM_CODE_REGISTERS_H
#define VESIM_CODE_REGISTERS_H

#include "isa/decode/program.h"

#include <stdbool.h>

/* What a source reads: the first and how many. False for a source that reads none, or none that the
 * encoding tells. */
bool source_registers(const struct program *program, const struct inst *inst, unsigned source,
                      unsigned *first, unsigned *count);

/* The same of what the instruction writes. */
bool destination_registers(const struct program *program, const struct inst *inst, unsigned *first,
                           unsigned *count);

#endif
