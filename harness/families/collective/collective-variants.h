/* The variants of family `collective`, for its run, its model and its report. */
#ifndef VEBENCH_COLLECTIVE_VARIANTS_H
#define VEBENCH_COLLECTIVE_VARIANTS_H

#include "families/chain/chain-variants.h"

enum collective_kind {
    COLLECTIVE_NONE,
    COLLECTIVE_REDUCE,
    COLLECTIVE_INCLUSIVE,
    COLLECTIVE_EXCLUSIVE
};

enum collective_operation { OPERATION_ADD, OPERATION_MIN, OPERATION_MAX };

struct collective {
    enum collective_kind kind;
    enum collective_operation operation;
    unsigned bits; /* of an unsigned integer, or FLOAT_BITS */
};

#define FLOAT_BITS 0

struct collective_variant {
    struct chain_variant chain;
    struct collective collective;
};

enum { COLLECTIVE_VARIANTS = 39 };

extern const struct variant collective_variants[COLLECTIVE_VARIANTS];

#endif
