/* vebench fleet: which GPUs are slower than their peers, and in which figure. */
#ifndef VEBENCH_FLEET_COMMAND_H
#define VEBENCH_FLEET_COMMAND_H

#include "cli/cli.h"

/* Prints the slow GPUs with their slowest figures, with --all every figure. Sets `*slower` if there
 * are any. */
enum status command_fleet(const struct cli *cli, FILE *out, bool *slower, struct error *error);

#endif
