/* What an instruction costs in its pipe. */
#ifndef VESIM_INST_COST_H
#define VESIM_INST_COST_H

#include "isa/decode/inst.h"
#include "vesim/vesim.h"

/* Sets the instruction's occupancy and latency by the figures of the device. */
void inst_set_cost(struct inst *inst, const struct vesim_device *device);

#endif
