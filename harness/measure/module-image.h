/* A family's module for one sub-group size, from SPIR-V to machine code. */
#ifndef VEBENCH_MODULE_IMAGE_H
#define VEBENCH_MODULE_IMAGE_H

#include "family/family.h"
#include "spirv/spirv-file.h"
#include "ze/module-build.h"

#define BUILDS_MAX VARIANTS_MAX /* of distinct modules and build_flags in a family */

struct module_image {
    const struct family *family;
    const struct spirv_module *spirv; /* embedded, or from a file */
    struct spirv_file file;
    struct module_build builds[BUILDS_MAX]; /* those used by variants of this size */
    size_t build_count;

    /* Of the same modules with kernels that count their cycles; BUILD_NONE: there is none. */
    struct module_build counting[BUILDS_MAX];
    bool compiled; /* no build is BUILD_NONE */
};

/* Takes the embedded module, or the one in the file `path` if that is not NULL; compiles nothing.
 * Fails if the file cannot be read or the family has too many builds. */
enum status module_image_init(struct module_image *image, const struct family *family,
                              unsigned subgroup_size, const char *path, struct error *error);
void module_image_free(struct module_image *image);

/* The build that has the variant's kernel, or NULL. */
const struct module_build *module_image_build(const struct module_image *image,
                                              const struct variant *variant);

/* The SHA-256 of the module that has it. */
const char *module_image_sha256(const struct module_image *image, const struct variant *variant);

/* Compiles all builds on the session's device. Errors are recorded in the builds. */
void module_image_compile(struct module_image *image, struct session *session);

#endif
