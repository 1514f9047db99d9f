/* The time of a step of one hardware thread from its messages and the lines that they touch,
 * whatever the width, the pattern and the stride. */
#ifndef VEBENCH_MEMORY_STEP_H
#define VEBENCH_MEMORY_STEP_H

#include "model/fit.h"

/* Adds memory.OPERATION.simdN.setB.latency, .per_message and .per_line of
 *
 *     step = latency + per_message m + per_line l
 *
 * or a subset of these, fitted to all rows of one hardware thread that do not spill. */
enum status fit_memory_steps(struct fit *fit);

/* The time of an iteration of the row: one thread's steps or, if longer, the time that the lines of
 * all threads of a core take. False where the model has no such equation. */
bool memory_step_predict(const struct model *model, const struct record *record, double *time);

#endif
