/* The fast path of messages; see fast-message.c. */
#ifndef VESIM_FAST_MESSAGE_H
#define VESIM_FAST_MESSAGE_H

#include "isa/decode/inst.h"

/* The function that executes the send on the fast path; NULL if it needs the general one. Two
 * builds of one source; the second needs AVX2. */
execute_function fast_message_select_plain(const struct inst *inst);
execute_function fast_message_select_avx2(const struct inst *inst);

#endif
