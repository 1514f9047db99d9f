#include "timing/scoreboard.h"

/* What a distance makes the instruction wait for. */
static uint64_t distance_wait(const struct scoreboard *board, const struct issue *issue)
{
    uint64_t wait = 0;

    if (issue->distance)
        wait = scoreboard_nth_last(board, issue->distance_ring, issue->distance);
    for (unsigned ring = 0; issue->waits & WAITS_PIPES && ring < RING_OTHERS; ring++)
        wait = scoreboard_later(wait, scoreboard_nth_last(board, ring, issue->distance));
    return wait;
}

static uint64_t token_wait(const struct scoreboard *board, const struct issue *issue)
{
    if (issue->waits & WAITS_RESULT) /* it comes after the operands were read */
        return board->tokens[issue->token].destination;
    return issue->waits & WAITS_SOURCE ? board->tokens[issue->token].source : 0;
}

static uint64_t register_wait(const struct scoreboard *board, const struct issue *issue)
{
    uint64_t wait = scoreboard_last(board->flags, issue->flags_read, 0);

    wait = scoreboard_last(board->accumulators, issue->accumulators_read, wait);
    return issue->waits & WAITS_ADDRESS ? scoreboard_later(wait, board->address) : wait;
}

static uint64_t all_tokens_wait(const struct scoreboard *board, const struct issue *issue)
{
    uint64_t wait = 0;

    for (unsigned i = 0; issue->waits & WAITS_ALL_READ && i < TOKENS; i++)
        wait = scoreboard_later(wait, board->tokens[i].source);
    for (unsigned i = 0; issue->waits & WAITS_ALL_WRITTEN && i < TOKENS; i++)
        wait = scoreboard_later(wait, board->tokens[i].destination);
    return wait;
}

uint64_t scoreboard_further_waits(const struct scoreboard *board, const struct issue *issue,
                                  uint64_t now)
{
    now = scoreboard_later(now, register_wait(board, issue));
    if (issue->waits & WAITS_PIPES)
        now = scoreboard_later(now, distance_wait(board, issue));
    return scoreboard_later(now, all_tokens_wait(board, issue));
}

enum scoreboard_cause scoreboard_cause(const struct scoreboard *board, const struct issue *issue,
                                       uint64_t now)
{
    uint64_t distance = distance_wait(board, issue), token = token_wait(board, issue),
             interlock = register_wait(board, issue);
    uint64_t last = scoreboard_later(distance, scoreboard_later(token, interlock));

    if (last <= now)
        return SCOREBOARD_CAUSE_NONE;
    if (distance == last)
        return SCOREBOARD_CAUSE_DISTANCE;
    return token == last ? SCOREBOARD_CAUSE_TOKEN : SCOREBOARD_CAUSE_REGISTER;
}
