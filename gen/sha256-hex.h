/* The name of a module's contents: SHA-256 in hexadecimal. */
#ifndef VEBENCH_SHA256_HEX_H
#define VEBENCH_SHA256_HEX_H

#include <stddef.h>

#define SHA256_HEX_BYTES 65 /* 64 digits and the terminator */

void sha256_hex(const void *bytes, size_t size_bytes, char hex[SHA256_HEX_BYTES]);

#endif
