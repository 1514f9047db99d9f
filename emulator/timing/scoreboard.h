/* The software scoreboard of a thread: which results are still outstanding. The compiler writes
 * into each instruction what to wait for ("@n": the n-th last instruction of an in-order pipe;
 * "$n.dst", "$n.src": the result, the operands of the out-of-order instruction that holds token n).
 * Hardware interlocks flags, the accumulator and address registers. */
#ifndef VESIM_SCOREBOARD_H
#define VESIM_SCOREBOARD_H

#include <stdalign.h>
#include <stdint.h>

#include "isa/decode/issue.h"

enum { SCOREBOARD_DISTANCE = 8 };

struct scoreboard {
    /* Cycles at which these may be read. */
    uint64_t flags[FLAG_REGISTERS], accumulators[ACCUMULATOR_REGISTERS], address;
    uint32_t issued[RINGS];
    alignas(
        64) uint64_t done[RINGS][SCOREBOARD_DISTANCE]; /* completion cycles of the last instructions
                                              in each ring (isa/decode/issue.h); 0 at first */
    struct {
        uint64_t source, destination; /* operands read; result there */
    } tokens[TOKENS];
};

/* Inline, as the clock asks for every instruction issued. */
static inline uint64_t scoreboard_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Completion of the `distance`-th last instruction in a ring, 1 to 7; 0 if there were fewer. */
static inline uint64_t scoreboard_nth_last(const struct scoreboard *board, unsigned ring,
                                           unsigned distance)
{
    return board->done[ring][(board->issued[ring] - distance) % SCOREBOARD_DISTANCE];
}

/* The last of the times whose bits are set, or `now`. */
static inline uint64_t scoreboard_last(const uint64_t *times, uint32_t bits, uint64_t now)
{
    for (; bits; bits &= bits - 1)
        now = scoreboard_later(now, times[__builtin_ctz(bits)]);
    return now;
}

/* Sets the times whose bits are set. */
static inline void scoreboard_set(uint64_t *times, uint32_t bits, uint64_t time)
{
    for (; bits; bits &= bits - 1)
        times[__builtin_ctz(bits)] = time;
}

/* The same as below, but for a distance in one ring, a token and a flag. */
uint64_t scoreboard_further_waits(const struct scoreboard *board, const struct issue *issue,
                                  uint64_t now);

/* First cycle, not before `now`, at which the scoreboard lets the instruction issue. */
static inline uint64_t scoreboard_ready(const struct scoreboard *board, const struct issue *issue,
                                        uint64_t now)
{
    if (issue->distance)
        now = scoreboard_later(now,
                               scoreboard_nth_last(board, issue->distance_ring, issue->distance));
    if (issue->waits == 0)
        return now;
    if (issue->waits & WAITS_RESULT)
        now = scoreboard_later(now, board->tokens[issue->token].destination);
    if (issue->waits & WAITS_SOURCE)
        now = scoreboard_later(now, board->tokens[issue->token].source);
    if (issue->waits & WAITS_FLAG)
        now = scoreboard_last(board->flags, issue->flags_read, now);
    return issue->waits & ~(WAITS_RESULT | WAITS_SOURCE | WAITS_FLAG)
               ? scoreboard_further_waits(board, issue, now)
               : now;
}

/* Records that an issued instruction completes at cycle `done`. */
static inline void scoreboard_issue(struct scoreboard *board, const struct issue *issue,
                                    uint64_t done)
{
    board->done[issue->ring][board->issued[issue->ring]++ % SCOREBOARD_DISTANCE] = done;
}

/* Records when the instruction with a token has read its operands and has its result. */
static inline void scoreboard_token(struct scoreboard *board, unsigned token, uint64_t source,
                                    uint64_t destination)
{
    board->tokens[token].source = source;
    board->tokens[token].destination = destination;
}

/* What holds back the instruction beyond `now`, if scoreboard_ready() says that something does;
 * NONE if it is all tokens together. */
enum scoreboard_cause {
    SCOREBOARD_CAUSE_NONE,
    SCOREBOARD_CAUSE_DISTANCE,
    SCOREBOARD_CAUSE_TOKEN,
    SCOREBOARD_CAUSE_REGISTER, /* flag, accumulator or address register */
};
enum scoreboard_cause scoreboard_cause(const struct scoreboard *board, const struct issue *issue,
                                       uint64_t now);

#endif
