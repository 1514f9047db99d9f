/* Shell completion for vebench, from the tables of options.c and the registry. */
#ifndef VEBENCH_COMPLETION_H
#define VEBENCH_COMPLETION_H

#include "cli/cli.h"

/* Writes the script for `shell`: bash, zsh or fish. STATUS_USAGE for any other. */
enum status completion_write(FILE *out, const char *shell, struct error *error);

#endif
