/* What an instruction costs in its pipe. */
#ifndef VESIM_INST_COST_H
#define VESIM_INST_COST_H

#include "isa/decode/inst.h"
#include "vesim/vesim.h"

/* The cycles of its occupancy in which it waits for operands of one register bank. */
unsigned inst_bank_cycles(const struct inst *inst, const struct vesim_device *device);

/* Sets the instruction's occupancy and latency from the device's figures. */
void inst_set_cost(struct inst *inst, const struct vesim_device *device);

#endif
