/* The variants of family `atomics`, for its run, its model and its report. */
#ifndef VEBENCH_ATOMICS_VARIANTS_H
#define VEBENCH_ATOMICS_VARIANTS_H

#include "base/variant.h"

enum atomic_kind {
    ATOMIC_LOOP,     /* no atomic: the loop alone */
    ATOMIC_CHAIN,    /* no atomic: operands alone */
    ATOMIC_ADD,      /* returns nothing */
    ATOMIC_FETCH,    /* returns the old value */
    ATOMIC_EXCHANGE, /* compare and exchange */
    ATOMIC_FLOAT,    /* adds 1.0f and -1.0f alternately */
};

struct atomic_variant {
    enum atomic_kind kind;
    unsigned bits; /* of a cell */
    bool local;    /* cells in shared local memory */
};

enum { ATOMICS_VARIANTS = 18 };

extern const struct variant atomics_variants[ATOMICS_VARIANTS];

#endif
