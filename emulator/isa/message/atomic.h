/* Atomic operations on memory. */
#ifndef VESIM_ATOMIC_H
#define VESIM_ATOMIC_H

#include "isa/decode/message.h"

/* One atomic operation on `bytes` (2, 4 or 8) of memory at `at`, with up to two operands. Returns
 * the value for the destination: the old one, or the new one for a pre-decrement. */
uint64_t atomic_apply(enum atomic_operation operation, void *at, unsigned bytes, uint64_t operand0,
                      uint64_t operand1);

/* The same, but atomic with respect to every host thread that works on this memory. */
uint64_t atomic_apply_shared(enum atomic_operation operation, void *at, unsigned bytes,
                             uint64_t operand0, uint64_t operand1);

#endif
