/* The files of a run: rows in the format asked for, and every timed launch. */
#ifndef VEBENCH_RUN_FILES_H
#define VEBENCH_RUN_FILES_H

#include "cli/cli.h"
#include "cli/resume.h"
#include "measure/results.h"

struct run_files {
    char default_output[64];
    struct csv results; /* no rows where the format is a table, which the caller prints there */
    struct csv samples; /* file NULL: not asked for */
    bool has_rows;
    struct resume resume; /* of --resume; zero without it */
};

/* Creates both, with their headers, or neither; with --resume, opens those of an earlier run of the
 * same sweep to go on with. `out` is what "-" stands for. */
enum status run_files_create(struct run_files *files, const struct cli *cli,
                             const struct sweep *sweep, FILE *out, struct error *error);

/* Ends and closes them. STATUS_FAILED where anything could not be written. */
enum status run_files_close(struct run_files *files, struct error *error);

#endif
