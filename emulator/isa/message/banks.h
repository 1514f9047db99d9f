/* The banks of shared local memory, each one dword wide. */
#ifndef VESIM_BANKS_H
#define VESIM_BANKS_H

#include "isa/message/transfer.h"

/* Messages share a cycle if the banks suffice for all of them. An A770 reads rows of 64 bytes at
 * 196 bytes a cycle of an Xe-core, three of them (aboutSHW, opencl/benchmark), so that such a row
 * does not take all banks. No message takes fewer than that row. */
enum { BANKS_LEAST = 16 };

/* What a message takes of the banks. */
struct bank_use {
    uint32_t cycles; /* for which the fullest one is busy */
    uint32_t banks;  /* of 1 cycle: all, or the half, quarter, ... that would take it as long */
};

/* Banks of `banks` that `dwords` dwords in a row take, where they are no more than the banks. */
static inline uint32_t banks_of_row(uint64_t dwords, uint32_t banks)
{
    while (banks % 2 == 0 && banks / 2 >= BANKS_LEAST && banks / 2 >= dwords)
        banks /= 2;
    return banks;
}

/* What a message takes of `banks` banks that accesses so many dwords, up to MAX_LANES, in the order
 * of its lanes. With `share`, those that access the same dword share one read. */
struct bank_use bank_use_of_dwords(const uint32_t *dwords, uint32_t count, uint32_t banks,
                                   bool share);

/* What the transfer takes of `banks` banks. `hosts` points into `slm`, the work-group's memory. */
struct bank_use bank_use_of(const struct transfer *transfer, uint8_t *const *hosts,
                            const uint8_t *slm, uint32_t banks);

#endif
