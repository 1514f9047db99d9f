/* A small, seeded generator (SplitMix64, public domain algorithm by Sebastiano Vigna): the same
 * seed gives the same buffers and the same launch order on every machine. Not for secrets. */
#ifndef VEBENCH_PRNG_H
#define VEBENCH_PRNG_H

#include <stddef.h>
#include <stdint.h>

struct prng {
    uint64_t state;
};

void prng_seed(struct prng *prng, uint64_t seed);
uint64_t prng_next(struct prng *prng);

/* Uniform in [0, limit); limit > 0. */
uint32_t prng_below(struct prng *prng, uint32_t limit);

/* Fills `order` with a random permutation of 0 .. count - 1. */
void prng_permutation(struct prng *prng, size_t *order, size_t count);

#endif
