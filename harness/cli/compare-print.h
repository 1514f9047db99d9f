/* What vebench compare says. */
#ifndef VEBENCH_COMPARE_PRINT_H
#define VEBENCH_COMPARE_PRINT_H

#include "cli/cli.h"
#include "model/compare.h"

/* What changed, the largest change first, what became slower before what became faster; with `all`
 * the rest as well; and the totals, which CSV, JSON and JSONL do without. STATUS_FAILED where it
 * cannot be written. */
enum status compare_print(FILE *out, const struct comparisons *comparisons,
                          const struct compare_options *options, enum cli_format format, bool all,
                          struct error *error);

#endif
