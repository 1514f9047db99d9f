/* Compiled code in files, for later processes. A file holds all that its code was made from, and is
 * used for nothing else; one that is damaged, or that somebody else could have written, is not used
 * but replaced. */
#ifndef VESIM_KEPT_CODE_H
#define VESIM_KEPT_CODE_H

#include <stddef.h>

/* What code is made from. */
struct code_key {
    const void *bitcode;
    size_t bytes;
    const char *cpu, *features; /* of the host */
};

/* The code for the key, `*bytes` of it, which the caller frees; NULL: there is none. */
void *kept_code_read(const char *folder, const struct code_key *key, size_t *bytes);

/* Keeps it; does nothing if that fails. */
void kept_code_write(const char *folder, const struct code_key *key, const void *code,
                     size_t bytes);

#endif
