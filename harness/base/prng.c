#include "base/prng.h"

void prng_seed(struct prng *prng, uint64_t seed)
{
    prng->state = seed;
}

uint64_t prng_next(struct prng *prng)
{
    uint64_t z = (prng->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint32_t prng_below(struct prng *prng, uint32_t limit)
{
    /* The bias of this multiplication is below 2^-32 per value: negligible for a launch order. */
    return (uint32_t)(((prng_next(prng) >> 32) * limit) >> 32);
}

void prng_permutation(struct prng *prng, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i > 1; i--) {
        size_t j = prng_below(prng, (uint32_t)i);
        size_t swapped = order[i - 1];

        order[i - 1] = order[j];
        order[j] = swapped;
    }
}
