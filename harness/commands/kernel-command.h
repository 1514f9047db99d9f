/* vebench kernel: a kernel of the user's, measured like a family. */
#ifndef VEBENCH_KERNEL_COMMAND_H
#define VEBENCH_KERNEL_COMMAND_H

#include "run/run-command.h"

/* Compiles, measures, verifies, and prints the answer. Ends early if `*stop` becomes true. */
enum status command_kernel(const struct cli *cli, const struct run_streams *streams,
                           const volatile sig_atomic_t *stop, struct error *error);

#endif
