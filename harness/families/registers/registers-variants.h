/* The variants of family `registers`, for its run and its report. */
#ifndef VEBENCH_REGISTERS_VARIANTS_H
#define VEBENCH_REGISTERS_VARIANTS_H

#include "base/variant.h"

enum registers_kind {
    REGISTERS_SAME, /* few values: a baseline */
    REGISTERS_LIVE,
    REGISTERS_VECTORS, /* live values in vectors of 16 */
    REGISTERS_LARGE,   /* live values with a large register file */
};

/* A kernel's ring of values. */
struct registers_variant {
    enum registers_kind kind;
    unsigned values;  /* alive; 0: as few as the sub-group size suggests */
    unsigned step;    /* value k is updated by value k + step */
    unsigned updates; /* per iteration */
};

enum { REGISTERS_VARIANTS = 15 };

extern const struct variant registers_variants[REGISTERS_VARIANTS];

#endif
