/* The variants of a job and the modules that have their kernels. */
#ifndef VEBENCH_JOB_MODULES_H
#define VEBENCH_JOB_MODULES_H

#include "job/job.h"

/* Every combination of definitions, options, register files and, where two have equally many
 * work-items, shapes of work-groups. */
enum status job_make_variants(struct job *job, struct error *error);

/* Compiles the source, or reads the module, for every sub-group size, and reads what the kernel is.
 */
enum status job_make_modules(struct job *job, struct error *error);

void job_free_modules(struct job *job);

/* Work-items of a work-group. */
unsigned job_shape_items(const struct job_shape *shape);

#endif
