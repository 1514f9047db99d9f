/* The files of a run: rows in the requested format, every timed launch, and counters. */
#ifndef VEBENCH_RUN_FILES_H
#define VEBENCH_RUN_FILES_H

#include "cli/cli.h"
#include "run/resume.h"
#include "sweep/store.h"

#include <limits.h>

struct run_files {
    const char *output;      /* name of the results, "-" for standard output */
    char default_output[64]; /* which may be this one */
    char counters[PATH_MAX];
    char *command; /* owned */
    bool has_rows; /* false if the format is a table, which the caller prints: */
    struct csv table;
    struct store store; /* of a run that has rows, samples or counters */
    bool has_store;
    struct axis_columns axes; /* of all */
    struct resume resume;     /* of --resume; zero without it */
};

/* Chooses the names, and locks the files. `out` is what "-" stands for. The files must be closed if
 * this succeeds. */
enum status run_files_lock(struct run_files *files, const struct cli *cli, FILE *out,
                           struct error *error);

/* Creates all files with their headers, or none; with --resume, opens those of an earlier run
 * of the same sweep to continue them. */
enum status run_files_create(struct run_files *files, const struct cli *cli, struct sweep *sweep,
                             FILE *out, struct error *error);

/* Where a sweep's results go, NULL if nowhere. */
struct store *run_files_store(struct run_files *files);

/* Do results go to standard output? */
bool run_files_on_output(const struct run_files *files);

/* Completes and closes the files. STATUS_FAILED if anything could not be written. */
enum status run_files_close(struct run_files *files, struct error *error);

#endif
