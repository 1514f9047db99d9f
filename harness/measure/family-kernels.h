/* The kernels of a family for one sub-group size, on one device. */
#ifndef VEBENCH_FAMILY_KERNELS_H
#define VEBENCH_FAMILY_KERNELS_H

#include "measure/measure.h"
#include "measure/module-image.h"

struct family_kernels {
    const struct module_image *image; /* borrowed */
    ze_module_handle_t modules[BUILDS_MAX];
    ze_module_handle_t counting[BUILDS_MAX]; /* of kernels that count their cycles */
    struct kernel kernels[VARIANTS_MAX];
    /* Why a variant cannot be measured in any configuration; OUTCOME_OK otherwise. */
    enum row_outcome outcomes[VARIANTS_MAX];
    char reasons[VARIANTS_MAX][REASON_BYTES];
};

/* Loads the image, which must outlive the kernels. Failures of single variants are in `outcomes`.
 * NULL: out of memory. */
struct family_kernels *family_kernels_load(const struct module_image *image,
                                           struct session *session);
void family_kernels_free(struct family_kernels *kernels, struct session *session);

#endif
