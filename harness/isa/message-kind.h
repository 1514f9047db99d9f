/* Messages as the audit counts them, and what they cost. */
#ifndef VEBENCH_ISA_MESSAGE_KIND_H
#define VEBENCH_ISA_MESSAGE_KIND_H

#include "isa/audit.h"
#include "isa/decode/inst.h"
#include "vesim/vesim.h"

enum isa_message isa_message_kind(const struct inst *inst);

/* The least that a message costs: its lanes' addresses are side by side, so that they touch the
 * fewest cache lines and banks, and what it loads is in the first level that may hold it. */
struct isa_message_cost {
    uint64_t port_cycles;    /* until its engine may send another */
    uint64_t unit_cycles;    /* for which it keeps the load/store unit, or the gateway, busy */
    uint64_t source_latency; /* until its payload may be overwritten */
    uint64_t latency;        /* until its answer is there; of what has none, the same as above */
};

struct isa_message_cost isa_message_cost(const struct inst *inst,
                                         const struct vesim_device *device);

#endif
