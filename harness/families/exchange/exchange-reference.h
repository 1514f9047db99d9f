/* Host reference for the kernels of family `exchange`. */
#ifndef VEBENCH_EXCHANGE_REFERENCE_H
#define VEBENCH_EXCHANGE_REFERENCE_H

#include "families/chain/chain.h"
#include "families/exchange/exchange-variants.h"

/* Replaces each lane's x by its value after the iterations, zero-extended. One sub-group of `lanes`
 * lanes (a power of two, 4 to CHAIN_LANES_MAX) with values of `bits` bits. `source` is the lane
 * that each lane shuffles from. */
void exchange_reference(enum movement movement, unsigned bits, unsigned lanes, uint32_t iterations,
                        const uint32_t *source, struct chain_lane *lane);

#endif
