#include "sha256-hex.h"

#include <stdint.h>
#include <stdio.h>

#include <nettle/sha2.h>

void sha256_hex(const void *bytes, size_t size_bytes, char hex[SHA256_HEX_BYTES])
{
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];

    sha256_init(&context);
    sha256_update(&context, size_bytes, bytes);
    sha256_digest(&context, sizeof(digest), digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}
