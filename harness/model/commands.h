/* The commands of vebench that work on files alone: fit and check. */
#ifndef VEBENCH_COMMANDS_H
#define VEBENCH_COMMANDS_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Fits a model to the results files, prints it to `out`, and writes it to `output`. */
enum status command_fit(const char *const *files, size_t count, const char *output, uint64_t seed,
                        FILE *out, struct error *error);

/* Compares predictions of a model with results. `*exceeded`: the median error is above
 * `threshold`. STATUS_FAILED also where no row can be predicted. */
enum status command_check(const char *model_path, const char *const *files, size_t count,
                          double threshold, FILE *out, bool *exceeded, struct error *error);

#endif
