/* vebench run --mpi: how a process learns which rank it is, and gets the
 * socket to its member. */
#ifndef VEBENCH_JOIN_H
#define VEBENCH_JOIN_H

#include "cli/cli.h"
#include "ranks/ranks.h"

/* Fills in the ranks; the first time in a process started by mpirun, executes vebench-mpi in its
 * place, which starts it again. STATUS_FAILED, saying what to do, if there is no vebench-mpi. */
enum status ranks_join(const struct cli *cli, struct ranks *ranks, struct error *error);

#endif
