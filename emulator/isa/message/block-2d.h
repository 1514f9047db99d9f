/* Moves the elements of 2-D blocks, once their rows have been found in memory. */
#ifndef VESIM_BLOCK_2D_H
#define VESIM_BLOCK_2D_H

#include "isa/message/transfer.h"

/* Register bytes that all blocks take. */
static inline uint32_t block_2d_bytes(const struct block_2d *block)
{
    return (uint32_t)block->blocks * block->block_bytes;
}

/* The same as transfer_move() and transfer_visit() of a transfer of form TRANSFER_ROWS, with
 * `registers` from its destination on. A load sets to zero what no element is for: those out of
 * bounds, and the padding. */
void block_2d_move(const struct transfer *transfer, uint8_t *const *hosts, const uint8_t *payload,
                   uint8_t *registers);
void block_2d_visit(const struct transfer *transfer, uint8_t *const *hosts,
                    transfer_visitor visitor, void *context);

#endif
