/* Messages: loads and stores of dwords that lie side by side in memory, or are the same one for all
 * lanes, and of blocks move as host vectors; all others are left to the interpreter's functions. */
#ifndef VESIM_COMPILE_MESSAGES_H
#define VESIM_COMPILE_MESSAGES_H

#include "isa/compile/emit.h"

/* Whether a thread that has sent the message goes on, and nobody else has to know of it. */
bool message_is_own(const struct inst *inst);

/* Whether it is a signal to a barrier. */
bool message_is_signal(const struct inst *inst);

/* Translates a message that is the thread's own. Nothing is held afterwards. */
void emit_message(struct emitter *e, const struct inst *inst);

#endif
