/* The files of a run: rows in the requested format, every timed launch, and counters. */
#ifndef VEBENCH_RUN_FILES_H
#define VEBENCH_RUN_FILES_H

#include "cli/cli.h"
#include "cli/resume.h"
#include "measure/results.h"

struct run_files {
    char default_output[64];
    struct csv results; /* has no rows if the format is a table, which the caller prints there */
    struct csv samples, counters; /* their files are NULL if not asked for */
    bool has_rows;
    struct axis_columns axes; /* of all */
    struct resume resume;     /* of --resume; zero without it */
};

/* Creates all files with their headers, or none; with --resume, opens those of an earlier run
 * of the same sweep to continue them. `out` is what "-" stands for. */
enum status run_files_create(struct run_files *files, const struct cli *cli, struct sweep *sweep,
                             FILE *out, struct error *error);

/* Completes and closes the files. STATUS_FAILED if anything could not be written. */
enum status run_files_close(struct run_files *files, struct error *error);

#endif
