/* The fast path; see fast.c. */
#ifndef VESIM_FAST_H
#define VESIM_FAST_H

#include "xe/inst.h"

/* The function that executes the instruction the fast way; NULL if it has to go the general way.
 * Two builds of one source; the second needs AVX2 and FMA. */
execute_function fast_select_plain(const struct inst *inst);
execute_function fast_select_avx2(const struct inst *inst);

#endif
