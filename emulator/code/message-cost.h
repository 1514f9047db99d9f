/* Messages by what they are for, and what they cost. */
#ifndef VESIM_CODE_MESSAGE_COST_H
#define VESIM_CODE_MESSAGE_COST_H

#include "isa/decode/inst.h"
#include "vesim/code.h"

enum vesim_message message_class(const struct inst *inst);

/* The least that a message costs: its lanes' addresses are side by side, so that they touch the
 * fewest cache lines and banks, and what it loads is in the first level that may hold it. */
struct message_cost {
    uint64_t port_cycles;    /* until its engine may send another */
    double unit_cycles;      /* for which it keeps the load/store unit, or the gateway, busy */
    uint64_t source_latency; /* until its payload may be overwritten */
    uint64_t latency;        /* until its answer is there; of what has none, the same as above */
};

struct message_cost message_cost(const struct inst *inst, const struct vesim_device *device);

#endif
