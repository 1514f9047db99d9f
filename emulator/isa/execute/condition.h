/* Condition modifiers: what the flags say about a comparison, or about a result against zero. */
#ifndef VESIM_CONDITION_H
#define VESIM_CONDITION_H

#include "isa/thread/thread.h"

/* The lanes in which a[lane] and b[lane] meet the condition. NaN is unordered. */
uint32_t condition_compare_i64(enum condition condition, const int64_t *a, const int64_t *b,
                               unsigned lanes, bool is_unsigned);
uint32_t condition_compare_f64(enum condition condition, const double *a, const double *b,
                               unsigned lanes);

/* The lanes whose value, compared with zero, meets the condition. */
uint32_t condition_sign_i64(enum condition condition, const int64_t *value, unsigned lanes);
uint32_t condition_sign_f64(enum condition condition, const double *value, unsigned lanes);

/* Sets the flags of the lanes in `mask`, if the instruction has a condition: by what the
 * destination holds of the results, clamped or cut to its type, compared with zero (PRM volume 7,
 * "Assigning Conditional Flags": zero is judged after clamping and conversion; compilers rely on
 * the same of the sign when they let an instruction do the work of a cmp that follows it). An
 * overflow's (.o) is left to what computed the result. */
void condition_flags_i64(struct thread *thread, const struct inst *inst, const int64_t *result,
                         uint32_t mask);
void condition_flags_f64(struct thread *thread, const struct inst *inst, const double *result,
                         uint32_t mask);

#endif
