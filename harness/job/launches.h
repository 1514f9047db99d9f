/* The launches of a job: which there are, their work-items, and which of them are timed. */
#ifndef VEBENCH_JOB_LAUNCHES_H
#define VEBENCH_JOB_LAUNCHES_H

#include "job/job.h"

/* Read the launches, their shapes, the sub-group sizes and the tolerance. */
enum status job_read_launches(struct job *job, struct error *error);

/* The file of a launch's kernel. */
const char *job_launch_source(const struct job *job, const struct job_launch *launch);

/* Puts before an error where the launch is described, if that is not the whole job. Returns the
 * status. */
enum status job_blame(const struct job_launch *launch, enum status status, struct error *error);

#endif
