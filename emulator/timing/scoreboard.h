/* The software scoreboard of a thread: which results are still outstanding. The compiler writes
 * into each instruction what to wait for ("@n": the n-th last instruction of an in-order pipe;
 * "$n.dst", "$n.src": the result, the operands of the out-of-order instruction that holds token n).
 * Hardware interlocks flags, the accumulator and address registers. */
#ifndef VESIM_SCOREBOARD_H
#define VESIM_SCOREBOARD_H

#include <stdalign.h>
#include <stdint.h>

#include "isa/decode/inst.h"

enum { SCOREBOARD_TOKENS = 32, SCOREBOARD_DISTANCE = 8 };

struct scoreboard {
    uint64_t flag, accumulator, address; /* cycles at which these may be read */
    bool single_pipe; /* Gen12LP: distances count over all in-order pipes, as over the first */
    uint32_t issued[PIPE_MATH];
    alignas(64)
        uint64_t done[PIPE_MATH][SCOREBOARD_DISTANCE]; /* completion cycles of the last instructions
                                              of each in-order pipe, rings; 0 at first */
    struct {
        uint64_t source, destination; /* operands read; result there */
    } tokens[SCOREBOARD_TOKENS];
};

/* Inline, as the clock asks for every instruction issued. */
static inline uint64_t scoreboard_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Completion of the `distance`-th last instruction of an in-order pipe, 1 to 7; 0 if there were
 * fewer. */
static inline uint64_t scoreboard_nth_last(const struct scoreboard *board, unsigned pipe,
                                           unsigned distance)
{
    return board->done[pipe][(board->issued[pipe] - distance) % SCOREBOARD_DISTANCE];
}

/* What an instruction with a distance has to wait for because of it. */
static inline uint64_t scoreboard_distance_wait(const struct scoreboard *board,
                                                const struct inst *inst)
{
    static const uint8_t named[] = {[DISTANCE_FLOAT] = PIPE_FLOAT,
                                    [DISTANCE_INTEGER] = PIPE_INTEGER,
                                    [DISTANCE_LONG] = PIPE_LONG,
                                    [DISTANCE_MATH] = PIPE_MATH};
    unsigned distance = inst->scoreboard.distance, of = inst->scoreboard.distance_pipe;

    if (board->single_pipe)
        return scoreboard_nth_last(board, 0, distance);
    if (of == DISTANCE_ALL)
        return scoreboard_later(scoreboard_nth_last(board, PIPE_FLOAT, distance),
                                scoreboard_later(scoreboard_nth_last(board, PIPE_INTEGER, distance),
                                                 scoreboard_nth_last(board, PIPE_LONG, distance)));
    /* a distance with no pipe named counts in the instruction's own */
    unsigned pipe = of == DISTANCE_NONE || of == DISTANCE_OWN ? inst->pipe : named[of];
    /* from math on, they end out of order: those have tokens */
    return pipe < PIPE_MATH ? scoreboard_nth_last(board, pipe, distance) : 0;
}

static inline uint64_t scoreboard_token_wait(const struct scoreboard *board,
                                             const struct inst *inst)
{
    switch (inst->scoreboard.token_use) {
    case TOKEN_SOURCE:
        return board->tokens[inst->scoreboard.token].source;
    case TOKEN_DESTINATION: /* the result comes after the operands were read */
    case TOKEN_SET:         /* a token is reused only when its last holder is done */
        return board->tokens[inst->scoreboard.token].destination;
    default:
        return 0;
    }
}

static inline uint64_t scoreboard_register_wait(const struct scoreboard *board,
                                                const struct inst *inst)
{
    uint64_t ready = inst->reads_flag ? board->flag : 0;

    if (inst->reads_accumulator)
        ready = scoreboard_later(ready, board->accumulator);
    if (inst->reads_address)
        ready = scoreboard_later(ready, board->address);
    return ready;
}

/* First cycle, not before `now`, at which the scoreboard lets `inst` issue. */
static inline uint64_t scoreboard_ready(const struct scoreboard *board, const struct inst *inst,
                                        uint64_t now)
{
    if (inst->scoreboard.distance)
        now = scoreboard_later(now, scoreboard_distance_wait(board, inst));
    now = scoreboard_later(now, scoreboard_token_wait(board, inst));
    return scoreboard_later(now, scoreboard_register_wait(board, inst));
}

/* Records that an issued in-order instruction completes at cycle `done`. */
static inline void scoreboard_issue(struct scoreboard *board, const struct inst *inst,
                                    uint64_t done)
{
    if (inst->pipe >= PIPE_MATH)
        return;
    unsigned pipe = board->single_pipe ? 0 : inst->pipe;
    board->done[pipe][board->issued[pipe]++ % SCOREBOARD_DISTANCE] = done;
}

/* Records when the instruction with a token has read its operands and has its result. */
static inline void scoreboard_token(struct scoreboard *board, unsigned token, uint64_t source,
                                    uint64_t destination)
{
    board->tokens[token].source = source;
    board->tokens[token].destination = destination;
}

/* What holds back `inst` beyond `now`, if scoreboard_ready() says that something does. */
enum scoreboard_cause {
    SCOREBOARD_CAUSE_NONE,
    SCOREBOARD_CAUSE_DISTANCE,
    SCOREBOARD_CAUSE_TOKEN,
    SCOREBOARD_CAUSE_REGISTER, /* flag, accumulator or address register */
};
enum scoreboard_cause scoreboard_cause(const struct scoreboard *board, const struct inst *inst,
                                       uint64_t now);

/* First cycle at which all tokens' operands are read / results are ready (sync.allrd, allwr). */
uint64_t scoreboard_all_read(const struct scoreboard *board, uint64_t now);
uint64_t scoreboard_all_written(const struct scoreboard *board, uint64_t now);

#endif
