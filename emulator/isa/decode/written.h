/* The registers that may differ from zero in a thread slot: those that its last program could
 * write. No other need be cleared for the next thread. */
#ifndef VESIM_WRITTEN_H
#define VESIM_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/decode/inst.h"

enum {
    WRITTEN_LINE_BYTES = 64,
    WRITTEN_LINES = (REGISTER_FILE_BYTES + WRITTEN_LINE_BYTES - 1) / WRITTEN_LINE_BYTES,
    WRITTEN_WORDS = (WRITTEN_LINES + 63) / 64,
};

struct written {
    uint64_t lines[WRITTEN_WORDS]; /* a bit for each line of the register file */
    bool accumulators;             /* those at full width, too */
};

/* Adds bytes of the register file. */
void written_add(struct written *written, uint32_t first, uint32_t bytes);

struct program;

/* All that executing the program may write. Where the code does not say, that is everything. */
void written_by(struct written *written, const struct program *program);

#endif
