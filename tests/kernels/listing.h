/* Machine code of one kernel as the Xe disassembler prints it, in a form that can be compared. */
#ifndef TESTS_KERNELS_LISTING_H
#define TESTS_KERNELS_LISTING_H

#include <stddef.h>

enum access {
    ACCESS_NONE,
    ACCESS_SLM_READ,
    ACCESS_SLM_WRITE,
    ACCESS_GLOBAL_READ,
    ACCESS_GLOBAL_WRITE,
    ACCESS_SLM_FENCE,
    ACCESS_GLOBAL_FENCE,
    ACCESS_SIGNAL_BARRIER,
    ACCESS_COUNT
};

struct instruction {
    char *text;  /* without register and flag numbers, jump targets, scoreboard annotations */
    long label;  /* number of a label which stands before the instruction, or -1 */
    long target; /* last number of a label named as a jump target, or -1 */
    enum access access;
};

struct listing {
    struct instruction *instructions;
    size_t count;
};

/* Returns 0, or -1 with a line on stderr. listing_free() is right in both cases. */
int listing_load(struct listing *listing, const char *path);
void listing_free(struct listing *listing);

/*
 * The instructions from the first target of a backward jump to the last backward jump: the loop of
 * a kernel which has one. Returns 0, or -1 if there is none.
 */
int listing_loop(const struct listing *listing, size_t *first, size_t *last);

#endif
