/* The banks of shared local memory. */
#ifndef VESIM_BANKS_H
#define VESIM_BANKS_H

#include "isa/message/transfer.h"

/* Cycles for which the fullest of `banks` banks (each one dword wide) is busy with the transfer.
 * `hosts` points into `slm`, the work-group's memory. */
uint32_t banks_busy(const struct transfer *transfer, uint8_t *const *hosts, const uint8_t *slm,
                    uint32_t banks);

#endif
