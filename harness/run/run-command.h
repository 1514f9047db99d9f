/* vebench run: a sweep with its files, its progress and its table. */
#ifndef VEBENCH_RUN_COMMAND_H
#define VEBENCH_RUN_COMMAND_H

#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sweep/sweep.h"

#include <signal.h>

struct run_streams {
    FILE *results;  /* the results themselves */
    FILE *messages; /* device and progress */
};

/* `ranks` is NULL without --mpi. Ends early if `*stop` becomes true. */
enum status command_run(const struct cli *cli, struct ranks *ranks,
                        const struct run_streams *streams, const volatile sig_atomic_t *stop,
                        struct error *error);

/* Measures what a complete request asks for, with the files of `cli`. */
enum status run_request(const struct cli *cli, struct sweep_request *request,
                        const struct run_streams *streams, struct error *error);

/* For what ends before run_request(), or fails in it: says so to the other ranks, unless `ranks` is
 * NULL or they know. The status that all end with. */
enum status run_refuse(struct ranks *ranks, struct error *error);

/* The Level Zero loader that the environment names, or NULL. */
const char *run_loader(void);

#endif
