/* Numbers that look drawn: the same for the same input, on every host. */
#ifndef VESIM_HASH_H
#define VESIM_HASH_H

#include <stdint.h>

/* The finalizer of MurmurHash3 (Appleby): all bits of the input decide each of the result. */
static inline uint64_t hash64(uint64_t value)
{
    value = (value ^ value >> 33) * UINT64_C(0xff51afd7ed558ccd);
    value = (value ^ value >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return value ^ value >> 33;
}

/* The same for 32 bits. */
static inline uint32_t hash32(uint32_t value)
{
    value = (value ^ value >> 16) * UINT32_C(0x85ebca6b);
    value = (value ^ value >> 13) * UINT32_C(0xc2b2ae35);
    return value ^ value >> 16;
}

#endif
