/* SHA-256 (FIPS 180-4), to name a module that came from a file as the embedded ones are named. */
#ifndef VEBENCH_SHA256_H
#define VEBENCH_SHA256_H

#include <stddef.h>

#define SHA256_HEX_BYTES 65 /* 64 digits and the terminator */

void sha256_hex(const void *bytes, size_t size_bytes, char hex[SHA256_HEX_BYTES]);

#endif
