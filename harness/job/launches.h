/* The launches of a job: which there are, their work-items, and which of them are timed. */
#ifndef VEBENCH_JOB_LAUNCHES_H
#define VEBENCH_JOB_LAUNCHES_H

#include "job/job.h"

/* Read the launches, their shapes, the sub-group sizes and the tolerance. */
enum status job_read_launches(struct job *job, struct error *error);

/* Words of the launch that computes what a job of several launches is compared with: it has the
 * job's arguments by their names, and the job's work-items, or those of the launch that is timed.
 * Borrows from the job's request. */
void job_reference_launch(const struct job *job, struct job_launch_words *launch);

/* The file of a launch's kernel. */
const char *job_launch_source(const struct job *job, const struct job_launch *launch);

/* Puts before an error where the launch is described, if that is not the whole job. Returns the
 * status. */
enum status job_blame(const struct job_launch *launch, enum status status, struct error *error);

#endif
