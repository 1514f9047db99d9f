/* Host reference for the kernels of family `collective`. */
#ifndef VEBENCH_COLLECTIVE_REFERENCE_H
#define VEBENCH_COLLECTIVE_REFERENCE_H

#include "families/chain.h"

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

/* Replaces each lane's x by its value after the iterations: integers zero-extended, floats as their
 * 32 bits. One sub-group of `lanes` lanes, at most CHAIN_LANES_MAX. Float sums are computed in
 * double precision, so a device's results differ by rounding. */
void collective_reference(const struct collective *collective, unsigned lanes, uint32_t iterations,
                          struct chain_lane *lane);

#endif
