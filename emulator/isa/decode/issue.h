/* What the clock reads of an instruction, in a few bytes: a kernel's records stay in the host's
 * first cache, which its decoded instructions do not fit. */
#ifndef VESIM_ISSUE_H
#define VESIM_ISSUE_H

#include "isa/decode/inst.h"

/* What it takes before the instruction can issue, as bits: its line has to be fetched, as it is the
 * first in it; other vector engines have to get as far, as it is a message; it has to be executed
 * then, not before, and apart from others, as it is a message, a sync, a branch, the program's
 * last, or one that reads the clock or takes no pipe. The last bit is set of most messages: they go
 * on with the instruction behind them, and read no clock. */
enum issue_needs { NEEDS_FETCH = 1, NEEDS_OTHERS = 2, NEEDS_STEP = 4, NEEDS_SEND_ALONE = 8 };

/* What it waits for apart from a distance in one ring, as bits. */
enum issue_waits {
    WAITS_SOURCE = 1,      /* its token's operands are read */
    WAITS_RESULT = 2,      /* its token's result is there */
    WAITS_FLAG = 4,        /* `flags_read` */
    WAITS_ACCUMULATOR = 8, /* `accumulators_read` */
    WAITS_ADDRESS = 16,
    WAITS_PIPES = 32, /* a distance in every ring */
    WAITS_ALL_READ = 64,
    WAITS_ALL_WRITTEN = 128,
};

/* What later instructions may wait for because of it, apart from a distance, as bits. */
enum issue_marks { MARKS_TOKEN = 1, MARKS_FLAG = 2, MARKS_ACCUMULATOR = 4, MARKS_ADDRESS = 8 };

/* Rings of the scoreboard: the in-order pipes, and one for the other pipes, which nobody asks. */
enum { RINGS = PIPE_MATH + 1, RING_OTHERS = PIPE_MATH, RING_MASK = 7 };

/* What a scoreboard keeps apart, by the widths of the fields below. */
enum { TOKENS = 32, DISTANCE_LONGEST = 7, FLAG_REGISTERS = 8, ACCUMULATOR_REGISTERS = 8 };

/* Instructions that are worth a look at what is remembered of their timing. */
enum { ROW_SHORTEST = 8 };

struct issue {
    uint16_t latency;
    uint8_t occupancy;
    uint8_t port;
    uint8_t waits;                /* the enumerations above */
    uint8_t marks : 4, needs : 4; /* likewise */
    uint8_t flags_read, flags_written;
    uint8_t accumulators_read, accumulators_written;
    uint8_t token : 5;
    uint8_t distance : 3; /* in `distance_ring`, or with WAITS_PIPES in every ring; 0: none */
    uint8_t distance_ring : 3;
    uint8_t ring : 3;  /* that counts the instruction */
    uint8_t joins : 1; /* may execute at once with the one before it: it is no step and waits for no
                          token */
    uint8_t in_row : 1; /* it is one of ROW_SHORTEST or more that follow one another, none
                           of them a step */
    uint32_t line;      /* of memory, where it begins: 0 for the program's first */
};
_Static_assert(sizeof(struct issue) == 16, "four in a line of the host's cache");

/* The record of a decoded instruction with its cost; whether it is the first of its line, or in a
 * row, is set apart. With `single_pipe`, distances count over all in-order pipes. */
struct issue issue_of(const struct inst *inst, bool single_pipe);

/* Marks those of a program that are in a row. */
void issue_find_rows(struct issue *issues, uint32_t count);

#endif
