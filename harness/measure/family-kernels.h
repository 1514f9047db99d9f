/* The kernels of a family for one sub-group size, on one device. */
#ifndef VEBENCH_FAMILY_KERNELS_H
#define VEBENCH_FAMILY_KERNELS_H

#include "measure/family.h"
#include "measure/measure.h"
#include "measure/spirv-file.h"

#define BUILDS_MAX 4 /* different build_flags in a family */

struct family_kernels {
    const struct spirv_module *spirv; /* embedded, or from a file */
    struct spirv_file file;
    struct {
        const char *flags; /* NULL: none */
        ze_module_handle_t module;
        bool failed;
        char reason[REASON_BYTES];
    } builds[BUILDS_MAX];
    size_t build_count;
    struct kernel kernels[VARIANTS_MAX];
    /* Why a variant cannot be measured in any configuration; OUTCOME_OK for the others. */
    enum outcome outcomes[VARIANTS_MAX];
    char reasons[VARIANTS_MAX][REASON_BYTES];
};

/* Compiles the family's module for `subgroup_size`, or the module in the file `path` where that is
 * not NULL. What cannot be had is in `outcomes`. Fails only where the file cannot be read;
 * `*kernels` is then NULL. */
enum status family_kernels_load(struct family_kernels **kernels, struct session *session,
                                const struct family *family, unsigned subgroup_size,
                                const char *path, struct error *error);
void family_kernels_free(struct family_kernels *kernels, struct session *session,
                         const struct family *family);

#endif
