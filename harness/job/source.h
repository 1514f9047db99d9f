/* The source of a kernel as a SPIR-V module. */
#ifndef VEBENCH_SOURCE_H
#define VEBENCH_SOURCE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Is the file OpenCL C, by its name? Anything else is taken for SPIR-V. */
bool source_is_opencl(const char *path);

/* Compiles OpenCL C offline with clang and llvm-spirv, the pair that this program was built with,
 * with SUB_GROUP_SIZE and the `count` definitions "NAME=VALUE". The caller frees `*module`.
 * STATUS_FAILED with the first error of the compiler, or naming the one of the two that is missing.
 */
enum status source_compile(const char *path, const char *const *defines, size_t count,
                           unsigned subgroup_size, void **module, size_t *bytes,
                           struct error *error);

#endif
