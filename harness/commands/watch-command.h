/* vebench watch: what a compiler has changed of a folder of jobs. */
#ifndef VEBENCH_WATCH_COMMAND_H
#define VEBENCH_WATCH_COMMAND_H

#include "cli/cli.h"

/* Compiles the jobs and holds their machine code against the baseline, which it makes if there is
 * none, or if that is asked for. `*worse`: something is. */
enum status command_watch(const struct cli *cli, FILE *out, bool *worse, struct error *error);

#endif
