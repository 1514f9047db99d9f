/* The files of a run: rows in the requested format, and every timed launch. */
#ifndef VEBENCH_RUN_FILES_H
#define VEBENCH_RUN_FILES_H

#include "cli/cli.h"
#include "cli/resume.h"
#include "measure/results.h"

struct run_files {
    char default_output[64];
    struct csv results; /* has no rows if the format is a table, which the caller prints there */
    struct csv samples; /* its file is NULL if not asked for */
    bool has_rows;
    struct axis_columns axes; /* of both */
    struct resume resume;     /* of --resume; zero without it */
};

/* Creates both files with their headers, or neither; with --resume, opens those of an earlier run
 * of the same sweep to continue them. `out` is what "-" stands for. */
enum status run_files_create(struct run_files *files, const struct cli *cli, struct sweep *sweep,
                             FILE *out, struct error *error);

/* Completes and closes the files. STATUS_FAILED if anything could not be written. */
enum status run_files_close(struct run_files *files, struct error *error);

#endif
