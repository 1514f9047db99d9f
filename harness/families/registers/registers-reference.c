#include "families/registers/registers-reference.h"

static uint32_t result_of(const struct registers_ring *ring, uint32_t iterations, uint32_t seed,
                          uint32_t gid)
{
    uint32_t v[REGISTERS_MOST_VALUES];
    uint32_t folded = 0;

    for (uint32_t k = 0; k < ring->values; k++)
        v[k] = seed * (k + 1u) + gid;
    for (uint32_t i = 0; i < iterations; i++) {
        for (unsigned pass = 0; pass < ring->updates / ring->values; pass++) {
            for (uint32_t k = 0; k < ring->values; k++)
                v[k] = v[k] * 3u + v[(k + ring->step) % ring->values];
        }
    }
    /* With a step of 1 this is one fold over all values, otherwise one per element of the
     * vectors. */
    for (unsigned element = 0; element < ring->step; element++) {
        uint32_t fold = ring->step == 1 ? folded : 0;

        for (uint32_t k = element; k < ring->values; k += ring->step)
            fold = fold * 3u + v[k];
        folded = ring->step == 1 ? fold : folded * 3u + fold;
    }
    return folded;
}

/* Sums, and products with constants, keep the difference between neighbouring work-items constant,
 * so two work-items stand for all. */
void registers_reference(const struct registers_ring *ring, uint32_t iterations, uint32_t seed,
                         uint32_t *constant, uint32_t *slope)
{
    *constant = result_of(ring, iterations, seed, 0);
    *slope = result_of(ring, iterations, seed, 1) - *constant;
}
