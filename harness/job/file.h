/* A job's description in a file: YAML, as docs/your-kernel.md defines it. */
#ifndef VEBENCH_JOB_FILE_H
#define VEBENCH_JOB_FILE_H

#include "job/job.h"

struct job_file {
    struct job_request request;
    char **texts; /* owned: what the request points to */
    size_t text_count;
};

/* Is it such a file, by its name? */
bool job_is_file(const char *path);

/* Reads the file; paths in it are relative to its folder. STATUS_USAGE, naming file and line, for
 * keys that do not exist and values of the wrong kind. Free it whatever the status. */
enum status job_file_read(struct job_file *file, const char *path, struct error *error);
void job_file_free(struct job_file *file);

#endif
