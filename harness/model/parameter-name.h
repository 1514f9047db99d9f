/* Names of parameters: FAMILY.VARIANT.simdN of the rows of a variant and sub-group size, or, where
 * several parameters are fitted to these, FAMILY.VARIANT.simdN.TERM. Formed and taken apart here.
 */
#ifndef VEBENCH_PARAMETER_NAME_H
#define VEBENCH_PARAMETER_NAME_H

#include "model/model.h"

#include <stdbool.h>

#define VARIANT_NAME_BYTES 64

/* FAMILY.VARIANT.simdN into `name`, which has MODEL_NAME_BYTES. Longer names than ours are cut. */
void parameter_name(char *name, const char *family, const char *variant, unsigned subgroup_size);

/* The parameter of these rows, TERM or, where that is empty, the only one; NULL: there is none. */
const struct parameter *parameter_find(const struct model *model, const char *family,
                                       const char *variant, unsigned subgroup_size,
                                       const char *term);

struct parameter_parts {
    char variant[VARIANT_NAME_BYTES];
    unsigned subgroup_size;
    const char *term; /* in the name: "" where nothing follows */
};

/* False where the name is of another family or form. */
bool parameter_parts(const struct parameter *parameter, const char *family,
                     struct parameter_parts *parts);

/* Is it a parameter of rows of this family, or, with a variant, of this variant and size? */
bool parameter_is_of(const struct parameter *parameter, const char *family, const char *variant,
                     unsigned subgroup_size);

#endif
