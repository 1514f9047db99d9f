/* The banks of a thread's register file. Where they are and what they cost is what Intel's compiler
 * allocates registers by: intel-graphics-compiler, visa/G4_BB.cpp (getConflictTimesForTGL) and
 * HWCaps.inc. */
#ifndef VESIM_REGISTER_BANKS_H
#define VESIM_REGISTER_BANKS_H

#include "vesim/vesim.h"

/* Cycles by which reading so many different registers at once, three at the most, takes longer than
 * reading one: one for each that shares bank and bundle with another or, if none does, one if all
 * three are in one bank. */
unsigned register_bank_conflicts(const struct vesim_device *device, const unsigned *registers,
                                 unsigned count);

#endif
