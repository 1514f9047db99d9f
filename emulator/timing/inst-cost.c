#include "timing/inst-cost.h"

void inst_set_cost(struct inst *inst, const struct device *device)
{
    uint64_t width = device->lanes_32bit, latency = device->fpu_latency;
    if (inst->pipe == PIPE_MATH) {
        width = device->math_lanes;
        latency = device->math_latency;
    } else if (inst->pipe == PIPE_LONG) {
        width = device->long_lanes;
    }
    /* The published latencies are those of 8 lanes; each cycle that more lanes take adds one. */
    uint64_t lanes = inst->is_flow || inst->pipe >= PIPE_SEND ? 1 : inst->lanes;
    uint64_t cycles = (lanes + width - 1) / width, published = (7 + width) / width;
    inst->occupancy = (uint8_t)cycles;
    inst->latency =
        (uint16_t)(latency + (cycles > published ? (cycles - published) * device->wide_step : 0));
    if (inst->pipe == PIPE_SYSTOLIC) { /* a row of the result follows the other */
        inst->occupancy = (uint8_t)(inst->systolic_repeat * device->systolic_interval);
        inst->latency = (uint16_t)(device->systolic_latency + inst->systolic_repeat - 1u);
    }
}
