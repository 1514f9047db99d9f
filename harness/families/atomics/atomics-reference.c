#include "families/atomics/atomics-reference.h"

#include <string.h>

static uint64_t operations(const struct atomic_cell *cell)
{
    return (uint64_t)cell->sharers * cell->iterations * ATOMICS_STEPS;
}

static uint64_t masked(const struct atomic_cell *cell, uint64_t value)
{
    return value & (UINT64_MAX >> (64 - cell->bits));
}

/* 0 + 1 + ... + (n - 1), modulo 2^64. */
static uint64_t triangle(uint64_t n)
{
    if (n == 0)
        return 0;
    return n % 2 ? n * ((n - 1) / 2) : n / 2 * (n - 1);
}

bool atomics_total_is_right(const struct atomic_cell *cell, uint64_t total)
{
    uint64_t n = operations(cell);

    switch (cell->kind) {
    case ATOMIC_CHAIN:
        return masked(cell, total) == masked(cell, n * cell->step);
    case ATOMIC_FETCH:
        return masked(cell, total) == masked(cell, n * cell->initial + triangle(n) * cell->step);
    case ATOMIC_EXCHANGE:
        return total <= n && total >= (uint64_t)cell->iterations * ATOMICS_STEPS;
    default:
        return total == 0;
    }
}

static uint64_t float_final(const struct atomic_cell *cell)
{
    uint32_t bits = (uint32_t)cell->initial;
    float value;

    memcpy(&value, &bits, sizeof(value));
    if (cell->iterations % 2)
        value += (float)(cell->sharers * ATOMICS_STEPS);
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

uint64_t atomics_final(const struct atomic_cell *cell, uint64_t total)
{
    switch (cell->kind) {
    case ATOMIC_ADD:
    case ATOMIC_FETCH:
        return masked(cell, cell->initial + operations(cell) * cell->step);
    case ATOMIC_EXCHANGE:
        return masked(cell, cell->initial + total * cell->step);
    case ATOMIC_FLOAT:
        return float_final(cell);
    default:
        return cell->initial;
    }
}

uint32_t atomics_loop(uint32_t step, uint32_t iterations)
{
    uint32_t mixed = step;

    for (uint32_t i = 0; i < iterations; i++)
        mixed = (mixed ^ i) + step;
    return mixed;
}
