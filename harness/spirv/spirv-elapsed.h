/* A module whose kernels count the cycles that they take: the clock of a kernel is then observed in
 * the kernel itself. */
#ifndef VEBENCH_SPIRV_ELAPSED_H
#define VEBENCH_SPIRV_ELAPSED_H

#include <stdbool.h>
#include <stddef.h>

/* The module's variable, 32 bits of global memory, for zeModuleGetGlobalPointer(). */
#define SPIRV_ELAPSED_NAME "vebench_elapsed_cycles"

/* Shall the kernel count? */
typedef bool spirv_wanted(const char *entry_point, const void *context);

/* A copy of the module in which each wanted kernel raises the variable to the cycles from its first
 * instruction to its last, of the hardware thread that takes the most: each thread reads the vector
 * engine's timestamp register twice, and does one atomic at its end. A thread may take up to 2^32
 * cycles. Needs a compiler that gives access to the register (intel_get_cycle_counter). The module
 * is one that spirv_file_read() has taken; functions other than the entry points are as they were.
 *
 * The caller frees the copy, `*copy_bytes` long. NULL: out of memory, or no kernel is wanted. */
void *spirv_count_elapsed(const void *bytes, size_t size, spirv_wanted *wanted, const void *context,
                          size_t *copy_bytes);

#endif
