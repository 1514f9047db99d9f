/* Shared by the files of integer instructions. */
#ifndef VESIM_INTEGER_H
#define VESIM_INTEGER_H

#include "isa/thread/thread.h"

/* Stores results of 32 bits or fewer, with the flags and the accumulator as the instruction says.
 */
int store_integer_u32(struct thread *thread, const struct inst *inst, const uint32_t *result);

/* The same for results of any width, which an accumulator holds in full. */
int store_integer_i64(struct thread *thread, const struct inst *inst, const int64_t *result);

/* Moves, sums and products that saturate or set their flag on overflow. */
int execute_wide(struct thread *thread, const struct inst *inst);

/* Wraps the results to their type in `value`, and finds their flags. */
void integer_flags_u32(struct thread *thread, const struct inst *inst, const uint32_t *result,
                       uint32_t mask, int64_t *value);

/* Sets the accumulator's lanes in `mask`, at full width, from lane `first` of acc0. */
void accumulator_write(struct thread *thread, const struct inst *inst, unsigned first,
                       const int64_t *value, uint32_t mask);

/* The integer instructions of wide.c; NULL if it is none. */
execute_function wide_select(const struct inst *inst);

/* Whether no operand is wider than 32 bits and nothing saturates. */
bool integer_is_narrow(const struct inst *inst);

#endif
