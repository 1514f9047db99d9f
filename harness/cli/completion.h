/* Completion of vebench's words by shells, from the tables of options.c and the registry. */
#ifndef VEBENCH_COMPLETION_H
#define VEBENCH_COMPLETION_H

#include "cli/cli.h"

/* Writes the script that `shell`, bash, zsh or fish, reads. STATUS_USAGE for another one. */
enum status completion_write(FILE *out, const char *shell, struct error *error);

#endif
