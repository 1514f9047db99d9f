/* Loads and stores of a dword for each lane. */
#ifndef VESIM_COMPILE_LANE_MESSAGES_H
#define VESIM_COMPILE_LANE_MESSAGES_H

#include "isa/compile/emit.h"

/* Whether vectors can move it. */
bool message_moves_lanes(const struct inst *inst);

void emit_lane_message(struct emitter *e, const struct inst *inst);

#endif
