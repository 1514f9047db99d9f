/* What the files of integer instructions share. */
#ifndef VESIM_INTEGER_H
#define VESIM_INTEGER_H

#include "xe/thread.h"

/* The lanes of `value` for which the condition holds against zero. */
uint32_t integer_condition(enum condition condition, const int64_t *value, unsigned lanes);

/* Stores results of 32 bits or fewer, with the flags and the accumulator as the instruction says.
 */
int store_integer_u32(struct thread *thread, const struct inst *inst, const uint32_t *result);

/* No operand is wider than 32 bits, and nothing is clamped. */
bool integer_is_narrow(const struct inst *inst);

#endif
