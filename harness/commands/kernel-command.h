/* vebench kernel: a kernel of the user's, measured like a family. */
#ifndef VEBENCH_KERNEL_COMMAND_H
#define VEBENCH_KERNEL_COMMAND_H

#include "run/run-command.h"

/* Compiles, measures, verifies, and prints the answer. `ranks` is NULL without --mpi; with it,
 * every rank computes the reference itself, and rank 0 answers. Ends early if `*stop` becomes true.
 */
enum status command_kernel(const struct cli *cli, struct ranks *ranks,
                           const struct run_streams *streams, const volatile sig_atomic_t *stop,
                           struct error *error);

#endif
