/* Hashes of what is compared or looked up: FNV-1a (Fowler, Noll, Vo), 64 bits. Not against malice.
 */
#ifndef VEBENCH_DIGEST_H
#define VEBENCH_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGEST_BEGIN UINT64_C(0xcbf29ce484222325)

/* Continues a digest. */
static inline uint64_t digest_bytes(uint64_t digest, const void *data, size_t bytes)
{
    const unsigned char *at = data;

    for (size_t i = 0; i < bytes; i++)
        digest = (digest ^ at[i]) * UINT64_C(0x100000001b3);
    return digest;
}

/* The same of a text and its end. */
static inline uint64_t digest_text(uint64_t digest, const char *text)
{
    return digest_bytes(digest, text, strlen(text) + 1);
}

#endif
