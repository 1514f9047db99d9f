/* The words of a job's description: arguments, contents of buffers. */
#ifndef VEBENCH_JOB_WORDS_H
#define VEBENCH_JOB_WORDS_H

#include "job/job.h"

/* Read the arguments, once the kernels' are known. */
enum status job_read_arguments(struct job *job, struct error *error);

#endif
