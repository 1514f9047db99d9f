/* Intel's offline compiler and disassembler, run as programs. */
#ifndef TESTS_KERNELS_COMPILE_H
#define TESTS_KERNELS_COMPILE_H

#include "spirv-modules.h"

/*
 * Compiles the module for ocloc's device `device` into `directory`/module.bin. The directory is
 * created. Returns 0, or -1 after showing the tool's output on stderr.
 */
int compile_binary(const struct spirv_module *module, const char *device, const char *directory);

/*
 * Compiles the module for ocloc's device `device` and disassembles all of its kernels into
 * `directory`/listings/NAME_KernelHeap.asm, the disassembler run for `disassembly_device`. Both
 * directories are created. Returns 0, or -1 after showing the tool's output on stderr.
 */
int compile_listings(const struct spirv_module *module, const char *device,
                     const char *disassembly_device, const char *directory);

#endif
