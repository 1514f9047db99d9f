/* vebench bench: sweep, fit, page and findings in one. */
#ifndef VEBENCH_BENCH_COMMAND_H
#define VEBENCH_BENCH_COMMAND_H

#include "cli/run-command.h"

/* Leaves results.csv, model.json, fit.txt and report/ in the folder that is asked for, or in
 * results/<UTC time>. STATUS_FAILED where a row failed or something could not be made: what could
 * be is there, and said, all the same. */
enum status command_bench(const struct cli *cli, const struct run_streams *streams,
                          const volatile sig_atomic_t *stop, struct error *error);

#endif
