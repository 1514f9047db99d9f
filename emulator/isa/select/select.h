/* Which function executes an instruction. */
#ifndef VESIM_SELECT_H
#define VESIM_SELECT_H

#include "isa/decode/inst.h"
#include "vesim/vesim.h"

/* Sets the instruction's `execute` and `general`, neither ever NULL: what the model does not know
 * gets a function that faults. */
void inst_select(struct inst *inst, enum vesim_lanes lanes);

#endif
