/* vebench bench: sweep, fit, page and findings in one command. */
#ifndef VEBENCH_BENCH_COMMAND_H
#define VEBENCH_BENCH_COMMAND_H

#include "run/run-command.h"

/* Leaves results.csv, model.json, fit.txt and report/ in the requested folder, or in results/<UTC
 * time>. STATUS_FAILED if a row failed or a file could not be made; whatever could be made is still
 * written and reported. */
enum status command_bench(const struct cli *cli, const struct run_streams *streams,
                          const volatile sig_atomic_t *stop, struct error *error);

#endif
