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
    /* A bit for each line of the register file. An accumulator's is also that of its lanes at full
     * width. */
    uint64_t lines[WRITTEN_WORDS];
};

/* Adds bytes of the register file. */
void written_add(struct written *written, uint32_t first, uint32_t bytes);

/* Whether a byte of the register file is in it. */
static inline bool written_has(const struct written *written, uint32_t offset)
{
    return written->lines[offset / WRITTEN_LINE_BYTES / 64] >> (offset / WRITTEN_LINE_BYTES % 64) &
           1;
}

struct program;

/* All that executing the program may write, but for what a thread begins with in any case. Where
 * the code does not say, that is everything. */
void written_by(struct written *written, const struct program *program);

#endif
