/* What vebench kernel says of the rows that it has measured. */
#ifndef VEBENCH_KERNEL_ANSWER_H
#define VEBENCH_KERNEL_ANSWER_H

#include "base/unit.h"
#include "job/job.h"

#include <stdio.h>

/* Reads the job's rows and prints the verdict, the launches from the best to the worst, what failed
 * and why, and the machine code of the two best and the worst for `target`, a name that
 * isa_target_open() takes. */
enum status kernel_answer(FILE *out, const char *path, const struct job *job, const char *target,
                          enum time_unit unit, struct error *error);

#endif
