/* The words of a job's description: shapes of launches, arguments, contents of buffers. */
#ifndef VEBENCH_JOB_WORDS_H
#define VEBENCH_JOB_WORDS_H

#include "job/job.h"

/* Read the shapes, the sub-group sizes and the tolerance. */
enum status job_read_launches(struct job *job, struct error *error);

/* Read the arguments, once the kernel's are known. */
enum status job_read_arguments(struct job *job, struct error *error);

#endif
