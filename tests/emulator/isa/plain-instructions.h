/* Instructions on registers that the fast path and compiled code execute, and threads for them. */
#ifndef TEST_PLAIN_INSTRUCTIONS_H
#define TEST_PLAIN_INSTRUCTIONS_H

#include "isa/thread/thread.h"
#include "machine.h"

/* Lanes that a thread's accumulators have. */
enum { ACCUMULATORS = sizeof(((struct thread *)NULL)->accumulator) / sizeof(int64_t) };

/* How many there are on the device, and the text of each, until the next is asked for. */
unsigned plain_count(const struct vesim_device *device);
const char *plain_text(const struct vesim_device *device, unsigned number);

/* Flips a few bits of an instruction's encoding: other operations, types, regions, modifiers, masks
 * and widths. */
void plain_flip(uint8_t *code);

/* Random registers, flags, accumulators and active lanes. */
void plain_randomise(struct thread *thread, bool keep_denormals);

#endif
