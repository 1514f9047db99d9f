/* The input as a file, for readers that take paths. */
#ifndef VESIM_FUZZ_HOSTILE_FILE_H
#define VESIM_FUZZ_HOSTILE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Replaces what is there. */
static inline void hostile_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static inline void require(bool condition)
{
    if (!condition)
        abort();
}

#endif
