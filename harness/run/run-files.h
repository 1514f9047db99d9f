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
    char folder[PATH_MAX];            /* of the results, without a / at its end */
    char node[STORE_PARTS][PATH_MAX]; /* in folders, of this machine */
    char *command;                    /* owned */
    bool has_rows;                    /* false if the format is a table, which the caller prints: */
    struct csv table;
    struct store store; /* of a run that has rows, samples or counters */
    bool has_store;
    struct axis_columns axes; /* of all */
    struct resume resume;     /* of --resume; zero without it */
};

/* Chooses the names, and locks the files. With `ranks` the member of this one has them; if another
 * machine has the name of this one, its files have the rank in their names. `out` is what "-"
 * stands for. The files must be closed if this succeeds. */
enum status run_files_lock(struct run_files *files, const struct cli *cli, struct ranks *ranks,
                           bool shares_name, FILE *out, struct error *error);

/* With --mpi: do results go to a folder, a file for each machine? */
bool run_files_in_folder(const struct cli *cli);

/* Of the name of this machine's file, to find out whether another has the same. */
uint64_t run_files_node_key(void);

/* Creates all files with their headers, or none; with --resume, opens those of an earlier run
 * of the same sweep to continue them. */
enum status run_files_create(struct run_files *files, const struct cli *cli, struct sweep *sweep,
                             struct ranks *ranks, FILE *out, struct error *error);

/* Where a sweep's results go, NULL if nowhere. */
struct store *run_files_store(struct run_files *files);

/* Do results go to standard output? */
bool run_files_on_output(const struct run_files *files);

/* Completes and closes the files. STATUS_FAILED if anything could not be written. */
enum status run_files_close(struct run_files *files, struct error *error);

#endif
