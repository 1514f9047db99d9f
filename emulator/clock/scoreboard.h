/* The software scoreboard of a thread: which results are not there yet. The compiler writes into
 * each instruction what to wait for ("@n": the n-th last instruction of an in-order pipe;
 * "$n.dst", "$n.src": the result, the operands of the out-of-order instruction that holds token
 * n). Flags, the accumulator and address registers are interlocked by the hardware. */
#ifndef VESIM_SCOREBOARD_H
#define VESIM_SCOREBOARD_H

#include <stdint.h>

#include "xe/inst.h"

enum { SCOREBOARD_TOKENS = 32, SCOREBOARD_DISTANCE = 8 };

struct scoreboard {
    uint64_t flag, accumulator, address; /* cycles at which these may be read */
    uint32_t own_issued, issued[PIPE_MATH];
    uint64_t own[SCOREBOARD_DISTANCE]; /* completion cycles of the last in-order instructions, a
                                          ring; and the same of each in-order pipe, which is what
                                          counts but on Gen12LP, which has one */
    uint64_t done[PIPE_MATH][SCOREBOARD_DISTANCE];
    struct {
        uint64_t source, destination; /* operands read; result there */
    } tokens[SCOREBOARD_TOKENS];
};

/* First cycle, not before `now`, at which the scoreboard lets `inst` issue. `single_pipe`: the
 * distances count over one in-order pipe. */
uint64_t scoreboard_ready(const struct scoreboard *board, const struct inst *inst, bool single_pipe,
                          uint64_t now);

/* What holds `inst` back beyond `now`, when scoreboard_ready() says that something does. */
enum scoreboard_cause {
    SCOREBOARD_CAUSE_NONE,
    SCOREBOARD_CAUSE_DISTANCE,
    SCOREBOARD_CAUSE_TOKEN,
    SCOREBOARD_CAUSE_REGISTER, /* flag, accumulator or address register */
};
enum scoreboard_cause scoreboard_cause(const struct scoreboard *board, const struct inst *inst,
                                       bool single_pipe, uint64_t now);

/* Notes that an in-order instruction, issued, is done at cycle `done`. */
void scoreboard_issue(struct scoreboard *board, const struct inst *inst, uint64_t done);

/* Notes when the operands are read and the result is there, of the instruction with a token. */
void scoreboard_token(struct scoreboard *board, unsigned token, uint64_t source,
                      uint64_t destination);

/* First cycle at which every token's operands are read / result is there (sync.allrd, allwr). */
uint64_t scoreboard_all_read(const struct scoreboard *board, uint64_t now);
uint64_t scoreboard_all_written(const struct scoreboard *board, uint64_t now);

#endif
