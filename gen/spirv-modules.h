/*
 * The SPIR-V modules that are part of the program: one for each kernel family and sub-group size.
 *
 * The table is generated at build time by embed-spirv from spirv_kernels/. Every module in it has
 * passed SPIRV-Tools' validator for the Level Zero driver's environment, so a driver which refuses
 * one has a reason of its own.
 */
#ifndef GEN_SPIRV_MODULES_H
#define GEN_SPIRV_MODULES_H

#include <stddef.h>

struct spirv_module {
    const char *family;         /* name of the file in spirv_kernels/, without ".cl" */
    unsigned subgroup_size;     /* work-items; entry points require exactly this size, or, where
                                   their names end in _any_size, none */
    const unsigned char *bytes; /* host-endian words, aligned for uint32_t */
    size_t size_bytes;          /* a multiple of 4 */
    const char *const *entry_points;
    size_t entry_point_count;
    unsigned version_major; /* SPIR-V version in the module's header */
    unsigned version_minor;
    const char *sha256; /* of the bytes, 64 lower-case hexadecimal digits */
    const char *defect; /* why there are no bytes: a compiler's words; NULL: there are */
};

/* In the order of the list of families, sizes ascending in each. Static storage, never freed. */
extern const struct spirv_module spirv_modules[];
extern const size_t spirv_module_count;

#endif
