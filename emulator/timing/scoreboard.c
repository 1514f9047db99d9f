#include "timing/scoreboard.h"

enum scoreboard_cause scoreboard_cause(const struct scoreboard *board, const struct inst *inst,
                                       uint64_t now)
{
    uint64_t ready = scoreboard_ready(board, inst, now);

    if (ready <= now)
        return SCOREBOARD_CAUSE_NONE;
    if (inst->scoreboard.distance && scoreboard_distance_wait(board, inst) == ready)
        return SCOREBOARD_CAUSE_DISTANCE;
    return scoreboard_token_wait(board, inst) == ready ? SCOREBOARD_CAUSE_TOKEN
                                                       : SCOREBOARD_CAUSE_REGISTER;
}

uint64_t scoreboard_all_read(const struct scoreboard *board, uint64_t now)
{
    for (unsigned i = 0; i < SCOREBOARD_TOKENS; i++)
        now = scoreboard_later(now, board->tokens[i].source);
    return now;
}

uint64_t scoreboard_all_written(const struct scoreboard *board, uint64_t now)
{
    for (unsigned i = 0; i < SCOREBOARD_TOKENS; i++)
        now = scoreboard_later(now, board->tokens[i].destination);
    return now;
}
