/* Instructions on registers that the fast path and compiled code execute, and threads for them. */
#ifndef TEST_PLAIN_INSTRUCTIONS_H
#define TEST_PLAIN_INSTRUCTIONS_H

#include "isa/thread/thread.h"
#include "machine.h"

/* How many there are on the device, and the text of each. */
unsigned plain_count(const struct vesim_device *device);
const char *plain_text(unsigned number);

/* Flips a few bits of an instruction's encoding: other operations, types, regions, modifiers, masks
 * and widths. */
void plain_flip(uint8_t *code);

/* Random registers, flags, accumulators and active lanes. */
void plain_randomise(struct thread *thread, bool keep_denormals);

#endif
