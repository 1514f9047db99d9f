/* Checks SPIR-V before the driver sees it. On some broken modules the driver's compiler ends the
 * process, and it takes others for empty, so it must never see an unchecked one. */
#ifndef VEBENCH_SPIRV_FILE_H
#define VEBENCH_SPIRV_FILE_H

#include "base/error.h"
#include "sha256-hex.h"
#include "spirv-modules.h"

/* A module that replaces an embedded one. */
struct spirv_file {
    unsigned char *bytes; /* owned */
    char sha256[SHA256_HEX_BYTES];
    struct spirv_module module; /* like the embedded one, but with these bytes */
    char objection[300]; /* what SPIRV-Tools refuses in a module whose parts can be read; or "" */
};

/* Reads and validates `path` as a replacement for `replaced`; NULL: replaces none. STATUS_FAILED,
 * naming the file and the defect. */
enum status spirv_file_load(struct spirv_file *file, const char *path,
                            const struct spirv_module *replaced, struct error *error);
/* The same, but takes a module with an objection: compilers accept some of them. */
enum status spirv_file_read(struct spirv_file *file, const char *path, struct error *error);

void spirv_file_free(struct spirv_file *file);

/* Is an embedded module intact? Checks size, magic number and hash. */
enum status spirv_module_check(const struct spirv_module *module, struct error *error);

#endif
