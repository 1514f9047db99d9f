/* Division-free remainders by a number that is known once the device is. */
#ifndef VESIM_MODULUS_H
#define VESIM_MODULUS_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 modulus_product;

struct modulus {
    uint32_t number;     /* from 1 */
    uint32_t shift;      /* of a power of two: its exponent */
    uint64_t reciprocal; /* in 1 / 2^64, rounded up; 0: the number is a power of two */
};

static inline struct modulus modulus_of(uint32_t number)
{
    bool is_power = (number & (number - 1)) == 0;

    return (struct modulus){.number = number,
                            .shift = (uint32_t)__builtin_ctz(number),
                            .reciprocal = is_power ? 0 : UINT64_MAX / number + 1};
}

/* Both are exact for values below 2^64 over the number. */
static inline uint64_t modulus_quotient(struct modulus modulus, uint64_t value)
{
    if (modulus.reciprocal == 0)
        return value >> modulus.shift;
    return (uint64_t)((modulus_product)value * modulus.reciprocal >> 64);
}

static inline uint64_t modulus_rest(struct modulus modulus, uint64_t value)
{
    return value - modulus_quotient(modulus, value) * modulus.number;
}

#endif
