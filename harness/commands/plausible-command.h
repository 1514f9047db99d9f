/* vebench plausible: results held against published figures. */
#ifndef VEBENCH_PLAUSIBLE_COMMAND_H
#define VEBENCH_PLAUSIBLE_COMMAND_H

#include "cli/cli.h"

/* Prints a line for each figure that is known of the device. Sets `*out_of_line` if any is. */
enum status command_plausible(const struct cli *cli, FILE *out, bool *out_of_line,
                              struct error *error);

#endif
