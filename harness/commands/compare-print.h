/* The output of vebench compare. */
#ifndef VEBENCH_COMPARE_PRINT_H
#define VEBENCH_COMPARE_PRINT_H

#include "cli/cli.h"
#include "compare/compare.h"

/* Prints what changed, slowdowns before speedups and the largest first; with `all` also the rest;
 * then the totals, which CSV, JSON and JSONL leave out. STATUS_FAILED if the output cannot be
 * written. */
enum status compare_print(FILE *out, const struct comparisons *comparisons,
                          const struct compare_options *options, enum cli_format format, bool all,
                          struct error *error);

#endif
