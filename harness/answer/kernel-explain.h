/* Where the time of a job's launch goes, by executing its machine code on the modelled device. */
#ifndef VEBENCH_KERNEL_EXPLAIN_H
#define VEBENCH_KERNEL_EXPLAIN_H

#include "answer/kernel-answer.h"

/* Predicts the launches that are explained. The reason where it cannot be is in each. Fails only
 * when out of memory. */
enum status kernel_explain(struct kernel_answer *answer, const struct answer_settings *settings,
                           struct error *error);

#endif
