#include "families/collective/collective-reference.h"

#include <string.h>

static uint64_t combine(enum collective_operation operation, uint64_t a, uint64_t b)
{
    switch (operation) {
    case OPERATION_ADD:
        return a + b;
    case OPERATION_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static double combine_floats(enum collective_operation operation, double a, double b)
{
    switch (operation) {
    case OPERATION_ADD:
        return a + b;
    case OPERATION_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static void step(const struct collective *collective, unsigned lanes, uint64_t mask,
                 struct chain_lane *lane)
{
    uint64_t before =
        collective->operation == OPERATION_MIN ? mask : 0; /* what an exclusive scan gives lane 0 */
    uint64_t result[CHAIN_LANES_MAX];

    for (unsigned l = 0; l < lanes; l++) {
        uint64_t own = (lane[l].x ^ lane[l].c) & mask;
        uint64_t with = combine(collective->operation, before, own) & mask;

        result[l] = collective->kind == COLLECTIVE_NONE        ? own
                    : collective->kind == COLLECTIVE_EXCLUSIVE ? before
                                                               : with;
        before = with;
    }
    for (unsigned l = 0; l < lanes; l++)
        lane[l].x =
            ((collective->kind == COLLECTIVE_REDUCE ? before : result[l]) + lane[l].d) & mask;
}

struct float_lane {
    float x, c, d;
};

/* Only reductions and inclusive scans, as there are no other float kernels. */
static void float_step(const struct collective *collective, unsigned lanes, struct float_lane *lane)
{
    double running = 0.0;
    double result[CHAIN_LANES_MAX];

    for (unsigned l = 0; l < lanes; l++) {
        float own = lane[l].x * lane[l].c;

        running = l == 0 ? (double)own : combine_floats(collective->operation, running, own);
        result[l] = collective->kind == COLLECTIVE_NONE ? (double)own : running;
    }
    for (unsigned l = 0; l < lanes; l++) {
        float sum = (float)(collective->kind == COLLECTIVE_REDUCE ? running : result[l]);

        lane[l].x = sum + lane[l].d;
    }
}

/* A float in [0, 1), exact, computed as in the kernel. */
static float fraction(uint64_t bits)
{
    return (float)((uint32_t)bits >> 8) * 0x1p-24f;
}

static void float_reference(const struct collective *collective, unsigned lanes,
                            uint32_t iterations, struct chain_lane *lane)
{
    struct float_lane values[CHAIN_LANES_MAX];

    for (unsigned l = 0; l < lanes; l++) {
        values[l].x = fraction(lane[l].x);
        values[l].c = fraction(lane[l].c) * (0.5f / (float)lanes);
        values[l].d = fraction(lane[l].d) + 1.0f;
    }
    for (uint64_t i = 0; i < (uint64_t)iterations * CHAIN_STEPS; i++)
        float_step(collective, lanes, values);
    for (unsigned l = 0; l < lanes; l++) {
        uint32_t bits;

        memcpy(&bits, &values[l].x, sizeof(bits));
        lane[l].x = bits;
    }
}

void collective_reference(const struct collective *collective, unsigned lanes, uint32_t iterations,
                          struct chain_lane *lane)
{
    if (collective->bits == FLOAT_BITS) {
        float_reference(collective, lanes, iterations, lane);
        return;
    }
    uint64_t mask = UINT64_MAX >> (64 - collective->bits);
    for (uint64_t i = 0; i < (uint64_t)iterations * CHAIN_STEPS; i++)
        step(collective, lanes, mask, lane);
    for (unsigned l = 0; l < lanes; l++)
        lane[l].x &= mask;
}
