/* Unsigned little-endian numbers of 1, 2, 4 or 8 bytes, at any address. A memcpy() of a variable
 * number of bytes would be a string instruction or a call, for each lane. */
#ifndef VESIM_MESSAGE_WORDS_H
#define VESIM_MESSAGE_WORDS_H

#include <stdint.h>
#include <string.h>

static inline uint64_t word_load(const void *at, unsigned bytes)
{
    uint64_t value = 0;

    switch (bytes) {
    case 1:
        memcpy(&value, at, 1);
        break;
    case 2:
        memcpy(&value, at, 2);
        break;
    case 4:
        memcpy(&value, at, 4);
        break;
    default:
        memcpy(&value, at, 8);
        break;
    }
    return value;
}

static inline void word_store(void *at, uint64_t value, unsigned bytes)
{
    switch (bytes) {
    case 1:
        memcpy(at, &value, 1);
        break;
    case 2:
        memcpy(at, &value, 2);
        break;
    case 4:
        memcpy(at, &value, 4);
        break;
    default:
        memcpy(at, &value, 8);
        break;
    }
}

#endif
