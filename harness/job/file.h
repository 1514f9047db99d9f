/* A job's description in a file: YAML, as docs/your-kernel.md defines it. */
#ifndef VEBENCH_JOB_FILE_H
#define VEBENCH_JOB_FILE_H

#include "job/job.h"

struct job_file {
    struct job_request request;
    struct job_launch_words launches[JOB_LAUNCHES_MAX]; /* what the request points to */
    char **texts;                                       /* owned: what the request points to */
    size_t text_count;
};

/* What a key belongs to. */
enum job_key_owner { JOB_KEYS, JOB_LAUNCH_KEYS, JOB_MEMORY_KEYS, JOB_KEY_OWNERS };

/* The keys that a job, a launch of several, or memory among its arguments can have. */
const char *const *job_file_keys(enum job_key_owner owner, size_t *count);

/* Is it such a file, by its name? */
bool job_is_file(const char *path);

/* Reads the file; paths in it are relative to its folder. STATUS_USAGE, naming file and line, for
 * keys that do not exist and values of the wrong kind. Free it whatever the status. */
enum status job_file_read(struct job_file *file, const char *path, struct error *error);
void job_file_free(struct job_file *file);

#endif
