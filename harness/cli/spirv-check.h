/* What SPIR-V's own validator says of a module. */
#ifndef VEBENCH_SPIRV_CHECK_H
#define VEBENCH_SPIRV_CHECK_H

#include <stdbool.h>
#include <stdio.h>

/* Writes one line to `out` if spirv-val refuses the module: drivers accept more than the standard
 * does, and not all the same. True if it does; false also where there is no spirv-val. */
bool spirv_check(const char *path, FILE *out);

#endif
