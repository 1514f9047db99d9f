/* Which function executes an instruction. */
#ifndef VESIM_SELECT_H
#define VESIM_SELECT_H

#include "isa/decode/inst.h"

/* What the host executes the lanes of an instruction with. All give the same bits. */
enum host_lanes {
    HOST_LANES_BEST,    /* vectors of the widest kind that this host has */
    HOST_LANES_PLAIN,   /* vectors that any host has */
    HOST_LANES_GENERAL, /* one lane after the other */
};

/* Sets the instruction's `execute` and `general`, neither ever NULL: what the model does not know
 * gets a function that faults. */
void inst_select(struct inst *inst, enum host_lanes lanes);

#endif
