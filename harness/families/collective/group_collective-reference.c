#include "families/collective/group_collective-reference.h"

#include <stdbool.h>

/* A work-item's input to an operation. */
static uint32_t brought(const struct chain_lane *lane)
{
    return (uint32_t)(lane->x ^ lane->c);
}

static uint32_t reduce(enum group_operation operation, unsigned repeats, unsigned lanes,
                       const struct chain_lane *lane)
{
    uint32_t result = brought(&lane[0]);

    for (unsigned l = 1; l < lanes; l++) {
        uint32_t value = brought(&lane[l]);

        if (operation == GROUP_ADD)
            result += value;
        else if (operation == GROUP_MIN ? value < result : value > result)
            result = value;
    }
    return operation == GROUP_ADD ? result * repeats : result;
}

static bool holds(const struct chain_lane *lane, unsigned items)
{
    return (lane->x & (items - 1)) == 0;
}

static void vote(enum group_operation operation, unsigned items, unsigned lanes,
                 struct chain_lane *lane)
{
    bool any = false;

    for (unsigned l = 0; l < lanes; l++)
        any |= holds(&lane[l], items);
    for (unsigned l = 0; l < lanes; l++) {
        bool outcome = operation == GROUP_OWN_VOTE ? holds(&lane[l], items)
                       : operation == GROUP_ANY    ? any
                                                   : !any;

        lane[l].x = (uint32_t)(brought(&lane[l]) + (outcome ? lane[l].d : lane[l].e));
    }
}

static void combine(enum group_operation operation, unsigned repeats, unsigned lanes,
                    struct chain_lane *lane)
{
    uint32_t common = operation == GROUP_BROADCAST ? brought(&lane[GROUP_OWNER])
                                                   : reduce(operation, repeats, lanes, lane);

    for (unsigned l = 0; l < lanes; l++) {
        uint32_t value = operation == GROUP_NONE ? brought(&lane[l]) : common;

        lane[l].x = (uint32_t)(value + lane[l].d);
    }
}

void group_collective_reference(enum group_operation operation, unsigned items, unsigned lanes,
                                uint32_t iterations, struct chain_lane *lane)
{
    for (unsigned l = 0; l < lanes; l++)
        lane[l].x = (uint32_t)lane[l].x;
    for (uint64_t step = 0; step < (uint64_t)iterations * CHAIN_STEPS; step++) {
        if (operation >= GROUP_OWN_VOTE)
            vote(operation, items, lanes, lane);
        else
            combine(operation, items / lanes, lanes, lane);
    }
}
