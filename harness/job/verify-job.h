/* What a job's kernel must leave in memory. */
#ifndef VEBENCH_VERIFY_JOB_H
#define VEBENCH_VERIFY_JOB_H

#include "job/job.h"

/* A family's prepare(): the contents that the job says, between guards. */
enum status job_prepare(struct workspace *workspace, const struct configuration *configuration,
                        struct error *error);

/* A family's verify(): nothing is written beyond the buffers, and every output is what is expected
 * of it, or what the reference has computed. In the job that records it becomes the reference. */
enum status job_verify(struct workspace *workspace, const struct launch *launch,
                       struct error *error);

/* Frees the reference if the job owns it. */
void job_forget_reference(struct job *job);

#endif
