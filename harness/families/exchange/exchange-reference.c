#include "families/exchange/exchange-reference.h"

#include <stdbool.h>

static unsigned lane_read(enum movement movement, unsigned lanes, unsigned lane, uint32_t iteration,
                          const uint32_t *source)
{
    switch (movement) {
    case MOVE_BROADCAST:
        return 3;
    case MOVE_BROADCAST_INDEX:
        return iteration & (lanes - 1);
    case MOVE_SHUFFLE:
        return source[lane];
    case MOVE_UP:
        return (lane + lanes - 1) % lanes;
    case MOVE_DOWN:
        return (lane + 1) % lanes;
    case MOVE_PAIRS:
        return lane ^ 1;
    case MOVE_REVERSE:
        return lanes - 1 - lane;
    default:
        return lane;
    }
}

static void move(enum movement movement, unsigned lanes, uint32_t iteration, const uint32_t *source,
                 struct chain_lane *lane)
{
    uint64_t sent[CHAIN_LANES_MAX];

    for (unsigned l = 0; l < lanes; l++)
        sent[l] = lane[l].x ^ lane[l].c;
    for (unsigned l = 0; l < lanes; l++)
        lane[l].x = sent[lane_read(movement, lanes, l, iteration, source)] + lane[l].d;
}

static void vote(enum movement movement, unsigned lanes, struct chain_lane *lane)
{
    bool any = false;

    for (unsigned l = 0; l < lanes; l++)
        any |= (lane[l].x & (lanes - 1)) == 0;
    for (unsigned l = 0; l < lanes; l++) {
        bool own = (lane[l].x & (lanes - 1)) == 0;
        bool outcome = movement == VOTE_NONE ? own : movement == VOTE_ANY ? any : !any;

        lane[l].x = (lane[l].x ^ lane[l].c) + (outcome ? lane[l].d : lane[l].e);
    }
}

void exchange_reference(enum movement movement, unsigned bits, unsigned lanes, uint32_t iterations,
                        const uint32_t *source, struct chain_lane *lane)
{
    uint64_t mask = UINT64_MAX >> (64 - bits);

    for (uint32_t i = 0; i < iterations; i++) {
        for (unsigned step = 0; step < CHAIN_STEPS; step++) {
            if (movement < VOTE_NONE)
                move(movement, lanes, i, source, lane);
            else
                vote(movement, lanes, lane);
        }
    }
    /* Neither xor nor addition carries from a higher bit to a lower one, so truncating once is
     * enough. */
    for (unsigned l = 0; l < lanes; l++)
        lane[l].x &= mask;
}
