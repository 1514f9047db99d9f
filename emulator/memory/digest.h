/* FNV-1a, of 64 bits: names and sums that need not withstand an attacker. */
#ifndef VESIM_DIGEST_H
#define VESIM_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_EMPTY UINT64_C(0xcbf29ce484222325)

/* The digest of what `sum` is of, followed by `data`. */
static inline uint64_t digest_add(uint64_t sum, const void *data, size_t bytes)
{
    const uint8_t *at = data;

    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    return sum;
}

#endif
