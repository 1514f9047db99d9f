/* Runs a job of host-jobs.h by `vebench kernel` on an emulated device. */
#ifndef TESTS_ACCURACY_RUN_JOB_H
#define TESTS_ACCURACY_RUN_JOB_H

#include "host-jobs.h"

/* Where descriptions of devices and the jobs' files are. */
struct run_folders {
    const char *devices, *jobs;
};

/*
 * The rate of a launch of this size, at so many lanes, in the job's unit, caches warm; what it
 * computes is what the host does. The device is MODEL.device with `changes` of its figures, as
 * NAME=VALUE UNIT, with commas between them. NAN, with lines on stderr, if it could not be run or
 * computes something else. Uses files in the working directory.
 */
double run_job(const struct run_folders *folders, const struct host_job *job, const char *model,
               const char *changes, unsigned lanes, unsigned size);

#endif
