/* vebench watch: what a compiler has changed of a folder of jobs. */
#ifndef VEBENCH_WATCH_COMMAND_H
#define VEBENCH_WATCH_COMMAND_H

#include "cli/cli.h"

#include <signal.h>

/* Compiles the jobs, measures them if that is asked for, and holds what they are against the
 * baseline, which it makes if there is none, or if that is asked for; or what two drivers make of
 * them against each other. `*worse`: something is. Ends early if `*stop` becomes true. */
enum status command_watch(const struct cli *cli, FILE *out, bool *worse,
                          const volatile sig_atomic_t *stop, struct error *error);

#endif
