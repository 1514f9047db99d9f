/* Intel's compiler as a library (libocloc, which comes with the driver), loaded on demand. */
#ifndef VEBENCH_COMPILER_H
#define VEBENCH_COMPILER_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct compiled {
    uint8_t *bytes; /* owned; a device binary, see zebin.h */
    size_t size;
};

/* Compiles SPIR-V for the device, given by the compiler's name ("dg2", "tgllp") or PCI id
 * ("0x56a5"). `options` are the driver's build options, or NULL. STATUS_FAILED with the compiler's
 * messages where compilation fails, and with what to install where there is no compiler. */
enum status compiler_compile(const void *spirv, size_t bytes, const char *device,
                             const char *options, struct compiled *compiled, struct error *error);
void compiled_free(struct compiled *compiled);

#endif
