#include "clock/scoreboard.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Completion of the `distance`-th last instruction in a ring; 0 if there were fewer. */
static uint64_t nth_last(const uint64_t *ring, uint32_t issued, unsigned distance)
{
    if (distance == 0 || distance > issued || distance >= SCOREBOARD_DISTANCE)
        return 0;
    return ring[(issued - distance) % SCOREBOARD_DISTANCE];
}

static uint64_t pipe_wait(const struct scoreboard *board, enum pipe pipe, unsigned distance)
{
    return nth_last(board->done[pipe], board->issued[pipe], distance);
}

static uint64_t distance_wait(const struct scoreboard *board, const struct inst *inst,
                              bool single_pipe)
{
    unsigned distance = inst->scoreboard.distance;
    if (single_pipe)
        return nth_last(board->own, board->own_issued, distance);
    switch (inst->scoreboard.distance_pipe) {
    case DISTANCE_FLOAT:
        return pipe_wait(board, PIPE_FLOAT, distance);
    case DISTANCE_INTEGER:
        return pipe_wait(board, PIPE_INTEGER, distance);
    case DISTANCE_LONG:
        return pipe_wait(board, PIPE_LONG, distance);
    case DISTANCE_ALL:
        return later(
            pipe_wait(board, PIPE_FLOAT, distance),
            later(pipe_wait(board, PIPE_INTEGER, distance), pipe_wait(board, PIPE_LONG, distance)));
    case DISTANCE_MATH: /* out of order: it has tokens */
        return 0;
    default: /* a distance with no pipe named counts in the instruction's own */
        return inst->pipe < PIPE_MATH ? pipe_wait(board, inst->pipe, distance) : 0;
    }
}

static uint64_t token_wait(const struct scoreboard *board, const struct inst *inst)
{
    switch (inst->scoreboard.token_use) {
    case TOKEN_SOURCE:
        return board->tokens[inst->scoreboard.token].source;
    case TOKEN_DESTINATION: /* the result comes after the operands were read */
    case TOKEN_SET:         /* a token is taken again only when its last holder is done */
        return board->tokens[inst->scoreboard.token].destination;
    default:
        return 0;
    }
}

static uint64_t register_wait(const struct scoreboard *board, const struct inst *inst)
{
    uint64_t ready = inst->reads_flag ? board->flag : 0;
    if (inst->reads_accumulator)
        ready = later(ready, board->accumulator);
    if (inst->reads_address)
        ready = later(ready, board->address);
    return ready;
}

uint64_t scoreboard_ready(const struct scoreboard *board, const struct inst *inst, bool single_pipe,
                          uint64_t now)
{
    if (inst->scoreboard.distance)
        now = later(now, distance_wait(board, inst, single_pipe));
    now = later(now, token_wait(board, inst));
    return later(now, register_wait(board, inst));
}

enum scoreboard_cause scoreboard_cause(const struct scoreboard *board, const struct inst *inst,
                                       bool single_pipe, uint64_t now)
{
    uint64_t ready = scoreboard_ready(board, inst, single_pipe, now);
    if (ready <= now)
        return SCOREBOARD_CAUSE_NONE;
    if (inst->scoreboard.distance && distance_wait(board, inst, single_pipe) == ready)
        return SCOREBOARD_CAUSE_DISTANCE;
    return token_wait(board, inst) == ready ? SCOREBOARD_CAUSE_TOKEN : SCOREBOARD_CAUSE_REGISTER;
}

void scoreboard_issue(struct scoreboard *board, const struct inst *inst, uint64_t done)
{
    if (inst->pipe >= PIPE_MATH)
        return;
    board->done[inst->pipe][board->issued[inst->pipe]++ % SCOREBOARD_DISTANCE] = done;
    board->own[board->own_issued++ % SCOREBOARD_DISTANCE] = done;
}

void scoreboard_token(struct scoreboard *board, unsigned token, uint64_t source,
                      uint64_t destination)
{
    board->tokens[token].source = source;
    board->tokens[token].destination = destination;
}

uint64_t scoreboard_all_read(const struct scoreboard *board, uint64_t now)
{
    for (unsigned i = 0; i < SCOREBOARD_TOKENS; i++)
        now = later(now, board->tokens[i].source);
    return now;
}

uint64_t scoreboard_all_written(const struct scoreboard *board, uint64_t now)
{
    for (unsigned i = 0; i < SCOREBOARD_TOKENS; i++)
        now = later(now, board->tokens[i].destination);
    return now;
}
