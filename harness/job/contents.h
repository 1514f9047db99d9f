/* What is in a buffer when the kernel starts, as --buffer says it. */
#ifndef VEBENCH_CONTENTS_H
#define VEBENCH_CONTENTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rule by which memory is filled, or a file. */
struct contents {
    enum contents_rule {
        CONTENTS_ZEROS,
        CONTENTS_IOTA,   /* 0, 1, 2 ..., 32 bits each */
        CONTENTS_RANDOM, /* 32 bits each, below `limit` */
        CONTENTS_FLOAT,  /* single precision, from 0 up to 1 */
        CONTENTS_HALF,   /* the same of half and */
        CONTENTS_DOUBLE, /* of double precision */
        CONTENTS_FILE,
    } rule;
    uint64_t seed;
    uint64_t limit;   /* 2^32: any */
    const char *path; /* of the file; part of the text it was read from */
};

#define CONTENTS_HELP                                                                              \
    "zeros, iota, random:SEED[:LIMIT], float:SEED, half:SEED, double:SEED, or the path of a file"

/* Do they follow a rule, not a file? */
bool contents_is_rule(const char *text);

/* Reads the text of option `name`, such as "--buffer 2=iota". */
enum status contents_read(struct contents *contents, const char *name, const char *text,
                          struct error *error);

/* The text that contents_read() reads them from. Returns its length, as snprintf does. */
int contents_text(const struct contents *contents, char *text, size_t bytes);

/* The size of a file with contents; STATUS_FAILED if it cannot be read or is empty. */
enum status contents_file_bytes(const struct contents *contents, uint64_t *bytes,
                                struct error *error);

/* Fills memory. What a file does not reach is zeros, what does not fit is left out. */
enum status contents_fill(const struct contents *contents, void *memory, size_t bytes,
                          struct error *error);

#endif
