/* Host reference for the kernels of family `collective`. */
#ifndef VEBENCH_COLLECTIVE_REFERENCE_H
#define VEBENCH_COLLECTIVE_REFERENCE_H

#include "families/chain/chain.h"
#include "families/collective/collective-variants.h"

/* Replaces each lane's x by its value after the iterations: integers zero-extended, floats as their
 * 32 bits. One sub-group of `lanes` lanes, at most CHAIN_LANES_MAX. Float sums are computed in
 * double precision, so a device's results differ by rounding. */
void collective_reference(const struct collective *collective, unsigned lanes, uint32_t iterations,
                          struct chain_lane *lane);

#endif
