/* What the offline compiler has made before, in the folder that VEBENCH_COMPILED names; without it,
 * nothing is kept. */
#ifndef VEBENCH_COMPILER_CACHE_H
#define VEBENCH_COMPILER_CACHE_H

#include "predict/compiler.h"
#include "sha256-hex.h"

#include <stdbool.h>

/* A module's compilation: a file's name. */
struct compiler_cache_key {
    char name[SHA256_HEX_BYTES]; /* "": it is not kept */
};

/* Of what compiler_compile() takes and of the compiler, which has the file `library`: another
 * version of it or of the compiler proper beside it is another key. */
struct compiler_cache_key compiler_cache_key(const char *library, const void *spirv, size_t bytes,
                                             const char *device, const char *options);

/* Reads what was kept, for compiled_free(); false if there is nothing. */
bool compiler_cache_find(const struct compiler_cache_key *key, struct compiled *compiled);

/* Keeps it, for any number of processes. One that cannot be written is compiled again. */
void compiler_cache_keep(const struct compiler_cache_key *key, const struct compiled *compiled);

#endif
